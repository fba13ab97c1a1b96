/* SPDX-License-Identifier: GPL-2.0 */
/*
 * kprobe_arm.h - arming and disarming the kprobes and kretprobes of a session: by enabling them, or
 * through ftrace (entry.h).
 */
#ifndef RT_KPROBE_ARM_H
#define RT_KPROBE_ARM_H

struct list_head;
struct rt_refusal;

/* Operations of struct rt_source. */
int rt_kprobe_arm(struct list_head *events, struct rt_refusal *refusal);
void rt_kprobe_disarm(struct list_head *events);
void rt_kprobe_look(struct list_head *events);

/* Disarm what is armed through ftrace. */
void rt_kprobe_drop_entries(struct list_head *events);

#endif
