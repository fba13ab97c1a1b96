/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Before 4.10 CPUs that come and go are announced by notifiers.
 *
 * Included by its users, not by compat.h: each file that includes it has one listener.
 */
#ifndef RT_COMPAT_CPUHOTPLUG_H
#define RT_COMPAT_CPUHOTPLUG_H

#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/notifier.h>

#ifndef RT_HAVE_CPUHP_DYN

static struct {
	bool prepares; /* before the CPU comes, not after */
	int (*comes)(unsigned int cpu);
	int (*goes)(unsigned int cpu);
} rt_compat_cpuhp;

static int rt_compat_cpuhp_told(struct notifier_block *block, unsigned long action, void *cpu)
{
	unsigned int number = (unsigned long)cpu;
	int err = 0;

	switch (action & ~CPU_TASKS_FROZEN) {
	case CPU_UP_PREPARE:
		if (rt_compat_cpuhp.prepares)
			err = rt_compat_cpuhp.comes(number);
		break;
	case CPU_ONLINE:
	case CPU_DOWN_FAILED:
		if (!rt_compat_cpuhp.prepares)
			rt_compat_cpuhp.comes(number);
		break;
	case CPU_DOWN_PREPARE:
		if (rt_compat_cpuhp.goes)
			err = rt_compat_cpuhp.goes(number);
		break;
	}
	return notifier_from_errno(err);
}

static struct notifier_block rt_compat_cpuhp_block = { .notifier_call = rt_compat_cpuhp_told };

static inline int rt_compat_cpuhp_setup(bool prepares, int (*comes)(unsigned int cpu),
					int (*goes)(unsigned int cpu))
{
	rt_compat_cpuhp.prepares = prepares;
	rt_compat_cpuhp.comes = comes;
	rt_compat_cpuhp.goes = goes;
	return register_cpu_notifier(&rt_compat_cpuhp_block);
}

static inline void rt_compat_cpuhp_remove(int state)
{
	unregister_cpu_notifier(&rt_compat_cpuhp_block);
}

#define CPUHP_BP_PREPARE_DYN				   true
#define CPUHP_AP_ONLINE_DYN				   false
#define cpuhp_setup_state_nocalls(when, name, comes, goes) rt_compat_cpuhp_setup(when, comes, goes)
#define cpuhp_remove_state_nocalls			   rt_compat_cpuhp_remove
#endif

#endif
