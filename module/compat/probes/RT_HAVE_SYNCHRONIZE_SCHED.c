// SPDX-License-Identifier: GPL-2.0
/*
 * Not needed since 4.20: 45975c7d21a1 "rcu: Define RCU-sched API in terms of RCU for Tree RCU
 * PREEMPT builds"; removed in 5.1.
 */
#include <linux/rcupdate.h>

void rt_probe(void);
void rt_probe(void)
{
	synchronize_sched();
}
