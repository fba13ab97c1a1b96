/* SPDX-License-Identifier: GPL-2.0 */
/*
 * uprobe_left.h - breakpoints that the kernel could not remove.
 *
 * Unregistering a user probe fails in silence, for one process or for all: there is no memory, or the
 * program has changed its semaphore.  The only way to find out is to read the instruction.
 */
#ifndef RT_UPROBE_LEFT_H
#define RT_UPROBE_LEFT_H

struct list_head;

/*
 * Look at the places of PROBES, struct rt_user_probe, that are marked `left`, in all processes.  Have the
 * kernel try again where a breakpoint is, and say in the log where one stays.  Nothing is marked then.
 * STEP(ARGUMENT) is called now and then.  May sleep; not in a task that can be killed.
 */
void rt_uprobe_left_remove(struct list_head *probes, void (*step)(void *argument), void *argument);

#endif
