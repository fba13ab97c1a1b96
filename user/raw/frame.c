// SPDX-License-Identifier: GPL-2.0
/* Everything of a raw recording but its records: the events, the header, the build-ids. */
#include "raw/internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "arch/pt_regs.h"
#include "record/expand.h"

/* The writer makes these anew; all others are taken over. */
static bool is_made(unsigned int feature)
{
	return feature == RT_FEATURE_BUILD_ID || feature == RT_FEATURE_SAMPLE_TIME ||
	       feature == RT_FEATURE_NRCPUS || feature == RT_FEATURE_COMPRESSED;
}

static int find_arch(struct rt_raw_expansion *x, struct rt_err *err)
{
	const struct rt_env *env = rt_reader_env(x->reader);
	const char *group = env->arch ? rt_arch_group(env->arch) : "?";

	if (!strcmp(group, "x86"))
		x->recording.arch = RT_ARCH_X86_64;
	else if (!strcmp(group, "arm64"))
		x->recording.arch = RT_ARCH_ARM64;
	else
		return rt_err_set(err, EBADMSG,
				  "%s does not name the architecture on which it was recorded; its "
				  "header is damaged",
				  x->path);
	return 0;
}

/* The records of the file have exactly these registers; the expander relies on it. */
static int check_attr(const struct rt_raw_expansion *x, const struct rt_attr *a)
{
	enum rt_arch arch = x->recording.arch;

	if (a->sample_type & ~(uint64_t)(RT_WRITER_SAMPLE | RT_WRITER_SAMPLE_MORE))
		return -EBADMSG;
	if (a->sample_type & RT_SAMPLE_REGS_INTR && a->sample_regs_intr != rt_pt_regs_mask(arch))
		return -EBADMSG;
	if (a->sample_type & RT_SAMPLE_REGS_USER &&
	    a->sample_regs_user & ~rt_sampling_all_registers(arch))
		return -EBADMSG;
	return 0;
}

/*
 * A file that was cut has lost its last build-ids.  Each checkpoint has those that were known by
 * then: take the last ones that are left.
 */
static void find_build_ids(struct rt_raw_expansion *x)
{
	struct rt_file_section found = { 0 }, s;
	struct rt_raw_walk walk = x->walk; /* in the same map */
	struct rt_raw_item item;

	if (!rt_reader_lacks_build_ids(x->reader))
		return;
	while (rt_raw_walk_next(&walk, &item))
		if (item.hdr->type == RT_PERF_RECORD_HEADER_EVENT_TYPE && !rt_note_is(item.hdr) &&
		    rt_reader_find_build_ids(x->reader, item.offset + sizeof(*item.hdr), &s))
			found = s;
	x->build_ids = !found.size || rt_reader_take_build_ids(x->reader, &found) ?
			       RT_RAW_IDS_MISSING :
			       RT_RAW_IDS_EARLIER;
}

int rt_raw_frame_read(struct rt_raw_expansion *x, struct rt_err *err)
{
	const struct rt_perf_events *events = rt_reader_events(x->reader);
	const struct rt_env *env = rt_reader_env(x->reader);
	struct rt_writer_section *s;
	unsigned int f;
	size_t i;
	int ret = find_arch(x, err);

	if (ret)
		return ret;
	for (i = 0; i < events->count; i++)
		if (check_attr(x, &events->list[i]->attr))
			return rt_err_set(err, EBADMSG, "%s: the attribute of event %zu is damaged",
					  x->path, i + 1);
	for (f = 1; f < RT_FEATURE_COUNT; f++) {
		s = &x->sections[f];
		if (!is_made(f))
			s->data = rt_reader_section(x->reader, f, &s->size);
	}
	find_build_ids(x);
	x->host.cpus_avail = env->cpus_avail;
	x->host.cpus_online = env->cpus_online;
	return 0;
}

void rt_raw_frame_options(struct rt_raw_expansion *x, struct rt_writer_options *opt)
{
	const struct rt_perf_events *events = rt_reader_events(x->reader);
	const struct rt_attr *first = events->count ? &events->list[0]->attr : NULL;

	*opt = (struct rt_writer_options){
		.clockid = first && first->flags & RT_ATTR_USE_CLOCKID ? first->clockid :
									 RT_WRITER_NO_CLOCKID,
		.host = &x->host,
		.foreign = true,
		.held = true,
		.terse = first && !(first->sample_type & RT_SAMPLE_IDENTIFIER),
		.sections = x->sections,
	};
}

static int write_build_ids(struct rt_raw_expansion *x)
{
	const struct rt_env *env = rt_reader_env(x->reader);
	const struct rt_build_id_entry *e;
	int ret = 0;
	size_t i;

	for (i = 0; !ret && i < env->build_id_count; i++) {
		e = &env->build_ids[i];
		ret = rt_writer_build_id(x->recording.writer, e->filename,
					 (e->misc & RT_MISC_CPUMODE_MASK) == RT_MISC_KERNEL,
					 &e->id);
	}
	return ret;
}

/*
 * The writer takes no tracepoint without a system, which one that the user named does not show, and a
 * damaged header has no names.
 */
static void give_name(const struct rt_perf_event *e, struct rt_writer_event *desc)
{
	bool tracepoint = e->attr.type == RT_TYPE_TRACEPOINT;

	desc->name = e->name && (!tracepoint || strchr(e->name, ':')) ? e->name : "raw:event";
	desc->alias = e->name;
}

int rt_raw_frame_write(struct rt_raw_expansion *x, struct rt_err *err)
{
	const struct rt_perf_events *events = rt_reader_events(x->reader);
	struct rt_writer *w = x->recording.writer;
	int ret = 0;
	size_t i;

	for (i = 0; ret >= 0 && i < events->count; i++) {
		const struct rt_perf_event *e = events->list[i];
		struct rt_writer_event desc = { .attr = e->attr };

		give_name(e, &desc);
		if (e->ids_count) {
			desc.ids = e->ids;
			desc.ids_count = e->ids_count;
		}
		ret = rt_writer_add(w, &desc, err);
	}
	if (ret >= 0)
		ret = rt_writer_begin(w, err);
	if (!ret && write_build_ids(x))
		ret = rt_err_set(err, EIO, "cannot write the build-ids of %s", x->path);
	return ret;
}

/* Make room for events up to this id; what is new has no spec and is not expanded. */
static int grow(struct rt_recording *r, uint32_t id)
{
	size_t count = r->count ? r->count : 16;
	struct rt_recorded *bigger;

	if (id <= r->count)
		return 0;
	while (count < id)
		count *= 2;
	bigger = realloc(r->events, count * sizeof(*bigger));
	if (!bigger)
		return -ENOMEM;
	memset(bigger + r->count, 0, (count - r->count) * sizeof(*bigger));
	r->events = bigger;
	r->count = count;
	return 0;
}

int rt_raw_frame_event(struct rt_raw_expansion *x, const struct rt_raw_event *e)
{
	static const struct rt_event_spec counter = { .kind = RT_SPEC_COUNTER };
	static const struct rt_event_spec other = { .kind = RT_SPEC_TRACEPOINT };
	const struct rt_perf_events *events = rt_reader_events(x->reader);
	struct rt_recording *r = &x->recording;
	const struct rt_attr *attr;
	struct rt_recorded *event;

	if (!e->id || e->id > RT_RECORD_ID_MAX || e->event >= events->count ||
	    e->carry & ~RT_CARRY_FLAGS || e->address > UINT8_MAX)
		return -EBADMSG;
	attr = &events->list[e->event]->attr;
	if (!!(e->carry & RT_CARRY_USER_REGISTERS) != !!(attr->sample_type & RT_SAMPLE_REGS_USER))
		return -EBADMSG;
	if (grow(r, e->id))
		return -ENOMEM;
	event = &r->events[e->id - 1];
	*event = (struct rt_recorded){
		.spec = e->flags & RT_RAW_COUNTER ? &counter : &other,
		.carry = e->carry,
		.file = e->event,
		.address = e->address,
	};
	event->sampling.registers = attr->sample_regs_user;
	event->plain =
		!(e->flags & RT_RAW_COUNTER) && !e->carry && rt_writer_plain(r->writer, e->event);
	return 0;
}
