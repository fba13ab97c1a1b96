/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RT_COMPAT_KPROBE_H
#define RT_COMPAT_KPROBE_H

#include <linux/kprobes.h>

/* The kretprobe of an instance went behind a reference of its own. */
#ifndef RT_HAVE_GET_KRETPROBE
#define get_kretprobe(instance) ((instance)->rp)
#endif

/* Where the probed function returns to. */
#ifndef RT_HAVE_GET_KRETPROBE_RETADDR
#define get_kretprobe_retaddr(instance) ((unsigned long)(instance)->ret_addr)
#endif

#endif
