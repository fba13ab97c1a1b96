/* SPDX-License-Identifier: GPL-2.0 */
/*
 * lanes.h - several threads that move events from the rings to the file, each those of a group of CPUs.
 *
 * One thread keeps up as long as the rings fill slowly, and it writes in the order of time.  When the
 * rings hold much, it lets the others help for a while: one of them at a time writes all side-band
 * records up to a moment and names that moment, and each writes the events of its CPUs that are older;
 * again and again.  So every event finds its task, although nobody merges, and no thread waits for
 * another.  A thread whose own rings are empty writes events of rings that their thread leaves alone,
 * because it does not get its CPU or because they fill too fast for it.  Readers sort by time within
 * rounds; a round ends only when everything older than the round before it is written
 * (rt_recording.complete).
 */
#ifndef RT_RECORD_LANES_H
#define RT_RECORD_LANES_H

#include "record/recording.h"

enum { RT_LANES_MAX = 64 };

/* --threads: a number, or "cpu" for one per CPU. */
int rt_lanes_take(unsigned int *threads, const char *text, struct rt_err *err);

/* THREADS 0: as many as this machine's CPUs ask for.  NULL: one thread does everything. */
struct rt_lanes *rt_lanes_new(const struct rt_recording *r, unsigned int threads);
void rt_lanes_free(struct rt_lanes *lanes);

/* The file is complete: the next sweep writes to another one. */
void rt_lanes_end_file(struct rt_lanes *lanes);
/* Call often: raise the priority of all threads while a ring is about to be full. */
void rt_lanes_hurry(struct rt_recording *r);
/* How many threads have written events in sweeps by all threads. */
unsigned int rt_lanes_writers(const struct rt_lanes *lanes);
/* Whether the rings hold so much that the threads are worth being woken. */
bool rt_lanes_wanted(const struct rt_lanes *lanes, const struct rt_recording *r);
/*
 * One sweep by all threads: until the rings hold little again, for a tenth of a second at most.  Return
 * the number of records written or a negative errno.
 */
int rt_lanes_sweep(struct rt_lanes *lanes, struct rt_recording *r);

#endif
