// SPDX-License-Identifier: GPL-2.0
/* On x86; 4.9 has it, in 4.14 the field is a bool. */
#include <linux/kprobes.h>

int *rt_probe(struct kprobe *kp);
int *rt_probe(struct kprobe *kp)
{
	return &kp->ainsn.boostable;
}
