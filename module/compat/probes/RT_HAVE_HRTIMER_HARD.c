// SPDX-License-Identifier: GPL-2.0
/* 5.4: ae6683d81589 "hrtimer: Introduce HARD expiry mode" */
#include <linux/hrtimer.h>

int rt_probe(void);
int rt_probe(void)
{
	return HRTIMER_MODE_REL_PINNED_HARD;
}
