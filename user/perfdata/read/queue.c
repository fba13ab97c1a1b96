// SPDX-License-Identifier: GPL-2.0
#include "perfdata/read/queue.h"

#include <errno.h>
#include <stdlib.h>

#include "perfdata/read/block.h"

static bool before(const struct rt_run *a, const struct rt_run *b)
{
	return a->time < b->time || (a->time == b->time && a->number < b->number);
}

static void sift_up(struct rt_queue *q, size_t i)
{
	struct rt_run run = q->heap[i];
	size_t up;

	for (; i; i = up) {
		up = (i - 1) / 2;
		if (!before(&run, &q->heap[up]))
			break;
		q->heap[i] = q->heap[up];
	}
	q->heap[i] = run;
}

static void sift_down(struct rt_queue *q, size_t i)
{
	struct rt_run run = q->heap[i];
	size_t down;

	for (;; i = down) {
		down = 2 * i + 1;
		if (down >= q->count)
			break;
		if (down + 1 < q->count && before(&q->heap[down + 1], &q->heap[down]))
			down++;
		if (!before(&q->heap[down], &run))
			break;
		q->heap[i] = q->heap[down];
	}
	q->heap[i] = run;
}

/* Always keep room for the open run, so that closing it cannot fail. */
static int make_room(struct rt_queue *q)
{
	struct rt_run *heap;
	size_t room;

	if (q->count + 1 < q->room)
		return 0;
	room = q->room ? 2 * q->room : 64;
	heap = realloc(q->heap, room * sizeof(*heap));
	if (!heap)
		return -ENOMEM;
	q->heap = heap;
	q->room = room;
	return 0;
}

static void close_open(struct rt_queue *q)
{
	if (!q->open.pos)
		return;
	q->heap[q->count] = q->open;
	sift_up(q, q->count++);
	q->open.pos = NULL;
}

static void pin(struct rt_queue *q, struct rt_block *block)
{
	if (block && !block->runs++) {
		rt_block_get(block);
		q->pinned += block->size;
	}
}

static void unpin(struct rt_queue *q, struct rt_block *block)
{
	if (block && !--block->runs) {
		q->pinned -= block->size;
		rt_block_put(block);
	}
}

int rt_queue_add(struct rt_queue *q, uint64_t time, const struct rt_run *at, size_t size)
{
	bool grows = q->open.pos && q->open.end == at->pos && q->open.block == at->block &&
		     q->open.source == at->source && q->open_last <= time &&
		     (!at->packed || q->open.offset == at->offset);

	if (!grows) {
		close_open(q);
		if (make_room(q))
			return -ENOMEM;
		q->open = *at;
		q->open.time = time;
		q->open.number = q->next_number++;
		pin(q, at->block);
	}
	q->open.end = at->pos + size;
	q->open_last = time;

	if (!q->records++ || time >= q->newest)
		q->newest = q->max_time = time;
	q->last = time;
	return 0;
}

bool rt_queue_flush(struct rt_queue *q, enum rt_flush how)
{
	uint64_t first;

	if (!q->records)
		return false;
	close_open(q);
	switch (how) {
	case RT_FLUSH_ROUND:
		break;
	case RT_FLUSH_HALF:
		first = q->heap[0].time;
		q->next_flush = first + (q->last > first ? (q->last - first) / 2 : 0);
		break;
	case RT_FLUSH_FINAL:
		q->next_flush = UINT64_MAX;
		break;
	}
	q->limit = q->next_flush;
	return true;
}

struct rt_run *rt_queue_first(struct rt_queue *q)
{
	if (!q->count || !q->limit || q->heap[0].time > q->limit)
		return NULL;
	return &q->heap[0];
}

void rt_queue_took(struct rt_queue *q, size_t size, uint64_t time)
{
	struct rt_run *run = &q->heap[0];

	q->records--;
	q->last_flush = run->time;
	run->pos += size;
	if (!run->packed)
		run->offset += size;
	if (run->pos < run->end) {
		/*
		 * A run's time never decreases, even if a second read of the file gives other
		 * bytes.
		 */
		if (time > run->time)
			run->time = time;
	} else {
		unpin(q, run->block);
		q->heap[0] = q->heap[--q->count];
	}
	/* Mostly the same run stays the first. */
	if ((q->count > 1 && before(&q->heap[1], run)) ||
	    (q->count > 2 && before(&q->heap[2], run)))
		sift_down(q, 0);
}

void rt_queue_flushed(struct rt_queue *q, enum rt_flush how)
{
	if (how == RT_FLUSH_ROUND)
		q->next_flush = q->max_time;
}

void rt_queue_free(struct rt_queue *q)
{
	close_open(q);
	while (q->count)
		unpin(q, q->heap[--q->count].block);
	free(q->heap);
	*q = (struct rt_queue){ 0 };
}
