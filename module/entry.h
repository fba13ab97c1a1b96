/* SPDX-License-Identifier: GPL-2.0 */
/*
 * entry.h - the first instruction of functions, taken through ftrace instead of a kprobe.
 *
 * A kprobe there stays registered and disabled: what the kernel refuses, it refuses, and
 * what becomes of modules is told by it.  Only the way of a hit to us is another, shorter
 * one.  All functions of a session share one struct ftrace_ops, which is registered when
 * they are armed: patching code and waiting for grace periods happens once for all of them.
 */
#ifndef RT_ENTRY_H
#define RT_ENTRY_H

#include <linux/types.h>

struct kprobe;
struct module;
struct rt_entries;
struct rt_event;

/* Whether it is done on this kernel, by this module. */
bool rt_entry_wanted(void);

/*
 * Where ftrace has its call in the function that a registered KP stands at the beginning
 * of, or 0: it has none there, or cannot give us the registers.  NAMED says that KP was
 * given by the function's name, without an offset.
 */
unsigned long rt_entry_place(const struct kprobe *kp, bool named);

/* Room for MAX functions, none yet; NULL: no memory. */
struct rt_entries *rt_entries_new(u32 max);

/* EVENT is hit where the function with the call AT begins, and told to be at IP; false: no more room. */
bool rt_entries_add(struct rt_entries *entries, unsigned long at, u64 ip, struct rt_event *event);

/* All of them are called for from now on, or none. */
int rt_entries_arm(struct rt_entries *entries);

/* Disarm and free; no handler runs any more afterwards.  May be NULL. */
void rt_entries_free(struct rt_entries *entries);

/* The functions of MODULE go, or those that only served to start it. */
void rt_entries_forget(const struct module *module, bool init_only);

/* Once, at unload. */
void rt_entry_exit(void);

#endif
