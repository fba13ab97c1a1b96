/* SPDX-License-Identifier: GPL-2.0 */
/*
 * canary.h - whether the kernel delivers kprobes.
 *
 * root can switch off all kprobes (/sys/kernel/debug/kprobes/enabled) at any time.  Registering and
 * enabling a kprobe then still succeed, but the kernel delivers no hit.  So ringtail puts a kprobe on
 * a function of its own, the canary, and calls it to see whether the hit arrives.
 *
 * The canary is registered while any session is enabled.
 */
#ifndef RT_CANARY_H
#define RT_CANARY_H

#include <linux/types.h>

struct kprobe;

/* Call all but rt_canary_heard() under the side-band's lock; they may sleep. */
int rt_canary_hold(void);
/* The probe that the caller has to unregister, or NULL. */
struct kprobe *rt_canary_let_go(void);

/* The function that carries the canary's probe. */
void rt_canary_sing(void);

/* Whether the hit arrives.  Without a canary the answer is true. */
bool rt_canary_heard(void);

#ifdef CONFIG_ARM64
/*
 * What the trap of a kprobe adds to preempt_count() on the way to the handler: before 5.3 nothing.  The
 * canary measures it, for the first time at load.
 */
extern u32 rt_canary_depth;
#endif

#endif
