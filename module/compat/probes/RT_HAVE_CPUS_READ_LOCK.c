// SPDX-License-Identifier: GPL-2.0
/*
 * 4.13: cpus_read_lock(), which was get_online_cpus().
 * The replacement needs that name of the older layout.
 */
#include <linux/cpu.h>

void rt_probe(void);
void rt_probe(void)
{
	cpus_read_lock();
}
