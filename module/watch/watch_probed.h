/* SPDX-License-Identifier: GPL-2.0 */
/*
 * watch_probed.h - arm64: what an instruction under a kprobe does to watched memory.
 *
 * The kernel executes a copy of the instruction with debug exceptions masked, so nothing traps.  Our own
 * probe knows what the instruction is about to do, and records it.  Kernels before 5.12 step through the
 * copy, where the watchpoint may still trap: that is the same access, not a second one.
 */
#ifndef RT_WATCH_PROBED_H
#define RT_WATCH_PROBED_H

#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/types.h>

#include "watch_near.h"

#if defined(CONFIG_ARM64) && defined(CONFIG_HAVE_HW_BREAKPOINT)

struct rt_probed {
	unsigned long address;
	unsigned long copy; /* copied instruction whose access is recorded and has not trapped */
	/* Our probes at the address: the one that records the access, and the next one. */
	const struct kprobe *first, *second;
};

DECLARE_PER_CPU(struct rt_probed, rt_probed);

void rt_watch_probed_tell(struct kprobe *kp, struct pt_regs *regs);

/* At every hit of our kprobes, before the instruction is executed. */
static __always_inline void rt_watch_probed(struct kprobe *kp, struct pt_regs *regs)
{
	if (unlikely(READ_ONCE(rt_watch_near_armed)))
		rt_watch_probed_tell(kp, regs);
}

/*
 * Before probes of ours are disabled, and again when no handler of theirs runs any more: one that is gone
 * must not count as the one that records.  May sleep.
 */
void rt_watch_probed_forget(void);

/* Whether the access of the copied instruction at PC has been recorded. */
static __always_inline bool rt_watch_probed_told(u64 pc)
{
	if (RT_COMPAT_KPROBE_STEPS && unlikely(this_cpu_read(rt_probed.copy) == pc)) {
		this_cpu_write(rt_probed.copy, 0);
		return true;
	}
	return false;
}

#else

static __always_inline void rt_watch_probed(struct kprobe *kp, struct pt_regs *regs)
{
}

static __always_inline bool rt_watch_probed_told(u64 pc)
{
	return false;
}

static inline void rt_watch_probed_forget(void)
{
}

#endif

#endif
