/* SPDX-License-Identifier: GPL-2.0 */
/*
 * tracepoint.h - finding tracepoints by name, and hooking those we need ourselves.
 */
#ifndef RT_TRACEPOINT_H
#define RT_TRACEPOINT_H

struct module;
struct tracepoint;

/* A tracepoint of the kernel itself, or NULL. */
struct tracepoint *rt_tracepoint_find(const char *name);

/* One of a module that is loaded, which stays until its OWNER is put back; or NULL. */
struct tracepoint *rt_tracepoint_find_in_modules(const char *system, const char *name,
						 struct module **owner);

/* A tracepoint that one of our own functions listens to. */
struct rt_hook {
	const char *name;
	void *function; /* takes NULL, then what the tracepoint passes */
	struct tracepoint *tracepoint;
};

/* All or none. */
int rt_hooks_register(struct rt_hook *hooks, int count);
void rt_hooks_unregister(struct rt_hook *hooks, int count);

#endif
