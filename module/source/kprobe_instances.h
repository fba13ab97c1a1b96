/* SPDX-License-Identifier: GPL-2.0 */
/*
 * kprobe_instances.h - the instances of kretprobes: the kernel allocates one for each call that may be
 * active at once, without charging anybody.
 */
#ifndef RT_KPROBE_INSTANCES_H
#define RT_KPROBE_INSTANCES_H

#include <linux/types.h>

struct rt_kprobe;
struct rt_refusal;

/* The sum over all sessions. */
u32 rt_kprobe_instances(void);

/* Count and charge those of one kretprobe; on failure *REFUSAL has the reason. */
int rt_kprobe_take_instances(struct rt_kprobe *probe, struct rt_refusal *refusal);
void rt_kprobe_give_instances(struct rt_kprobe *probe);

#endif
