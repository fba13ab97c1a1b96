/* SPDX-License-Identifier: GPL-2.0 */
/*
 * kernel_env.h - answers the event parser's questions about the running kernel: where symbols and
 * modules are, and which probes are defined.
 */
#ifndef RT_RECORD_KERNEL_ENV_H
#define RT_RECORD_KERNEL_ENV_H

#include "events/spec.h"

/* Set up ENV for this machine, with symbols, modules and probes; 0 or -ENOMEM. */
int rt_kernel_env(struct rt_event_env *env);
/* The same for another kernel, whose symbols are in the file VMLINUX. */
int rt_kernel_env_other(struct rt_event_env *env, const char *vmlinux);
void rt_kernel_env_free(struct rt_event_env *env);

/*
 * If LINE of tracefs' kprobe_events or uprobe_events defines GROUP:NAME, return it in the syntax of
 * -e; the caller frees it.  Otherwise return NULL.
 */
char *rt_kernel_env_probe(const char *line, const char *group, const char *name);

#endif
