/* SPDX-License-Identifier: GPL-2.0 */
/* kprobe_check.h - addresses where the kernel accepts a kprobe but then hangs or crashes. */
#ifndef RT_KPROBE_CHECK_H
#define RT_KPROBE_CHECK_H

#include <linux/types.h>

/*
 * Whether a kprobe at FUNCTION + OFFSET is safe; without a name OFFSET is the address.  Call with
 * rt_kprobes_lock held.
 */
bool rt_kprobe_is_safe(const char *function, u64 offset);

/* Whether a function begins at this address, if the kernel's symbol lookup was found. */
bool rt_kprobe_begins(unsigned long address);

#endif
