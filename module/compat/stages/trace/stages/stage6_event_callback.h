/* SPDX-License-Identifier: GPL-2.0 */
/* Stage 6: fill the entry; see stage 1. */
#undef __entry
#define __entry entry
#undef __field
#define __field(type, item)
#undef __field_struct
#define __field_struct(type, item)
#undef __array
#define __array(type, item, len)
#undef __dynamic_array
#define __dynamic_array(type, item, len) __entry->__data_loc_##item = __data_offsets.item;
#undef __string
#define __string(item, src) __dynamic_array(char, item, -1)
#undef __string_len
#define __string_len(item, src, len) __dynamic_array(char, item, -1)
#undef __bitmask
#define __bitmask(item, nr_bits) __dynamic_array(unsigned long, item, -1)
#undef __assign_str
#define __assign_str(dst, src) strcpy(__get_str(dst), (src) ? (const char *)(src) : "(null)")
#undef __assign_str_len
#define __assign_str_len(dst, src, len)             \
	do {                                        \
		memcpy(__get_str(dst), (src), len); \
		__get_str(dst)[len] = 0;            \
	} while (0)
#undef __assign_bitmask
#define __assign_bitmask(dst, src, nr_bits) \
	memcpy(__get_bitmask(dst), (src), __bitmask_size_in_bytes(nr_bits))
#undef TP_fast_assign
#define TP_fast_assign(args...) args
#undef __perf_count
#define __perf_count(c) (c)
#undef __perf_task
#define __perf_task(t) (t)
