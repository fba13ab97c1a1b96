/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RT_KERNEL_TRACEPOINT_MODULE_H
#define RT_KERNEL_TRACEPOINT_MODULE_H

#include <linux/types.h>

struct module;
struct tracepoint;

/*
 * A tracepoint of a loaded module, or NULL.  The module stays loaded until the caller puts *OWNER.
 */
struct tracepoint *rt_tracepoint_find_in_modules(const char *system, const char *name,
						 struct module **owner);

/* A tracepoint of a module, as tracefs names it. */
struct rt_module_tracepoint {
	const char *system, *name;
	u32 number; /* "ID" of its format; 0: the kernel has not made it yet */
};

/* Whether this kernel tells which tracepoints a module has. */
bool rt_module_tracepoints_known(void);
/* The trace events of a module, which the caller keeps loaded. */
unsigned int rt_module_tracepoints(const struct module *module);
/* False if that event is not a tracepoint. */
bool rt_module_tracepoint(const struct module *module, unsigned int i,
			  struct rt_module_tracepoint *out);

/* All loaded modules that have tracepoints, each with a reference; those without memory are missing. */
struct rt_module_hold {
	struct rt_module_hold *next;
	struct module *module;
};

struct rt_module_hold *rt_module_hold_all(void);
void rt_module_release_all(struct rt_module_hold *holds);

#endif
