/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RT_COMPAT_SECURITY_H
#define RT_COMPAT_SECURITY_H

#include <linux/security.h>

/* A kernel without this function has no lockdown. */
#ifndef RT_HAVE_SECURITY_LOCKED_DOWN
#define security_locked_down(reason) ((void)(reason), 0)
#define lockdown_reason		     rt_compat_lockdown_reason
#define LOCKDOWN_KPROBES	     RT_COMPAT_LOCKDOWN_KPROBES
#define LOCKDOWN_PERF		     RT_COMPAT_LOCKDOWN_PERF
#define LOCKDOWN_BPF_READ_KERNEL     RT_COMPAT_LOCKDOWN_BPF_READ_KERNEL
#define LOCKDOWN_TRACEFS	     RT_COMPAT_LOCKDOWN_TRACEFS
enum lockdown_reason {
	LOCKDOWN_KPROBES,
	LOCKDOWN_PERF,
	LOCKDOWN_BPF_READ_KERNEL,
	LOCKDOWN_TRACEFS,
};
/* Older kernels check reads of kernel memory from outside under another name. */
#elif !defined(RT_HAVE_LOCKDOWN_BPF_READ_KERNEL)
#define LOCKDOWN_BPF_READ_KERNEL LOCKDOWN_KCORE
#endif

#endif
