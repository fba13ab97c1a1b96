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
#define FLUSH_TIME \
	100000000ULL /* at most so long, in nanoseconds, a record stays in a lane's buffer */

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

/* The lane has written something since its writer had made BEFORE bytes. */
static void use_room(struct rt_lane *lane, uint64_t before)
{
	__atomic_sub_fetch(&lane->shared->room, rt_writer_lane_bytes(lane->r.writer) - before,
			   __ATOMIC_RELAXED);
}

/*
 * Write some events of one ring; false if none may be written, or if another lane is at it.  B orders
 * what this lane has changed in the ring before what the next one reads of it.
 */
static bool write_ring(struct rt_lane *lane, uint32_t i)
{
	bool *busy = &lane->shared->busy[lane->order[i]];
	uint64_t before = rt_writer_lane_bytes(lane->r.writer);
	const struct rt_record *rec;
	int written = 0;
	bool some;

	if (rt_lane_full(lane->shared))
		return false;
	if (__atomic_exchange_n(busy, true, __ATOMIC_ACQUIRE)) /* B */
		return false;
	rec = rt_cpuring_peek(ring_of(lane, i));
	some = rec && rec->time < lane->until;
	if (some)
		lane->ret = rt_order_run(&lane->r, ring_of(lane, i), lane->until, &written);
	__atomic_store_n(busy, false, __ATOMIC_RELEASE); /* B */
	use_room(lane, before);
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

/* Write the side-band up to a moment, and name it. */
static void write_side(struct rt_lane *lane, uint64_t until)
{
	struct rt_lane_shared *shared = lane->shared;
	uint64_t before = rt_writer_lane_bytes(lane->r.writer);
	int ret;

	do {
		ret = rt_order_side(&lane->r, until);
		lane->written += ret > 0 ? ret : 0;
	} while (ret > 0);
	use_room(lane, before);
	lane->ret = ret;
	if (!ret)
		__atomic_store_n(&shared->until, until, __ATOMIC_RELEASE); /* A */
}

/*
 * What the lane has written goes to the file, and there it becomes readable, by time: a sweep in which one
 * thread does not get its CPU has no end.
 */
static void settle(struct rt_lane *lane, uint64_t t, bool alone)
{
	if (lane->ret || t - lane->flushed_at < FLUSH_TIME)
		return;
	lane->flushed_at = t;
	lane->ret = alone ? rt_writer_lane_settle(lane->r.writer) :
			    rt_writer_lane_flush(lane->r.writer);
}

/*
 * Write the side-band and name a moment, unless another lane is at it: nobody waits for a thread that does not
 * get its CPU.  Only the lane that writes mappings makes a checkpoint, which lists the mapped files.
 */
static void name_moment(struct rt_lane *lane)
{
	struct rt_lane_shared *shared = lane->shared;
	bool alone = !pthread_mutex_trylock(&shared->lock);
	uint64_t t = now();

	if (alone && !rt_lane_full(shared))
		write_side(lane, t - SETTLE_TIME);
	settle(lane, t, alone);
	if (alone)
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
	lane->flushed_at = now();
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
