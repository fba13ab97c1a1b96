// SPDX-License-Identifier: GPL-2.0
#include "record/lanes.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "record/order.h"
#include "record/placement.h"

/* So many sub-buffers in all rings together call for the other threads. */
enum { BACKLOG = 6, CPUS_PER_LANE = 4, LANES_DEFAULT = 8 };

enum {
	LANES_RUNS = 64,  /* how often the first lane looks at its rings between two moments */
	LANES_PAUSE = 500 /* microseconds, if it has nothing to do */
};

#define MSEC	    1000000ULL
#define LANES_TIME  (100 * MSEC) /* per sweep */
#define SETTLE_TIME MSEC	 /* a side-band record older than this is in its ring */

struct lane {
	struct rt_lanes *all;
	pthread_t thread;
	bool runs;
	pid_t tid;
	uint32_t from, to; /* its CPUs: a part of rt_placement.order */
	/*
	 * A copy with a writer, a last task and counts of its own.  All else is shared and does not
	 * change during a sweep.
	 */
	struct rt_recording r;
	int written;
	int ret;
	uint64_t complete; /* everything older is written */
};

struct rt_lanes {
	pthread_mutex_t lock;
	pthread_cond_t begin, end;
	uint64_t sweep;	   /* number of the sweep; counts up when one begins */
	unsigned int busy; /* threads that have not ended it */
	uint64_t until;	   /* events older than this may be written */
	bool ending;	   /* the sweep ends */
	bool stop;
	bool lame;    /* a thread could not be started: one thread does everything again */
	int priority; /* that the threads were given; 0 before */
	struct rt_placement placement;
	unsigned int count;
	struct lane lane[];
};

int rt_lanes_take(unsigned int *threads, const char *text, struct rt_err *err)
{
	unsigned long n;
	char *end;

	if (!text)
		text = "cpu";
	if (!strcmp(text, "cpu")) {
		*threads = RT_LANES_MAX;
		return 0;
	}
	n = strtoul(text, &end, 10);
	if (end == text || *end || *text == '-' || !n || n > RT_LANES_MAX)
		return rt_err_set(
			err, EINVAL,
			"--threads takes a number from 1 to %d, or 'cpu' for one thread per "
			"CPU, not '%s'",
			RT_LANES_MAX, text);
	*threads = n;
	return 0;
}

/* --- one lane ---------------------------------------------------------------------- */

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

static struct rt_cpuring *ring_of(struct lane *lane, uint32_t i)
{
	return &lane->r.session.events[lane->all->placement.order[i]];
}

/* The time of the oldest event that is left, or UNTIL if none older than that is left. */
static uint64_t oldest_left(struct lane *lane, uint64_t until)
{
	const struct rt_record *rec;
	uint32_t i;

	for (i = lane->from; i < lane->to; i++) {
		rec = rt_cpuring_peek(ring_of(lane, i));
		if (rec && rec->time < until)
			until = rec->time;
	}
	return until;
}

/* Write some events of its CPUs that are older than UNTIL, from each ring in turn; false if none is. */
static bool write_some(struct lane *lane, uint64_t until)
{
	const struct rt_record *rec;
	bool some = false;
	uint32_t i;

	for (i = lane->from; !lane->ret && i < lane->to; i++) {
		rec = rt_cpuring_peek(ring_of(lane, i));
		if (!rec || rec->time >= until)
			continue;
		lane->ret = rt_order_run(&lane->r, ring_of(lane, i), until, &lane->written);
		some = true;
	}
	return some;
}

static void begin(struct lane *lane)
{
	lane->written = 0;
	lane->ret = rt_writer_lane_begin(lane->r.writer);
}

static void end(struct lane *lane, uint64_t until)
{
	if (!lane->ret)
		lane->ret = rt_writer_lane_flush(lane->r.writer);
	lane->complete = oldest_left(lane, until);
}

/* Wait for a later moment than BEFORE up to which events may be written; 0: the sweep ends. */
static uint64_t wait_for_until(struct rt_lanes *all, uint64_t before)
{
	uint64_t until;

	pthread_mutex_lock(&all->lock);
	while (all->until == before && !all->ending)
		pthread_cond_wait(&all->begin, &all->lock);
	until = all->ending ? 0 : all->until;
	pthread_mutex_unlock(&all->lock);
	return until;
}

/* Take part in a sweep. */
static void drain(struct lane *lane)
{
	struct rt_lanes *all = lane->all;
	uint64_t until = 0, next;

	begin(lane);
	while (!lane->ret && (next = wait_for_until(all, until))) {
		until = next;
		/* Who has named this moment has added the tasks up to it. */
		rt_tasks_look_again(&lane->r.tasks);
		while (write_some(lane, until) && !__atomic_load_n(&all->ending, __ATOMIC_RELAXED))
			;
	}
	end(lane, until);
}

static void *work(void *arg)
{
	struct lane *lane = arg;
	struct rt_lanes *all = lane->all;
	uint64_t sweep = 0;

	pthread_mutex_lock(&all->lock);
	lane->tid = syscall(SYS_gettid);
	/* Given while this thread was being started. */
	if (all->priority)
		setpriority(PRIO_PROCESS, lane->tid, all->priority);
	for (;;) {
		while (!all->stop && all->sweep == sweep)
			pthread_cond_wait(&all->begin, &all->lock);
		if (all->stop)
			break;
		sweep = all->sweep;
		pthread_mutex_unlock(&all->lock);
		drain(lane);
		pthread_mutex_lock(&all->lock);
		if (!--all->busy)
			pthread_cond_signal(&all->end);
	}
	pthread_mutex_unlock(&all->lock);
	return NULL;
}

/* --- all of them ------------------------------------------------------------------- */

static unsigned int lanes_for(uint32_t cpus, unsigned int threads)
{
	unsigned int some = (cpus + CPUS_PER_LANE - 1) / CPUS_PER_LANE;

	if (threads)
		return threads < cpus ? threads : cpus;
	return some < LANES_DEFAULT ? some : LANES_DEFAULT;
}

struct rt_lanes *rt_lanes_new(const struct rt_recording *r, unsigned int threads)
{
	unsigned int count = lanes_for(r->session.cpus, threads);
	struct rt_lanes *lanes;

	/* Other clocks cannot be read here; an overwrite ring is read when nobody waits. */
	if (count < 2 || r->session.info.clock != RT_CLOCK_MONOTONIC ||
	    r->session.rings.mode == RT_MODE_OVERWRITE)
		return NULL;
	lanes = calloc(1, sizeof(*lanes) + count * sizeof(lanes->lane[0]));
	if (!lanes)
		return NULL;
	if (rt_placement_read(&lanes->placement, NULL, r->session.cpus)) {
		free(lanes);
		return NULL;
	}
	pthread_mutex_init(&lanes->lock, NULL);
	pthread_cond_init(&lanes->begin, NULL);
	pthread_cond_init(&lanes->end, NULL);
	lanes->count = count;
	return lanes;
}

void rt_lanes_end_file(struct rt_lanes *lanes)
{
	unsigned int i;

	for (i = 0; lanes && i < lanes->count; i++) {
		rt_writer_lane_free(lanes->lane[i].r.writer);
		lanes->lane[i].r.writer = NULL;
	}
}

static int open_writers(struct rt_lanes *lanes, struct rt_writer *writer)
{
	unsigned int i;

	for (i = 0; i < lanes->count; i++) {
		if (!lanes->lane[i].r.writer)
			lanes->lane[i].r.writer = rt_writer_lane_new(writer);
		if (!lanes->lane[i].r.writer)
			return -ENOMEM;
	}
	return 0;
}

/* Start the threads when they are needed for the first time; signals stay with the first thread. */
static void start_threads(struct rt_lanes *lanes)
{
	sigset_t all, before;
	unsigned int i;

	if (lanes->lane[0].all)
		return;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	for (i = 0; i < lanes->count; i++) {
		lanes->lane[i].all = lanes;
		lanes->lane[i].runs =
			i && !pthread_create(&lanes->lane[i].thread, NULL, work, &lanes->lane[i]);
		if (lanes->lane[i].runs)
			rt_placement_bind(&lanes->placement, lanes->lane[i].thread,
					  lanes->lane[i].from, lanes->lane[i].to);
		lanes->lame |= i && !lanes->lane[i].runs;
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void rt_lanes_free(struct rt_lanes *lanes)
{
	unsigned int i;

	if (!lanes)
		return;
	pthread_mutex_lock(&lanes->lock);
	lanes->stop = true;
	pthread_cond_broadcast(&lanes->begin);
	pthread_mutex_unlock(&lanes->lock);
	for (i = 0; i < lanes->count; i++)
		if (lanes->lane[i].runs)
			pthread_join(lanes->lane[i].thread, NULL);
	rt_lanes_end_file(lanes);
	rt_placement_free(&lanes->placement);
	free(lanes);
}

/* Set the priority of the threads, except for the calling one. */
static void set_priority(struct rt_lanes *lanes, int priority)
{
	unsigned int i;

	pthread_mutex_lock(&lanes->lock);
	lanes->priority = priority;
	for (i = 0; i < lanes->count; i++)
		if (lanes->lane[i].tid)
			setpriority(PRIO_PROCESS, lanes->lane[i].tid, priority);
	pthread_mutex_unlock(&lanes->lock);
}

void rt_lanes_hurry(struct rt_recording *r)
{
	uint64_t t = now();
	bool urgent = rt_hurry_urgent(&r->hurry, &r->session, t);

	if (rt_hurry_update(&r->hurry, urgent, t) && r->lanes)
		set_priority(r->lanes, r->hurry.priority);
}

bool rt_lanes_wanted(const struct rt_lanes *lanes, const struct rt_recording *r)
{
	uint64_t backlog = 0;
	uint32_t cpu;

	if (!lanes || lanes->lame)
		return false;
	for (cpu = 0; cpu < r->session.cpus; cpu++)
		backlog += rt_cpuring_backlog(&r->session.events[cpu]);
	return backlog >= BACKLOG;
}

/* Copy the recording for a lane. */
static void prepare(struct lane *lane, const struct rt_recording *r)
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

/* Add what the lane has counted. */
static void collect(struct lane *lane, struct rt_recording *r)
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

/* Begin a sweep: prepare the lanes and wake their threads. */
static int begin_sweep(struct rt_lanes *lanes, struct rt_recording *r)
{
	int ret = open_writers(lanes, r->writer);
	unsigned int i;

	if (!ret)
		ret = rt_writer_lanes_begin(r->writer);
	if (ret)
		return ret;
	for (i = 0; i < lanes->count; i++) {
		prepare(&lanes->lane[i], r);
		lanes->lane[i].from = (uint64_t)r->session.cpus * i / lanes->count;
		lanes->lane[i].to = (uint64_t)r->session.cpus * (i + 1) / lanes->count;
	}
	start_threads(lanes);
	pthread_mutex_lock(&lanes->lock);
	lanes->until = 0;
	__atomic_store_n(&lanes->ending, false, __ATOMIC_RELAXED);
	lanes->busy = 0;
	for (i = 0; i < lanes->count; i++)
		lanes->busy += lanes->lane[i].runs;
	lanes->sweep++;
	pthread_cond_broadcast(&lanes->begin);
	pthread_mutex_unlock(&lanes->lock);
	return 0;
}

static void end_sweep(struct rt_lanes *lanes)
{
	pthread_mutex_lock(&lanes->lock);
	__atomic_store_n(&lanes->ending, true, __ATOMIC_RELAXED);
	pthread_cond_broadcast(&lanes->begin);
	while (lanes->busy)
		pthread_cond_wait(&lanes->end, &lanes->lock);
	pthread_mutex_unlock(&lanes->lock);
}

/* Write the side-band; then the events up to this moment may be written. */
static int name_moment(struct rt_lanes *lanes, struct lane *first, uint64_t *until)
{
	int ret;

	*until = now() - SETTLE_TIME;
	do {
		ret = rt_order_side(&first->r);
		first->written += ret > 0 ? ret : 0;
	} while (ret > 0);
	pthread_mutex_lock(&lanes->lock);
	lanes->until = *until;
	pthread_cond_broadcast(&lanes->begin);
	pthread_mutex_unlock(&lanes->lock);
	return ret;
}

int rt_lanes_sweep(struct rt_lanes *lanes, struct rt_recording *r)
{
	uint64_t deadline = now() + LANES_TIME, until = 0;
	struct lane *first = &lanes->lane[0];
	int written = 0, ret;
	unsigned int i;

	ret = begin_sweep(lanes, r);
	if (ret)
		return ret;
	/* This thread is the first lane. */
	begin(first);
	while (!first->ret && now() < deadline && rt_lanes_wanted(lanes, r)) {
		rt_lanes_hurry(r);
		first->ret = name_moment(lanes, first, &until);
		for (i = 0; !first->ret && write_some(first, until) && i < LANES_RUNS; i++)
			;
		if (!i)
			usleep(LANES_PAUSE);
	}
	end(first, until);
	end_sweep(lanes);

	r->complete = UINT64_MAX;
	for (i = 0; i < lanes->count; i++) {
		/* A thread that could not be started: the next sweep in order reads its rings. */
		if (i && !lanes->lane[i].runs) {
			lanes->lane[i].complete = 0;
			lanes->lane[i].ret = lanes->lane[i].written = 0;
		}
		collect(&lanes->lane[i], r);
		written += lanes->lane[i].written;
		if (lanes->lane[i].ret)
			ret = lanes->lane[i].ret;
	}
	return ret ? ret : written;
}
