/* SPDX-License-Identifier: GPL-2.0 */
/* kprobe_register.h - make the kernel know a kprobe or kretprobe, which stays disabled. */
#ifndef RT_KPROBE_REGISTER_H
#define RT_KPROBE_REGISTER_H

#include <linux/types.h>

struct rt_kprobe;

/* Both under rt_kprobes_lock. */

/* The kernel checks everything and patches nothing.  0 or a negative errno. */
int rt_kprobe_register(struct rt_kprobe *probe);

/*
 * If PROBE is at the entry of a function of the kernel itself and ftrace can serve it, do without the
 * kernel's probe for now: registering one scans several tables of the kernel, which is too long for
 * thousands of functions.  If ftrace cannot serve it in the end, it is registered when it is armed.
 */
bool rt_kprobe_defer(struct rt_kprobe *probe);

#endif
