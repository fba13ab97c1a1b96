// SPDX-License-Identifier: GPL-2.0
/* 3.17: ktime_get_real_ns() */
#include <linux/ktime.h>

u64 rt_probe(void);
u64 rt_probe(void)
{
	return ktime_get_real_ns();
}
