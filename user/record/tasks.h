/* SPDX-License-Identifier: GPL-2.0 */
/*
 * tasks.h - which process a thread belongs to.  Event records carry only the thread id; the
 * side-band and /proc provide the process.
 *
 * One thread at a time may add tasks while others look them up, each with its own copy of struct
 * rt_tasks.  A thread id may have belonged to several processes, one after another: every event finds
 * the one of its time.
 */
#ifndef RT_RECORD_TASKS_H
#define RT_RECORD_TASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rt_tasks {
	struct rt_tasks_shared *shared; /* of all copies */
	/* What was asked last: events of a task often follow each other. */
	uint32_t last_tid, last_pid;
	uint64_t last_since;
};

/* From TIME on, TID belongs to the process PID.  0 or -ENOMEM. */
int rt_tasks_set(struct rt_tasks *t, uint32_t tid, uint32_t pid, uint64_t time);
/* The process of TID at TIME; TID itself if its process is unknown. */
uint32_t rt_tasks_find(struct rt_tasks *t, uint32_t tid, uint64_t time);
static inline uint32_t rt_tasks_pid(struct rt_tasks *t, uint32_t tid, uint64_t time)
{
	return t->last_tid == tid && time >= t->last_since ? t->last_pid :
							     rt_tasks_find(t, tid, time);
}
/* Whether the process of TID is known, at any time. */
bool rt_tasks_known(const struct rt_tasks *t, uint32_t tid);
/* A copy whose owner learns that tasks were added calls this. */
static inline void rt_tasks_look_again(struct rt_tasks *t)
{
	t->last_tid = 0;
}

/* Add every thread that exists now. */
int rt_tasks_census(struct rt_tasks *t);
size_t rt_tasks_count(const struct rt_tasks *t);
/* Whether so many threads had other processes before that it is time to forget some. */
bool rt_tasks_crowded(const struct rt_tasks *t);
/* Nobody else looks up, and all events before TIME are written: free what only they needed. */
void rt_tasks_forget_before(struct rt_tasks *t, uint64_t time);
void rt_tasks_free(struct rt_tasks *t);

#endif
