/* SPDX-License-Identifier: GPL-2.0 */
/* counters.h - which counters the kernel's perf_events have on this machine. */
#ifndef RT_HOST_COUNTERS_H
#define RT_HOST_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Whether the kernel opens this counter; TYPE and CONFIG are those of struct perf_event_attr.  True
 * as well if the kernel does not let this user ask.
 */
bool rt_counter_works(uint32_t type, uint64_t config);

#endif
