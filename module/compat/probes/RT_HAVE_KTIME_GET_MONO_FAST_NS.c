// SPDX-License-Identifier: GPL-2.0
/* 3.17: 4396e058c52e "timekeeping: Provide fast and NMI safe access to CLOCK_MONOTONIC" */
#include <linux/ktime.h>
#include <linux/timekeeping.h>

u64 rt_probe(void);
u64 rt_probe(void)
{
	return ktime_get_mono_fast_ns();
}
