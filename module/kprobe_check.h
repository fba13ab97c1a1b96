/* SPDX-License-Identifier: GPL-2.0 */
/* kprobe_check.h - places that the kernel lets be probed, and then does not bear it. */
#ifndef RT_KPROBE_CHECK_H
#define RT_KPROBE_CHECK_H

#include <linux/types.h>

/*
 * Whether FUNCTION + OFFSET or, without a name, the address OFFSET may be tried.  With
 * rt_kprobes_lock held.
 */
bool rt_kprobe_bearable(const char *function, u64 offset);

#endif
