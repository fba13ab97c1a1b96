// SPDX-License-Identifier: GPL-2.0
/* 6.1: flags tell which members of the sample are set, its address among them. */
#include <linux/perf_event.h>

u64 rt_probe(const struct perf_sample_data *data);
u64 rt_probe(const struct perf_sample_data *data)
{
	return data->sample_flags;
}
