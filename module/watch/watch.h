/* SPDX-License-Identifier: GPL-2.0 */
/*
 * watch.h - a watchpoint: shared by the source (watchpoint.c), the backend that manages debug registers,
 * and the handler of an access (watch_hit.c).
 */
#ifndef RT_WATCH_H
#define RT_WATCH_H

#include <linux/atomic.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/types.h>

#include <uapi/ringtail.h>

#include "watch_fields.h"
#include "watch_pause.h"

struct pt_regs;
struct rt_event;
struct task_struct;

/*
 * arm64: the last access on one CPU that the kernel was to step over, to recognise it if it traps again.
 */
struct rt_watch_trap {
	const struct task_struct *task;
	u64 pc;
	u64 sp;
	u64 sum;	/* of all registers */
	u64 interrupts; /* and context switches, so far */
	bool waits;	/* it is recorded, and will trap once more to be stepped over */
};

/*
 * Tasks, soft and hard interrupts: an access of an interrupt may come between the two traps of the
 * access that it interrupted.
 */
#define RT_WATCH_LEVELS 3
/*
 * In each: the access that trapped last, one that trapped further down the same stack, and one that
 * trapped with interrupts off.
 */
#define RT_WATCH_NESTED 3

/* Per CPU: only handlers of this CPU write it, and they do not nest. */
struct rt_watch_cpu {
	u64 handled; /* calls of our handler */
	u64 window;  /* the second that `hits` belongs to, in jiffies */
	u32 hits[2]; /* reads, and all others */
	u32 turn;    /* rt_watch.turn of the last hit on this CPU */
	/* arm64: */
	u32 fails;   /* consecutive failures of a store-exclusive */
	u64 fail_pc; /* its address */
	u32 unsure;  /* equal loads for which a store may have followed */
	u64 unsure_key;
	const struct task_struct *fail_task;
	bool steps;	 /* its last access was still to be made when the handler returned */
	bool alone;	 /* no other CPU was about to access the bytes at the last hit */
	u64 seen;	 /* if so: their value after that hit */
	u64 seen_memory; /* the process whose memory that was; 0: the kernel */
	u64 repeated;	 /* repeated traps of the same access */
	u64 unseen;	 /* changes without a trap */
	struct rt_watch_trap trap[RT_WATCH_LEVELS][RT_WATCH_NESTED];
	struct rt_watch_pause pause;
};

struct rt_watch {
	/* Read at every hit; fixed when the event was added. */
	struct rt_event *event;
	struct rt_watch_cpu __percpu *cpu;
	u64 address;
	u32 length;
	u32 access; /* RT_ACCESS_* */
	u32 rate;
	bool user;
	u8 shift;     /* bit position of the bytes within their aligned word */
	u64 mask;     /* as wide as the bytes */
	bool cached;  /* arm64: kernel memory that atomic operations work on */
	bool swaps;   /* the same, and the bytes are aligned to their number */
	bool crowded; /* another watch is near: one access may touch both */
	struct rt_watch_fields fields;
	struct rt_watch *copies; /* of a per-CPU variable: what each CPU watches; else NULL */
	struct rt_watch *whole;	 /* of a copy: the watch that it belongs to */

	/* Written by the handlers of all CPUs. */
	atomic_t active;   /* running handlers */
	atomic_t turn;	   /* hits so far, to notice hits of other CPUs */
	atomic_t stepping; /* arm64: CPUs with rt_watch_cpu.steps */
	u32 last_cpu;	   /* x86 */
	bool last_known;
	u64 last; /* x86: value after the last access; arm64: value that the last access was to write */
	u64 last_memory; /* the process whose memory that was; 0: the kernel */

	/* Under the lock of its kind of watches. */
	struct list_head link; /* among them */
	u32 owner;	       /* the process that added it */
	void **handles;	       /* kernel addresses: by CPU; user addresses: of tasks */
	u32 count;
	u32 room;
	bool armed;
	struct list_head following; /* among the armed ones of user addresses */
	bool surveying;		    /* the initial survey of tasks is under way */
	u32 surveyed;		    /* handles at the front that were made until its end */
	u32 fresh;		    /* tasks that got a handle since the last sweep */
	u32 born;      /* those that got it during the survey, because they were created */
	u64 counted;   /* accesses that the kernel counted on handles that are gone */
	u64 unwatched; /* tasks and CPUs for which no debug register was free */
};

/*
 * A backend manages debug registers.  A new handle is disabled.  The handler may run until detach()
 * returns.  All operations may sleep.
 */
struct rt_watch_backend {
	const char *name;
	/* Once. */
	void (*init)(void);
	/* Test a watchpoint on this CPU; -ENOSPC: no register is free for the test. */
	int (*try_out)(int cpu);
	/* A handle on one CPU, or for one task on any CPU; or an ERR_PTR: -ENOSPC, no register is free. */
	void *(*attach)(struct rt_watch *watch, int cpu, struct task_struct *task);
	void (*enable)(void *handle);
	void (*disable)(void *handle);
	/* Whether the task of the handle has ended; whether the handle is that of TASK. */
	bool (*gone)(void *handle);
	bool (*serves)(void *handle, const struct task_struct *task);
	/* In an interrupt: enable again a register of this CPU that was given up (RT_WATCH_GIVE_UP). */
	void (*resume)(void *handle);
	/* Accesses that the kernel has seen on this handle. */
	u64 (*counted)(void *handle);
	/* Free COUNT handles, some of which may be NULL; afterwards no handler runs for them. */
	void (*detach)(void **handles, u32 count);
	/* The same for handles that are gone(), without grace periods: no handler can run for them. */
	void (*reap)(void **handles, u32 count);
};

/* The kernel's hw_breakpoint. */
extern const struct rt_watch_backend rt_watch_hwbp;

/* The one in use. */
extern const struct rt_watch_backend *rt_watch_backend;

/* Watches of kernel addresses.  Taken inside a session's lock and inside the kernel's hotplug lock. */
extern struct mutex rt_watches_lock;
extern struct list_head rt_watches;

/*
 * Watches of user addresses.  Never taken inside the hotplug lock, which the kernel takes when it
 * creates a task's counter and when it registers a tracepoint.
 */
extern struct mutex rt_user_watches_lock;
extern struct list_head rt_user_watches;

/*
 * User addresses, in watch_task.c.  Without the lock: a handle for each task, enabled.  On failure
 * rt_watch_tasks_disarm() frees those that there are.
 */
int rt_watch_tasks_arm(struct rt_watch *watch);
/* Without the lock: disable and free all handles, if the watch is armed. */
void rt_watch_tasks_disarm(struct rt_watch *watch);
/* At unload: wait until no new task has a pending call into the module. */
void rt_watch_tasks_exit(void);

/* What the backend must do after an access. */
enum rt_watch_next {
	RT_WATCH_GO_ON,
	RT_WATCH_STEP, /* let the kernel step over the access, which may trap once more for that */
	RT_WATCH_GIVE_UP, /* the access cannot complete while it is watched: free the register for a while */
};

/*
 * The backend calls this at an access.  Any context; TRIGGER is the address if known, or 0.  LEAVE: the
 * kernel will step over the access, so the handler must not perform it.
 */
enum rt_watch_next rt_watch_hit(struct rt_watch *watch, struct pt_regs *regs, u64 trigger,
				bool leave);

/* The same without a record, for a watch without an event. */
enum rt_watch_next rt_watch_try(struct rt_watch *watch, struct pt_regs *regs, bool leave);

/* arm64: the same for an access that does not trap, by the instruction INSN that is executed next. */
void rt_watch_hit_probed(struct rt_watch *watch, struct pt_regs *regs, u32 insn);

/* The watched bytes as a number; false if they cannot be read now. */
bool rt_watch_read(const struct rt_watch *watch, u64 *value);

/* x86: the longest time from an access to its handler that try_out() has seen, in nanoseconds. */
extern u32 rt_watch_delivery;

/* arm64: what the trap of a watchpoint adds to preempt_count(); found by try_out(). */
extern u32 rt_watch_trap_depth;

#endif
