/* SPDX-License-Identifier: GPL-2.0 */
/*
 * tasks.h - which process a thread belongs to.  Records carry the thread's id alone; the
 * side-band and /proc know the rest.
 */
#ifndef RT_RECORD_TASKS_H
#define RT_RECORD_TASKS_H

#include <stddef.h>
#include <stdint.h>

struct rt_tasks {
	struct rt_tasks_slot {
		uint32_t tid; /* 0: free; the idle task needs no place */
		uint32_t pid;
	} * slots;
	size_t room; /* a power of two */
	size_t used;
};

int rt_tasks_set(struct rt_tasks *t, uint32_t tid, uint32_t pid);
/* The process of TID; TID itself if nobody ever told. */
uint32_t rt_tasks_pid(struct rt_tasks *t, uint32_t tid);
/* Every thread there is now. */
int rt_tasks_census(struct rt_tasks *t);
void rt_tasks_free(struct rt_tasks *t);

#endif
