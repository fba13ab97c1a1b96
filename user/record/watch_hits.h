/* SPDX-License-Identifier: GPL-2.0 */
/*
 * watch_hits.h - hits of a watch on different CPUs at about the same time.
 *
 * x86 traps after the access, and the module then finds the value of some instructions only in memory
 * (RT_WATCH_UNCHECKED).  If another CPU wrote between the access and its handler, that is the other
 * one's value.  The other one's handler may begin only when the record is written.  So only a reader
 * who has both records can tell: it settles the flag when the recording is complete.
 */
#ifndef RT_RECORD_WATCH_HITS_H
#define RT_RECORD_WATCH_HITS_H

#include "record/recording.h"

struct rt_watch_hit {
	uint64_t time, offset; /* of the flags, in the file */
	uint32_t event, cpu, tid;
	uint32_t flags; /* RT_WATCH_* */
};

/*
 * Replace RT_WATCH_UNCHECKED in all hits: by RT_WATCH_UNCERTAIN if another thread hit the same event on
 * another CPU within APART nanoseconds, before or after.  Sorts the hits by event and time.
 */
void rt_watch_hits_judge(struct rt_watch_hit *hits, size_t count, uint64_t apart);

/* How far apart hits must be, if a trap was delivered within DELIVERY nanoseconds in tests. */
uint64_t rt_watch_hits_apart(uint32_t delivery);

/*
 * Settle the flags in the complete file of the recording.  The flag stays where no reader can know all
 * hits: if some were filtered out or lost, and in pipes, compressed and raw files.
 */
int rt_watch_hits_settle(const struct rt_recording *r, struct rt_err *err);

#endif
