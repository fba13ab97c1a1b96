/* SPDX-License-Identifier: GPL-2.0 */
/* tracepoint_number.h - the tracepoint of an event that tracefs and perf_events know by its number. */
#ifndef RT_TRACEPOINT_NUMBER_H
#define RT_TRACEPOINT_NUMBER_H

#include <linux/types.h>

/* Once, at load, after rt_lookup_init(). */
void rt_tracepoint_number_init(void);

/* The address of the struct tracepoint; or the number, if there is none or this kernel does not tell. */
u64 rt_tracepoint_of_number(u32 number);

#endif
