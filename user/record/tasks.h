/* SPDX-License-Identifier: GPL-2.0 */
/*
 * tasks.h - which process a thread belongs to.  Event records carry only the thread id; the
 * side-band and /proc provide the process.
 */
#ifndef RT_RECORD_TASKS_H
#define RT_RECORD_TASKS_H

#include <stddef.h>
#include <stdint.h>

struct rt_tasks {
	struct rt_tasks_slot {
		uint32_t tid; /* 0: free slot; the idle task is never stored */
		uint32_t pid;
	} * slots;
	size_t room; /* a power of two */
	size_t used;
	struct rt_tasks_slot last; /* what was asked last: events of a task often follow each other */
};

int rt_tasks_set(struct rt_tasks *t, uint32_t tid, uint32_t pid);
/* The process of TID; TID itself if its process is unknown. */
uint32_t rt_tasks_find(struct rt_tasks *t, uint32_t tid);
static inline uint32_t rt_tasks_pid(struct rt_tasks *t, uint32_t tid)
{
	return t->last.tid == tid ? t->last.pid : rt_tasks_find(t, tid);
}

/* Add every thread that exists now. */
int rt_tasks_census(struct rt_tasks *t);
void rt_tasks_free(struct rt_tasks *t);

#endif
