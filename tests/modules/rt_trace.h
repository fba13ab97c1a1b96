/* SPDX-License-Identifier: GPL-2.0 */
/* The tracepoints of rt_trace.c; the kernel's trace/define_trace.h reads this file several times. */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM rt_trace

#if !defined(RT_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define RT_TRACE_H

#include <linux/tracepoint.h>

TRACE_EVENT(rt_trace_number, TP_PROTO(long number), TP_ARGS(number),
	    TP_STRUCT__entry(__field(long, number) __field(u8, odd)),
	    TP_fast_assign(__entry->number = number; __entry->odd = number & 1;),
	    TP_printk("number=%ld odd=%u", __entry->number, __entry->odd));

TRACE_EVENT(rt_trace_bytes, TP_PROTO(unsigned int count), TP_ARGS(count),
	    TP_STRUCT__entry(__field(unsigned int, count) __dynamic_array(u8, bytes, count)),
	    TP_fast_assign(__entry->count = count;
			   memset(__get_dynamic_array(bytes), count, count);),
	    TP_printk("count=%u bytes=%s", __entry->count,
		      __print_hex(__get_dynamic_array(bytes), __entry->count)));

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE rt_trace
#include <trace/define_trace.h>
