/* SPDX-License-Identifier: GPL-2.0 */
/*
 * uprobe_worker.h - the worker that registers and unregisters the user probes of a session.
 *
 * The kernel patches a process by looking up its page, and gives up if the caller is being killed: it
 * then leaves its breakpoint in the process, for ever.  The same happens where it takes back a
 * registration that fails.  So no task that can be killed does either; it asks this worker and waits.
 *
 * Each session has its own work item on an unbound queue: the kernel waits for the mmap lock of each
 * process that maps the file, and a process that does not let go of its lock must not hold up the others.
 * (Where another session has user probes, too, it does: the kernel lets one caller patch at a time.)
 *
 * A caller that is killed leaves; what it asked for is done all the same.  The worker uses only the
 * probes, which stay until it has nothing left to do: TARGET and ENABLE wait for it, and so does the
 * session's end.
 */
#ifndef RT_UPROBE_WORKER_H
#define RT_UPROBE_WORKER_H

#include <linux/types.h>

struct list_head;
struct rt_event_set;

int rt_uprobe_worker_init(void);
/* Wait for all that is still to be disarmed.  Nobody may use sessions any more. */
void rt_uprobe_worker_exit(void);

/* The session is going to have user probes. */
int rt_uprobe_worker_need(struct rt_event_set *set);

/*
 * Register the probes of EVENTS, all of one session; the worker is settled.  0: the worker has tried, and
 * the err of each probe tells; after the first one it has not gone on, unless the session is lenient.
 * -EINTR: the caller has a signal to handle, and the worker disarms them again.
 */
int rt_uprobe_worker_arm(struct rt_event_set *set, struct list_head *events);

/* Unregister them, and wait for it unless the session ends or the caller is killed. */
void rt_uprobe_worker_disarm(struct rt_event_set *set, struct list_head *events);

/* Wait until the worker has nothing to do.  -EINTR: the caller is killed. */
int rt_uprobe_worker_settle(struct rt_event_set *set);

/*
 * The session ends, and all its events have been disarmed.  False: no probe is registered any more.
 * True: a process holds up the worker, which calls END later, when none is.
 */
bool rt_uprobe_worker_end(struct rt_event_set *set, void (*end)(void *argument), void *argument);

#endif
