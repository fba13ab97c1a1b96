// SPDX-License-Identifier: GPL-2.0
/*
 * On x86, until 4.12: a8d11cd0714f "kprobes/x86: Consolidate insn decoder users for copying code"
 */
#include <linux/kprobes.h>

int *rt_probe(struct kprobe *kp);
int *rt_probe(struct kprobe *kp)
{
	return &kp->ainsn.boostable;
}
