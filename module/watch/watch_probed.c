// SPDX-License-Identifier: GPL-2.0
#include "watch_probed.h"

#if defined(CONFIG_ARM64) && defined(CONFIG_HAVE_HW_BREAKPOINT)

#include <linux/cpu.h>
#include <linux/smp.h>

#include "watch.h"
#include "watch_decode.h"

DEFINE_PER_CPU(struct rt_probed, rt_probed);

static void forget_of(struct rt_probed *probed)
{
	probed->address = 0;
	probed->first = NULL;
	probed->second = NULL;
}

static void forget(void *unused)
{
	forget_of(this_cpu_ptr(&rt_probed));
}

/* The traps of kprobes mask interrupts: no CPU has called only some of the probes at an address here. */
void rt_watch_probed_forget(void)
{
	unsigned int cpu;

	cpus_read_lock();
	on_each_cpu(forget, NULL, 1);
	/* A CPU that is away runs no probe and may come back. */
	for_each_possible_cpu(cpu)
		if (!cpu_online(cpu))
			forget_of(per_cpu_ptr(&rt_probed, cpu));
	cpus_read_unlock();
}

/*
 * The kernel calls all our probes at an address for the same trap, always in the same order.  If
 * the second one is called twice, the first one was removed.
 */
static bool is_first(const struct kprobe *kp)
{
	struct rt_probed *probed = this_cpu_ptr(&rt_probed);

	if (probed->address == (unsigned long)kp->addr && probed->first != kp &&
	    probed->second != kp) {
		if (!probed->second)
			probed->second = kp;
		return false;
	}
	probed->address = (unsigned long)kp->addr;
	probed->first = kp;
	probed->second = NULL;
	return true;
}
NOKPROBE_SYMBOL(is_first);

void rt_watch_probed_tell(struct kprobe *kp, struct pt_regs *regs)
{
	struct rt_watch *touched[RT_WATCH_NEAR_MAX];
	u32 count, i, bytes;
	u64 from;

	if (!is_first(kp) || !rt_watch_decode_range(kp->opcode, regs, &from, &bytes))
		return;
	count = rt_watch_near_touched(from, bytes, touched);
	for (i = 0; i < count; i++)
		rt_watch_hit_probed(touched[i], regs, kp->opcode);
	if (RT_COMPAT_KPROBE_STEPS)
		this_cpu_write(rt_probed.copy, count ? rt_compat_kprobe_copy(kp) : 0);
}
NOKPROBE_SYMBOL(rt_watch_probed_tell);

#endif
