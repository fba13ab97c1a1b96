// SPDX-License-Identifier: GPL-2.0
/*
 * 4.8: 7e3f977edd0b "perf, events: add non-linear data support for raw records"
 * The replacement needs the older layout of struct perf_raw_record.
 */
#include <linux/perf_event.h>

u32 rt_probe(const struct perf_raw_record *raw);
u32 rt_probe(const struct perf_raw_record *raw)
{
	return raw->frag.size;
}
