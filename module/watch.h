/* SPDX-License-Identifier: GPL-2.0 */
/*
 * watch.h - a watchpoint, between the source (watchpoint.c), what serves debug registers
 * (a backend), and what happens at an access (watch_hit.c).
 */
#ifndef RT_WATCH_H
#define RT_WATCH_H

#include <linux/atomic.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/types.h>

#include <uapi/ringtail.h>

#include "watch_fields.h"

struct pt_regs;
struct rt_event;
struct task_struct;

/* The newest trap on one CPU, to know it again (see rt_watch_repeated). */
struct rt_watch_trap {
	const struct task_struct *task;
	u64 pc;
	u64 sp;
	u64 sum; /* of all registers */
	u64 old;
	u64 new;
	u64 interrupts; /* and context switches, so far */
	u32 turn;	/* rt_watch.turn */
};

/* One for each CPU: only its own handlers write it, and they do not nest. */
struct rt_watch_cpu {
	u64 handled; /* calls of our handler */
	u64 window;  /* the second that `hits` belongs to, in jiffies */
	u32 hits;
	u32 stuck; /* registers that were given up here */
	struct rt_watch_trap trap;
};

struct rt_watch {
	/* Read at every hit, fixed when the event was added. */
	struct rt_event *event;
	struct rt_watch_cpu __percpu *cpu;
	u64 address;
	u32 length;
	u32 access; /* RT_ACCESS_* */
	u32 rate;
	bool user;
	u8 shift; /* of the bytes within the aligned word that holds them */
	u64 mask; /* of as many bytes */
	struct rt_watch_fields fields;

	/* Written by the handlers of all CPUs. */
	atomic_t active; /* x86: handlers under way */
	atomic_t turn;	 /* hits so far, to notice others' */
	u32 last_cpu;
	bool last_known;
	u64 last;	     /* x86: value after the last access; arm64: what it was to become */
	const void *last_mm; /* whose memory that was; NULL: the kernel's */

	/* Under the lock of its kind of watches. */
	struct list_head link; /* among them */
	u32 owner;	       /* the process that added it */
	void **handles;	       /* kernel addresses: by CPU; user addresses: of tasks */
	u32 count;
	u32 room;
	bool armed;
	u64 counted;   /* by the kernel, on handles that are gone */
	u64 unwatched; /* tasks and CPUs that no register could be had for */
};

/*
 * What serves debug registers.  Handles are disabled when they are made; the handler may
 * run until detach() returns.  All may sleep.
 */
struct rt_watch_backend {
	const char *name;
	/* Whether it works here, found out once. */
	int (*init)(void);
	/* On one CPU, or for one task on any; a handle or an ERR_PTR: -ENOSPC, no register free. */
	void *(*attach)(struct rt_watch *watch, int cpu, struct task_struct *task);
	void (*enable)(void *handle);
	void (*disable)(void *handle);
	/* Whether its task has ended, and whether it is that task's. */
	bool (*gone)(void *handle);
	bool (*serves)(void *handle, const struct task_struct *task);
	/* Accesses that the kernel has seen on this handle. */
	u64 (*counted)(void *handle);
	/* Each of COUNT handles that is not NULL; afterwards no handler runs for them. */
	void (*detach)(void **handles, u32 count);
};

/* The kernel's hw_breakpoint. */
extern const struct rt_watch_backend rt_watch_hwbp;

/* The one in use. */
extern const struct rt_watch_backend *rt_watch_backend;

/* Of kernel addresses.  Taken inside a session's lock and inside the kernel's hotplug lock. */
extern struct mutex rt_watches_lock;
extern struct list_head rt_watches;

/*
 * Of user addresses.  Never taken inside the hotplug lock, which the kernel takes when a
 * task's counter is made and when a tracepoint is hooked.
 */
extern struct mutex rt_user_watches_lock;
extern struct list_head rt_user_watches;

/* User addresses, in watch_task.c; with the lock held. */
int rt_watch_tasks_arm(struct rt_watch *watch);
/* Once the last handle is gone no hook is needed any more. */
void rt_watch_tasks_disarm(struct rt_watch *watch);
/* At unload: until no newborn task has a call to us before it. */
void rt_watch_tasks_exit(void);

/*
 * What a backend calls at an access.  Any context; TRIGGER is the address if known, or 0.
 * False: the access cannot be completed while it is watched; the register has to go.
 */
bool rt_watch_hit(struct rt_watch *watch, struct pt_regs *regs, u64 trigger);

#endif
