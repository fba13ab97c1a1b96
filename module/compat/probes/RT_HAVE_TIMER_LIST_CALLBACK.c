// SPDX-License-Identifier: GPL-2.0
/*
 * 4.15: the function of a timer takes the timer.
 * The replacement needs the older layout of the arguments.
 */
#include <linux/timer.h>

void rt_probe(struct timer_list *timer);
static DEFINE_TIMER(soft, rt_probe);
void rt_probe(struct timer_list *timer)
{
	if (timer == &soft)
		timer->expires++;
}
