// SPDX-License-Identifier: GPL-2.0
/*
 * 6.13: 908a1d775422 "hrtimers: Introduce hrtimer_setup() to replace hrtimer_init()"
 * The replacement needs the older layout of the timer.
 */
#include <linux/hrtimer.h>

void rt_probe(struct hrtimer *timer, enum hrtimer_restart (*function)(struct hrtimer *timer));
void rt_probe(struct hrtimer *timer, enum hrtimer_restart (*function)(struct hrtimer *timer))
{
	hrtimer_setup(timer, function, CLOCK_MONOTONIC, HRTIMER_MODE_REL);
}
