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

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "events/spec.h"

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

/* An event of a recording, its number in the file, and its counts at the end. */
struct rt_watch_hits_event {
	const struct rt_event_spec *spec;
	int file;
	const struct rt_counts *counts;
};

/*
 * Settle the flags in a complete file of x86 that is neither compressed nor raw.  The flag stays if some
 * hits of the event were filtered out or lost: then no reader can know all.
 */
int rt_watch_hits_settle(const char *path, int device, const struct rt_watch_hits_event *events,
			 size_t count, struct rt_err *err);

#endif
