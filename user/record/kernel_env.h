/* SPDX-License-Identifier: GPL-2.0 */
/*
 * kernel_env.h - what the parser of events asks about the running kernel: where symbols
 * and modules are, and which probes somebody has defined.
 */
#ifndef RT_RECORD_KERNEL_ENV_H
#define RT_RECORD_KERNEL_ENV_H

#include "events/spec.h"

/* The machine at hand, with symbols, modules and probes. */
void rt_kernel_env(struct rt_event_env *env);

/* A line of tracefs' kprobe_events as an event of ours if it defines GROUP:NAME, to be freed; or NULL. */
char *rt_kernel_env_probe(const char *line, const char *group, const char *name);

#endif
