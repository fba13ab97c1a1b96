// SPDX-License-Identifier: GPL-2.0
#include <linux/kernel.h>
#include <linux/preempt.h>
#include <linux/sched.h>

#include "clock.h"

/*
 * The two clocks cannot be read at the same instant, so read dmesg's clock before and after ours:
 * the middle is wrong by at most half the interval.  If an interrupt made the interval long, try
 * again, a few times.  dmesg shows microseconds.
 */
#define CLOCK_TRIES 8
#define CLOCK_CLOSE 500 /* nanoseconds */

s64 rt_clock_to_dmesg(void)
{
	u64 best_width = ~0ULL;
	s64 best = 0;
	int i;

	preempt_disable();
	for (i = 0; i < CLOCK_TRIES && best_width > CLOCK_CLOSE; i++) {
		u64 before = local_clock();
		u64 ours = rt_clock_read();
		u64 width = local_clock() - before;

		if (width < best_width) {
			best_width = width;
			best = (s64)(ours - (before + width / 2));
		}
	}
	preempt_enable();
	return best;
}
