/* SPDX-License-Identifier: GPL-2.0 */
/* uprobe_hit.h - one user probe of an event, and what the kernel calls for it. */
#ifndef RT_UPROBE_HIT_H
#define RT_UPROBE_HIT_H

#include <linux/atomic.h>
#include <linux/list.h>
#include <linux/types.h>

#include "compat/uprobe.h"

struct file;
struct inode;
struct rt_event;

struct rt_user_probe {
	struct uprobe_consumer consumer;
	struct rt_event *event;
	struct file *file; /* keeps the file system mounted */
	struct inode *inode;
	loff_t offset;
	loff_t semaphore;
	atomic64_t too_deep; /* calls whose return the kernel does not follow */

	/* Of uprobe_worker.c. */
	struct list_head link; /* among the worker's probes; empty: it has not been armed yet */
	bool wanted;	       /* what the session wants: armed or not */
	int err;	       /* why the kernel has refused it */
	struct rt_compat_uprobe *armed; /* NULL: it is not */
	struct hlist_node armed_link;	/* among those of all sessions */
	bool left;			/* its breakpoint may be left in a process: uprobe_left.c */
	pid_t left_pid;			/* the first of those that have it */
	unsigned int left_in;		/* and how many there are */
};

/* Set what the kernel calls, for a probe at an instruction or at the return of a function. */
void rt_user_probe_describe(struct rt_user_probe *probe, bool returns);

#endif
