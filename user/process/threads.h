/* SPDX-License-Identifier: GPL-2.0 */
/*
 * threads.h - the threads of the traced machine, their names and mappings, as of the last record
 * applied.
 *
 * The rules are perf's, because people compare: a thread is identified by its tid alone; an unknown
 * one is called ":TID" until a COMM record names it; a new process inherits its parent's name and
 * mappings; the threads of a process share them; exec does not remove mappings, new ones cover the
 * old; a dead thread keeps its name until the tid is reused.
 *
 * Only one thread changes the table.  Names live until the table is freed.
 */
#ifndef RT_PROCESS_THREADS_H
#define RT_PROCESS_THREADS_H

#include <stdbool.h>
#include <stdint.h>

#include "process/maps.h"

/* What the threads of one process share. */
struct rt_space {
	int refs;
	struct rt_maps *maps;
};

struct rt_thread {
	int32_t pid, tid; /* pid -1: not known yet */
	bool named;	  /* by a COMM record, or through its parent */
	const char *comm;
	struct rt_space *space;
	struct rt_thread *next; /* in its bucket */
};

struct rt_threads;

struct rt_threads *rt_threads_new(void);
void rt_threads_free(struct rt_threads *threads);

/* Get the thread, create it if necessary; NULL only if there is no memory. */
struct rt_thread *rt_threads_get(struct rt_threads *threads, int32_t pid, int32_t tid);
/* The same, but NULL if it does not exist. */
struct rt_thread *rt_threads_find(struct rt_threads *threads, int32_t pid, int32_t tid);

int rt_threads_comm(struct rt_threads *threads, int32_t pid, int32_t tid, const char *comm);
/* `clone_maps` false: perf synthesized the record for a running process; its maps follow. */
int rt_threads_fork(struct rt_threads *threads, int32_t pid, int32_t tid, int32_t ppid,
		    int32_t ptid, bool clone_maps);

#endif
