// SPDX-License-Identifier: GPL-2.0
#include "record/lane.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "record/order.h"

enum {
	RUNS = 64,  /* how often a lane looks at its rings between two moments */
	PAUSE = 500 /* microseconds, if it has nothing to do */
};

#define SETTLE_TIME 1000000ULL /* a side-band record older than this is in its ring */

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

static struct rt_cpuring *ring_of(struct rt_lane *lane, uint32_t i)
{
	return &lane->r.session.events[lane->order[i]];
}

/* The time of the oldest event that is left, or its moment if none older than that is left. */
static uint64_t oldest_left(struct rt_lane *lane)
{
	uint64_t until = lane->until;
	const struct rt_record *rec;
	uint32_t i;

	for (i = lane->from; i < lane->to; i++) {
		rec = rt_cpuring_peek(ring_of(lane, i));
		if (rec && rec->time < until)
			until = rec->time;
	}
	return until;
}

/* Write some events of its CPUs, from each ring in turn; false if none may be written. */
static bool write_some(struct rt_lane *lane)
{
	const struct rt_record *rec;
	int written = 0;
	bool some = false;
	uint32_t i;

	for (i = lane->from; !lane->ret && i < lane->to; i++) {
		rec = rt_cpuring_peek(ring_of(lane, i));
		if (!rec || rec->time >= lane->until)
			continue;
		lane->ret = rt_order_run(&lane->r, ring_of(lane, i), lane->until, &written);
		some = true;
	}
	lane->written += written;
	lane->events += written;
	return some;
}

/*
 * Write the side-band and name a moment, unless another lane is at it: nobody waits for a thread that
 * does not get its CPU.
 */
static void name_moment(struct rt_lane *lane)
{
	struct rt_lane_moment *moment = lane->moment;
	uint64_t until;
	int ret;

	if (pthread_mutex_trylock(&moment->lock))
		return;
	until = now() - SETTLE_TIME;
	do {
		ret = rt_order_side(&lane->r);
		lane->written += ret > 0 ? ret : 0;
	} while (ret > 0);
	lane->ret = ret;
	if (!ret)
		__atomic_store_n(&moment->until, until, __ATOMIC_RELEASE); /* A */
	pthread_mutex_unlock(&moment->lock);
}

void rt_lane_pause(void)
{
	usleep(PAUSE);
}

void rt_lane_take_turn(struct rt_lane *lane)
{
	int i;

	name_moment(lane);
	lane->until = __atomic_load_n(&lane->moment->until, __ATOMIC_ACQUIRE); /* A */
	/* Another lane may have added tasks up to this moment. */
	rt_tasks_look_again(&lane->r.tasks);
	for (i = 0; !lane->ret && i < RUNS && write_some(lane); i++)
		;
	if (!i)
		rt_lane_pause();
}

void rt_lane_begin(struct rt_lane *lane)
{
	lane->written = 0;
	lane->until = 0;
	lane->ret = rt_writer_lane_begin(lane->r.writer);
}

void rt_lane_end(struct rt_lane *lane)
{
	if (!lane->ret)
		lane->ret = rt_writer_lane_flush(lane->r.writer);
	lane->complete = oldest_left(lane);
}

void rt_lane_prepare(struct rt_lane *lane, const struct rt_recording *r)
{
	struct rt_writer *writer = lane->r.writer;

	lane->r = *r;
	lane->r.writer = writer;
	lane->r.skipped = lane->r.side_skipped = 0;
	memset(&lane->r.losses, 0, sizeof(lane->r.losses));
}

static void add_losses(struct rt_losses *sum, const struct rt_losses *l)
{
	int i;

	for (i = 0; i < RT_LOST_CAUSES; i++) {
		if (!l->places[i])
			continue;
		if (!sum->places[i] || l->first[i] < sum->first[i])
			sum->first[i] = l->first[i];
		if (l->last[i] > sum->last[i])
			sum->last[i] = l->last[i];
		sum->told[i] += l->told[i];
		sum->places[i] += l->places[i];
	}
}

void rt_lane_collect(struct rt_lane *lane, struct rt_recording *r)
{
	rt_writer_lane_end(lane->r.writer);
	r->skipped += lane->r.skipped;
	r->side_skipped += lane->r.side_skipped;
	add_losses(&r->losses, &lane->r.losses);
	if (lane->r.newest > r->newest)
		r->newest = lane->r.newest;
	if (lane->r.side_newest > r->side_newest)
		r->side_newest = lane->r.side_newest;
	if (lane->complete < r->complete)
		r->complete = lane->complete;
}
