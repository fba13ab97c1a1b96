/* SPDX-License-Identifier: GPL-2.0 */
/*
 * entry.h - function entries delivered through ftrace instead of a kprobe.
 *
 * The kprobe, if one is registered, stays disabled: it still gives us the kernel's checks and module
 * notifications.  Only the hit takes another, shorter path.  All functions of a session share one
 * struct ftrace_ops, which is registered when they are armed, so the kernel patches code and waits for
 * grace periods once for all of them.  Older kernels cannot put thousands of functions into one in
 * reasonable time (RT_FTRACE_IPS_MAX); there every thousand share one.
 *
 * Where the kernel itself uses ftrace for kprobes, it takes tens of milliseconds to switch one on, because it looks
 * at every function of the kernel each time.  So kretprobes stay disabled, too, and the callback calls the
 * kretprobe's own handler, which replaces the return address.
 */
#ifndef RT_ENTRY_H
#define RT_ENTRY_H

#include <linux/types.h>

struct kprobe;
struct module;
struct rt_entries;
struct rt_event;

/* Whether this kernel and the module parameter allow it. */
bool rt_entry_wanted(void);

/*
 * The address of ftrace's call in the function at whose beginning KP is registered, or 0: ftrace has
 * no call there, or does not give us the registers.  NAMED: KP was given by the function's name,
 * without an offset.
 */
unsigned long rt_entry_place(const struct kprobe *kp, bool named);

/*
 * The same for a function of the kernel at which nothing is registered, by its address; *IP is where a
 * kprobe there would be.  0 also if this kernel does not tell.
 */
unsigned long rt_entry_find(unsigned long function, unsigned long *ip);

/* The same for the kretprobe that is registered with KP, whose handler ftrace can call. */
unsigned long rt_entry_place_of_return(const struct kprobe *kp);

/* Whether ftrace provides everything that EVENT reads; if not, a kprobe has to serve it. */
bool rt_entry_serves(const struct rt_event *event);

/* An empty set with room for MAX functions; NULL: no memory.  RETURNS: all its events are kretprobes. */
struct rt_entries *rt_entries_new(u32 max, bool returns);

/* Add EVENT for the function with the call AT; records show the address IP.  False: no more room. */
bool rt_entries_add(struct rt_entries *entries, unsigned long at, u64 ip, struct rt_event *event);

/* Arm all functions of the set, or none. */
int rt_entries_arm(struct rt_entries *entries);

/* Disarm and free; no handler runs any more afterwards.  May be NULL. */
void rt_entries_free(struct rt_entries *entries);

/* The functions of MODULE, or of its init sections, are about to be freed. */
void rt_entries_forget(const struct module *module, bool init_only);

/* Once, at load, after rt_lookup_init(). */
void rt_entry_init(void);
void rt_entry_place_init(void);

/* Once, at unload. */
void rt_entry_exit(void);

#endif
