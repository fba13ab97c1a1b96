/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RT_KPROBE_H
#define RT_KPROBE_H

/* Listen to modules that come and go; the sources themselves are in event.h. */
int rt_kprobe_init(void);
void rt_kprobe_exit(void);

struct kprobe;

/*
 * Disable a probe, come what may: where it is in place by way of ftrace, the kernel needs memory to
 * take it out, and one that stays while its memory goes would be called for ever.  May sleep.
 */
void rt_kprobe_disable(struct kprobe *kp);

#endif
