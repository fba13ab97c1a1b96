/* SPDX-License-Identifier: GPL-2.0 */
/* kprobe_forbidden.h - the functions of the kernel itself in which it forbids kprobes. */
#ifndef RT_KPROBE_FORBIDDEN_H
#define RT_KPROBE_FORBIDDEN_H

#include <linux/types.h>

/*
 * Whether ADDRESS is in the text of the kernel itself and the kernel does not forbid a kprobe there.
 * False also if this kernel does not tell.  Call with rt_kprobes_lock held.
 */
bool rt_kprobe_is_allowed(unsigned long address);

/* Once, at load, after rt_lookup_init(), and at unload. */
void rt_kprobe_forbidden_init(void);
void rt_kprobe_forbidden_exit(void);

#endif
