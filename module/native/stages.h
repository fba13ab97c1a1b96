/* SPDX-License-Identifier: GPL-2.0 */
/*
 * stages.h - make probes of the kernel's own TRACE_EVENT definitions.
 *
 * RT_NATIVE_HEADER names a header of <trace/events/>.  It is read again and again, and
 * each time the macros that its events are written in mean something else: the struct
 * of the entry, the lengths of its dynamic parts, a probe in which the event's own
 * TP_fast_assign fills our slot, and a line for the table.  The struct is laid out as
 * the kernel lays it out, so the bytes are those that events/<system>/<name>/format
 * describes.  Nothing is copied by hand, so nothing rots.
 *
 * The kernel's trace/stages/ supply the macros of the fields; module/compat/stages/
 * has them for kernels that do not come with such files.
 */
#include <linux/stringify.h>
#include <linux/tracepoint.h>
#include <linux/trace_events.h>
#include <linux/trace_seq.h>

#include "native.h"

/* The ordinary declarations, and the helpers that TP_fast_assign may call. */
#define CREATE_TRACE_POINTS
#include RT_NATIVE_HEADER
#undef CREATE_TRACE_POINTS

#define TRACE_HEADER_MULTI_READ

/* Everything that declares or defines has been read; now only the classes count. */
#include "forms.h"

/* --- the entry ------------------------------------------------------------------- */

#include <trace/stages/stage1_struct_define.h>

#undef DECLARE_EVENT_CLASS
#define DECLARE_EVENT_CLASS(name, proto, args, tstruct, assign, print) \
	struct rt_entry_##name {                                       \
		struct trace_entry ent;                                \
		tstruct char __data[];                                 \
	};                                                             \
	typedef struct rt_entry_##name rt_slot_##name __aligned(RT_RECORD_ALIGN);
#undef DEFINE_EVENT
#define DEFINE_EVENT(template, name, proto, args)

#include RT_NATIVE_HEADER

/* --- where its dynamic parts begin ----------------------------------------------- */

#include <trace/stages/stage2_data_offsets.h>

#undef DECLARE_EVENT_CLASS
#define DECLARE_EVENT_CLASS(name, proto, args, tstruct, assign, print) \
	struct rt_offsets_##name {                                     \
		tstruct;                                               \
	};

#include RT_NATIVE_HEADER

#include <trace/stages/stage5_get_offsets.h>

#undef DECLARE_EVENT_CLASS
#define DECLARE_EVENT_CLASS(name, proto, args, tstruct, assign, print)                        \
	static inline notrace int rt_measure_##name(struct rt_offsets_##name *__data_offsets, \
						    proto)                                    \
	{                                                                                     \
		int __data_size = 0;                                                          \
		int __maybe_unused __item_length;                                             \
		struct rt_entry_##name __maybe_unused *entry;                                 \
                                                                                              \
		tstruct;                                                                      \
		return __data_size;                                                           \
	}

#include RT_NATIVE_HEADER

/* --- the probe --------------------------------------------------------------------- */

#include <trace/stages/stage3_trace_output.h>
#include <trace/stages/stage6_event_callback.h>

/*
 * Everything behind the common fields is stored; the common fields are not, since a
 * reader can rebuild them.  So the entry begins that much in front of the slot.
 */
#define RT_ENTRY_BYTES (sizeof(*entry) - sizeof(entry->ent))

#define RT_CAREFUL_PROBE(name, proto, args, tstruct, assign, way)                        \
	static noinline notrace void rt_careful_##name(void *__rt_event, proto)          \
	{                                                                                \
		struct rt_offsets_##name __maybe_unused __data_offsets;                  \
		rt_slot_##name *entry; /* a slot is aligned to less than a struct */     \
		struct rt_hit __rt_hit;                                                  \
		int __data_size;                                                         \
                                                                                         \
		__rt_hit.regs = NULL;                                                    \
		__rt_hit.ip = 0;                                                         \
		__rt_hit.caller = 0;                                                     \
		__rt_hit.top = 0;                                                        \
		__rt_hit.linked = false;                                                 \
		__rt_hit.depth = way;                                                    \
		if (sizeof(__data_offsets)) {                                            \
			if (!rt_hit_begin(&__rt_hit, __rt_event))                        \
				return;                                                  \
			__data_size = rt_measure_##name(&__data_offsets, args);          \
			entry = rt_hit_reserve(&__rt_hit, RT_ENTRY_BYTES + __data_size); \
		} else {                                                                 \
			/* Nothing dynamic: the size is known beforehand. */             \
			entry = rt_hit_take(&__rt_hit, __rt_event, RT_ENTRY_BYTES);      \
		}                                                                        \
		if (!entry)                                                              \
			return;                                                          \
		entry = (void *)entry - sizeof(entry->ent);                              \
		tstruct;                                                                 \
		{                                                                        \
			assign;                                                          \
		}                                                                        \
		rt_hit_commit(&__rt_hit);                                                \
	}

/*
 * RT_NATIVE_BUSY: the header's events are so frequent that a second, longer probe pays for itself.  It
 * inlines what TP_fast_assign calls.
 */
#ifdef RT_NATIVE_BUSY
#define RT_FAST(template) rt_fast_##template
#define RT_PROBE(name, proto, args, tstruct, assign, way)                                         \
	RT_CAREFUL_PROBE(name, PARAMS(proto), PARAMS(args), PARAMS(tstruct), PARAMS(assign), way) \
	static __attribute__((flatten)) notrace void rt_fast_##name(void *__rt_event, proto)      \
	{                                                                                         \
		struct rt_offsets_##name __maybe_unused __data_offsets;                           \
		rt_slot_##name *entry;                                                            \
		struct rt_fast __rt_fast;                                                         \
                                                                                                  \
		if (sizeof(__data_offsets) || !rt_fast_fits(&__rt_fast, __rt_event, way)) {       \
			rt_careful_##name(__rt_event, args);                                      \
			return;                                                                   \
		}                                                                                 \
		if (!rt_fast_take(&__rt_fast, __rt_event, RT_ENTRY_BYTES))                        \
			return;                                                                   \
		entry = __rt_fast.fields - sizeof(entry->ent);                                    \
		{                                                                                 \
			assign;                                                                   \
		}                                                                                 \
		rt_fast_commit(&__rt_fast);                                                       \
	}
#else
#define RT_FAST(template) rt_careful_##template
#define RT_PROBE	  RT_CAREFUL_PROBE
#endif

#undef DECLARE_EVENT_CLASS
#define DECLARE_EVENT_CLASS(name, proto, args, tstruct, assign, print)               \
	RT_PROBE(name, PARAMS(proto), PARAMS(args), PARAMS(tstruct), PARAMS(assign), \
		 RT_TRACEPOINT_DEPTH)
#undef DECLARE_EVENT_SYSCALL_CLASS
#define DECLARE_EVENT_SYSCALL_CLASS(name, proto, args, tstruct, assign, print)       \
	RT_PROBE(name, PARAMS(proto), PARAMS(args), PARAMS(tstruct), PARAMS(assign), \
		 RT_TRACEPOINT_SYSCALL_DEPTH)

#include RT_NATIVE_HEADER

/* --- the table --------------------------------------------------------------------- */

#undef DECLARE_EVENT_CLASS
#define DECLARE_EVENT_CLASS(name, proto, args, tstruct, assign, print)
#undef DECLARE_EVENT_SYSCALL_CLASS
#define DECLARE_EVENT_SYSCALL_CLASS DECLARE_EVENT_CLASS

#undef DEFINE_EVENT
#define DEFINE_EVENT(template, event, proto, args)                                        \
	static inline void rt_check_##event(void)                                         \
	{                                                                                 \
		check_trace_callback_type_##event(RT_FAST(template));                     \
	}                                                                                 \
	extern const struct rt_native rt_native_##event;                                  \
	const struct rt_native rt_native_##event = {                                      \
		.system = __stringify(TRACE_SYSTEM),                                      \
		.name = #event,                                                           \
		.fast = RT_FAST(template),                                                \
		.careful = rt_careful_##template,                                         \
		.fixed = sizeof(struct rt_entry_##template) - sizeof(struct trace_entry), \
	};

#include RT_NATIVE_HEADER
