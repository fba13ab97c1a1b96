// SPDX-License-Identifier: GPL-2.0
/*
 * 3.18: synchronize_rcu_tasks(); before 4.12 many configurations lack it.
 * The replacement proves less, so it is for kernels of the older layout alone.
 */
#include <linux/rcupdate.h>

void rt_probe(void);
void rt_probe(void)
{
	synchronize_rcu_tasks();
}
