// SPDX-License-Identifier: GPL-2.0
#include "record/lane.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "record/order.h"

enum {
	/* How often a lane looks at its rings between two moments: a sweep ends only when all lanes are there. */
	RUNS = 16,
	PAUSE = 500,	/* microseconds, if it has nothing to do */
	LEFT_ALONE = 2, /* whole sub-buffers in a ring: its own lane does not keep up */
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

/*
 * Write some events of one ring; false if none may be written, or if another lane is at it.  B orders
 * what this lane has changed in the ring before what the next one reads of it.
 */
static bool write_ring(struct rt_lane *lane, uint32_t i)
{
	bool *busy = &lane->shared->busy[lane->order[i]];
	const struct rt_record *rec;
	int written = 0;
	bool some;

	if (__atomic_exchange_n(busy, true, __ATOMIC_ACQUIRE)) /* B */
		return false;
	rec = rt_cpuring_peek(ring_of(lane, i));
	some = rec && rec->time < lane->until;
	if (some)
		lane->ret = rt_order_run(&lane->r, ring_of(lane, i), lane->until, &written);
	__atomic_store_n(busy, false, __ATOMIC_RELEASE); /* B */
	lane->written += written;
	lane->events += written;
	return some;
}

/* Write some events of its CPUs, from each ring in turn; false if none may be written. */
static bool write_own(struct rt_lane *lane)
{
	bool some = false;
	uint32_t i;

	for (i = lane->from; !lane->ret && i < lane->to; i++)
		some |= write_ring(lane, i);
	return some;
}

/* The same of another lane's CPU: that lane may not have got its own CPU. */
static bool write_others(struct rt_lane *lane)
{
	uint32_t cpus = lane->r.session.cpus, n, i;

	for (n = 0; n < cpus - (lane->to - lane->from); n++) {
		i = (lane->to + n) % cpus;
		if (rt_cpuring_backlog(ring_of(lane, i)) >= LEFT_ALONE && write_ring(lane, i))
			return true;
	}
	return false;
}

/*
 * Write the side-band up to a moment, and name it, unless another lane is at it: nobody waits for a thread that
 * does not get its CPU.
 */
static void name_moment(struct rt_lane *lane)
{
	struct rt_lane_shared *shared = lane->shared;
	uint64_t until;
	int ret;

	if (pthread_mutex_trylock(&shared->lock))
		return;
	until = now() - SETTLE_TIME;
	do {
		ret = rt_order_side(&lane->r, until);
		lane->written += ret > 0 ? ret : 0;
	} while (ret > 0);
	lane->ret = ret;
	if (!ret)
		__atomic_store_n(&shared->until, until, __ATOMIC_RELEASE); /* A */
	pthread_mutex_unlock(&shared->lock);
}

void rt_lane_pause(void)
{
	usleep(PAUSE);
}

void rt_lane_take_turn(struct rt_lane *lane)
{
	int i;

	name_moment(lane);
	lane->until = __atomic_load_n(&lane->shared->until, __ATOMIC_ACQUIRE); /* A */
	/* Another lane may have added tasks up to this moment. */
	rt_tasks_look_again(&lane->r.tasks);
	for (i = 0; !lane->ret && i < RUNS && (write_own(lane) || write_others(lane)); i++)
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
	int ret = rt_writer_lane_end(lane->r.writer);

	if (ret && !lane->ret)
		lane->ret = ret;
	r->skipped += lane->r.skipped;
	r->side_skipped += lane->r.side_skipped;
	add_losses(&r->losses, &lane->r.losses);
	if (lane->r.newest > r->newest)
		r->newest = lane->r.newest;
	if (lane->r.side_newest > r->side_newest)
		r->side_newest = lane->r.side_newest;
}
