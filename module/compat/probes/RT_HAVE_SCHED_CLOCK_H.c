// SPDX-License-Identifier: GPL-2.0
/*
 * 4.11: e601757102cf "sched/headers: Prepare for new header dependencies before moving code to
 * <linux/sched/clock.h>"
 */
#include <linux/sched/clock.h>

u64 rt_probe(void);
u64 rt_probe(void)
{
	return local_clock();
}
