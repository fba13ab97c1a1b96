// SPDX-License-Identifier: GPL-2.0
/*
 * Until 4.18, together with what no probe can see: on x86 the handler of the breakpoint trap disabled
 * preemption for kprobes.
 */
#include <linux/kprobes.h>

void *rt_probe(const struct kprobe *kp);
void *rt_probe(const struct kprobe *kp)
{
	return kp->break_handler;
}
