// SPDX-License-Identifier: GPL-2.0
/*
 * 4.10: "arm64: kprobe: protect/rename few definitions to be reused by uprobe"; arm64 only.
 * The replacement needs the older layout of struct arch_specific_insn.
 */
#include <linux/kprobes.h>

unsigned long rt_probe(const struct kprobe *kp);
unsigned long rt_probe(const struct kprobe *kp)
{
	return (unsigned long)kp->ainsn.api.insn;
}
