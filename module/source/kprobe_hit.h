/* SPDX-License-Identifier: GPL-2.0 */
/* kprobe_hit.h - the handlers of kprobes and kretprobes. */
#ifndef RT_KPROBE_HIT_H
#define RT_KPROBE_HIT_H

#include <linux/types.h>

struct kprobe;
struct kretprobe_instance;
struct pt_regs;
struct rt_event;

int rt_kprobe_hit(struct kprobe *kp, struct pt_regs *regs);
int rt_kretprobe_enters(struct kretprobe_instance *instance, struct pt_regs *regs);
/* The function of EVENT, a kretprobe, is entered: what the kernel does if it delivers the kprobe itself. */
void rt_kretprobe_by_entry(struct rt_event *event, struct pt_regs *regs);
int rt_kretprobe_hit(struct kretprobe_instance *instance, struct pt_regs *regs);

/* The module parameter: a handler may write a return address on the stack, until it returns. */
extern bool rt_restore_caller;

/* Once, at load, after rt_lookup_init(). */
void rt_kprobe_hit_init(void);

/*
 * The return address that a kretprobe of ours has just replaced in the call whose entry code, at AT,
 * calls ftrace with this stack pointer; 0: not known.
 */
unsigned long rt_kretprobe_replaced(unsigned long at, unsigned long sp);

#endif
