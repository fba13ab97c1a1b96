/* SPDX-License-Identifier: GPL-2.0 */
/*
 * waiting.h - records of a raw recording that wait for the events in front of them: the oldest first, and
 * those of one time in the order of the file.
 */
#ifndef RT_RAW_WAITING_H
#define RT_RAW_WAITING_H

#include <stddef.h>
#include <stdint.h>

#include "perfdata/layout.h"

struct rt_raw_wait {
	uint64_t time;
	uint64_t before;			 /* the latest time in the file in front of it */
	const struct rt_perf_record_header *hdr; /* in the mapped file: later records are behind it */
};

struct rt_raw_waiting {
	struct rt_raw_wait *heap;
	size_t count, room;
};

/* 0 or -ENOMEM. */
int rt_raw_waiting_add(struct rt_raw_waiting *w, const struct rt_raw_wait *one);
/* The first one, or NULL. */
static inline const struct rt_raw_wait *rt_raw_waiting_first(const struct rt_raw_waiting *w)
{
	return w->count ? &w->heap[0] : NULL;
}
void rt_raw_waiting_take(struct rt_raw_waiting *w);
/* Times in the heap were changed. */
void rt_raw_waiting_sort(struct rt_raw_waiting *w);
void rt_raw_waiting_free(struct rt_raw_waiting *w);

#endif
