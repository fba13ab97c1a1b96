// SPDX-License-Identifier: GPL-2.0
/*
 * stretch.c - queue the samples behind one that was just queued.
 *
 * Nearly all of a big file consists of adjacent samples in the order of their times.  This code
 * adds them to the run that the first of them began.  It leaves everything else (another type,
 * another order, damage, a pipe, compressed or swapped data) to the caller, which examines each
 * record fully.
 */
#include "perfdata/read/internal.h"

#define FETCH_AHEAD 1024 /* bytes; prefetching an address behind the end is harmless */

/* Do for all of these records what the caller does for each; they differ only in their time. */
static void joined(struct rt_reader *r, struct rt_data_file *src, const uint8_t *end,
		   uint64_t count, uint64_t last)
{
	struct rt_queue *q = &r->queue;
	size_t size = (size_t)(end - src->span.pos);

	q->open.end = end;
	q->open_last = q->last = last;
	q->records += count;
	if (last >= q->newest)
		q->newest = q->max_time = last;
	src->span.pos = end;
	src->span.offset += size;
	src->turn += size;
	r->stats.bytes_read += size;
}

void rt_stretch(struct rt_reader *r, struct rt_data_file *src)
{
	const struct rt_perf_events *ev = &r->events;
	const struct rt_queue *q = &r->queue;
	const uint8_t *pos = src->span.pos, *end = src->span.end;
	uint64_t last = q->open_last, count = 0, time;
	struct rt_perf_record_header h;
	size_t at, least;

	if (src->pipe || src->unpack || r->swapped || !ev->same_time || ev->list[0]->time_pos < 0 ||
	    q->open.end != pos || q->open.source != src || last < q->last_flush ||
	    src->turn >= RT_TURN_MAX)
		return;
	at = sizeof(h) + 8 * (size_t)ev->list[0]->time_pos;
	least = at + 8;
	if ((size_t)(end - pos) > RT_TURN_MAX - src->turn)
		end = pos + (RT_TURN_MAX - src->turn);
	while ((size_t)(end - pos) >= least) {
		h = load_header(pos, false);
		if (h.type != RT_PERF_RECORD_SAMPLE || h.size < least ||
		    h.size > (size_t)(end - pos))
			break;
		__builtin_prefetch(pos + FETCH_AHEAD);
		time = load64(pos + at, false);
		if (time < last || time == UINT64_MAX || !time)
			break;
		last = time;
		pos += h.size;
		count++;
	}
	if (count)
		joined(r, src, pos, count, last);
}
