/* SPDX-License-Identifier: GPL-2.0 */
/* uprobe_hit.h - one user probe of an event, and what the kernel calls for it. */
#ifndef RT_UPROBE_HIT_H
#define RT_UPROBE_HIT_H

#include <linux/atomic.h>
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
	struct rt_compat_uprobe *armed; /* NULL: it is not */
	atomic64_t too_deep;		/* calls whose return the kernel does not follow */
};

/* Set what the kernel calls, for a probe at an instruction or at the return of a function. */
void rt_user_probe_describe(struct rt_user_probe *probe, bool returns);

#endif
