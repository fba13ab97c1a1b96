// SPDX-License-Identifier: GPL-2.0
/*
 * 4.10: CPU hotplug states of modules for the time before a CPU comes.
 * The replacement needs the notifiers of the older layout, which 4.10 removed.
 */
#include <linux/cpuhotplug.h>

int rt_probe(int (*up)(unsigned int cpu));
int rt_probe(int (*up)(unsigned int cpu))
{
	return cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN, "rt", up, NULL);
}
