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

#include "record/lane.h"
#include "record/placement.h"

/* So many sub-buffers in all rings together call for the other threads. */
enum { BACKLOG = 6, CPUS_PER_LANE = 3, LANES_DEFAULT = 8 };

#define LANES_TIME 100000000ULL /* nanoseconds per sweep */

struct thread {
	struct rt_lanes *all;
	pthread_t id;
	bool runs;
	pid_t tid;
	struct rt_lane lane;
};

struct rt_lanes {
	struct rt_lane_shared shared;
	pthread_mutex_t lock;
	pthread_cond_t begin;
	uint64_t sweep;	      /* number of the sweep; counts up when one begins */
	unsigned int busy;    /* threads that have not ended it */
	bool ending;	      /* the sweep ends */
	unsigned int unaware; /* threads, also the first one, that have not seen that */
	bool stop;
	bool lame;    /* a thread could not be started: one thread does everything again */
	int priority; /* that the threads were given; 0 before */
	struct rt_placement placement;
	unsigned int count;
	struct thread threads[]; /* the first one is the caller's */
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

/* --- one thread -------------------------------------------------------------------- */

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

/* Take part in a sweep, and go on until all threads know of its end: one may wait for its CPU for long. */
static void drain(struct thread *thread)
{
	struct rt_lanes *all = thread->all;
	struct rt_lane *lane = &thread->lane;

	rt_lane_begin(lane);
	/* At least once: this thread may get its CPU only when the others are done. */
	while (!lane->ret) {
		rt_lane_take_turn(lane);
		if (__atomic_load_n(&all->ending, __ATOMIC_RELAXED))
			break;
	}
	__atomic_sub_fetch(&all->unaware, 1, __ATOMIC_RELAXED);
	while (!lane->ret && __atomic_load_n(&all->unaware, __ATOMIC_RELAXED))
		rt_lane_take_turn(lane);
	rt_lane_end(lane);
}

static void *work(void *arg)
{
	struct thread *thread = arg;
	struct rt_lanes *all = thread->all;
	uint64_t sweep = 0;

	pthread_mutex_lock(&all->lock);
	thread->tid = syscall(SYS_gettid);
	/* Given while this thread was being started. */
	if (all->priority)
		setpriority(PRIO_PROCESS, thread->tid, all->priority);
	for (;;) {
		while (!all->stop && all->sweep == sweep)
			pthread_cond_wait(&all->begin, &all->lock);
		if (all->stop)
			break;
		sweep = all->sweep;
		pthread_mutex_unlock(&all->lock);
		drain(thread);
		pthread_mutex_lock(&all->lock);
		all->busy--;
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
	lanes = calloc(1, sizeof(*lanes) + count * sizeof(lanes->threads[0]));
	if (!lanes)
		return NULL;
	lanes->shared.busy = calloc(r->session.cpus, sizeof(*lanes->shared.busy));
	if (!lanes->shared.busy || rt_placement_read(&lanes->placement, NULL, r->session.cpus)) {
		free(lanes->shared.busy);
		free(lanes);
		return NULL;
	}
	pthread_mutex_init(&lanes->shared.lock, NULL);
	pthread_mutex_init(&lanes->lock, NULL);
	pthread_cond_init(&lanes->begin, NULL);
	lanes->count = count;
	return lanes;
}

void rt_lanes_end_file(struct rt_lanes *lanes)
{
	unsigned int i;

	for (i = 0; lanes && i < lanes->count; i++) {
		rt_writer_lane_free(lanes->threads[i].lane.r.writer);
		lanes->threads[i].lane.r.writer = NULL;
	}
}

static int open_writers(struct rt_lanes *lanes, struct rt_writer *writer)
{
	unsigned int i;

	for (i = 0; i < lanes->count; i++) {
		if (!lanes->threads[i].lane.r.writer)
			lanes->threads[i].lane.r.writer = rt_writer_lane_new(writer);
		if (!lanes->threads[i].lane.r.writer)
			return -ENOMEM;
	}
	return 0;
}

/* Start the threads when they are needed for the first time; signals stay with the first thread. */
static void start_threads(struct rt_lanes *lanes)
{
	sigset_t all, before;
	unsigned int i;

	if (lanes->threads[0].all)
		return;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	for (i = 0; i < lanes->count; i++) {
		struct thread *t = &lanes->threads[i];

		t->all = lanes;
		t->runs = i && !pthread_create(&t->id, NULL, work, t);
		if (t->runs)
			rt_placement_bind(&lanes->placement, t->id, t->lane.from, t->lane.to);
		lanes->lame |= i && !t->runs;
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
		if (lanes->threads[i].runs)
			pthread_join(lanes->threads[i].id, NULL);
	rt_lanes_end_file(lanes);
	rt_placement_free(&lanes->placement);
	free(lanes->shared.busy);
	free(lanes);
}

/* Set the priority of the threads, except for the calling one. */
static void set_priority(struct rt_lanes *lanes, int priority)
{
	unsigned int i;

	pthread_mutex_lock(&lanes->lock);
	lanes->priority = priority;
	for (i = 0; i < lanes->count; i++)
		if (lanes->threads[i].tid)
			setpriority(PRIO_PROCESS, lanes->threads[i].tid, priority);
	pthread_mutex_unlock(&lanes->lock);
}

void rt_lanes_hurry(struct rt_recording *r)
{
	uint64_t t = now();
	bool urgent = rt_hurry_urgent(&r->hurry, &r->session, t);

	if (rt_hurry_update(&r->hurry, urgent, t) && r->lanes)
		set_priority(r->lanes, r->hurry.priority);
}

unsigned int rt_lanes_writers(const struct rt_lanes *lanes)
{
	unsigned int i, writers = 0;

	for (i = 0; i < lanes->count; i++)
		writers += lanes->threads[i].lane.events != 0;
	return writers;
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

/*
 * While the rings fill fast, a sweep lasts although they hold little: until all threads have seen its end
 * and the beginning of the next, some of them do nothing.
 */
static bool goes_on(const struct rt_lanes *lanes, const struct rt_recording *r)
{
	return rt_lanes_wanted(lanes, r) || r->hurry.priority;
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
		struct rt_lane *lane = &lanes->threads[i].lane;

		rt_lane_prepare(lane, r);
		lane->shared = &lanes->shared;
		lane->order = lanes->placement.order;
		lane->from = (uint64_t)r->session.cpus * i / lanes->count;
		lane->to = (uint64_t)r->session.cpus * (i + 1) / lanes->count;
	}
	start_threads(lanes);
	pthread_mutex_lock(&lanes->lock);
	__atomic_store_n(&lanes->shared.until, 0, __ATOMIC_RELAXED);
	lanes->shared.room = rt_recording_left(r);
	__atomic_store_n(&lanes->ending, false, __ATOMIC_RELAXED);
	lanes->busy = 0;
	for (i = 0; i < lanes->count; i++)
		lanes->busy += lanes->threads[i].runs;
	__atomic_store_n(&lanes->unaware, lanes->busy + 1, __ATOMIC_RELAXED);
	lanes->sweep++;
	pthread_cond_broadcast(&lanes->begin);
	pthread_mutex_unlock(&lanes->lock);
	return 0;
}

static bool any_busy(struct rt_lanes *lanes)
{
	bool busy;

	pthread_mutex_lock(&lanes->lock);
	busy = lanes->busy != 0;
	pthread_mutex_unlock(&lanes->lock);
	return busy;
}

/* Wait for the threads, and go on meanwhile: one that does not get its CPU must not keep this one. */
static void end_sweep(struct rt_lanes *lanes, struct rt_recording *r)
{
	struct rt_lane *first = &lanes->threads[0].lane;

	__atomic_store_n(&lanes->ending, true, __ATOMIC_RELAXED);
	__atomic_sub_fetch(&lanes->unaware, 1, __ATOMIC_RELAXED);
	while (any_busy(lanes)) {
		rt_lanes_hurry(r);
		if (first->ret)
			rt_lane_pause();
		else
			rt_lane_take_turn(first);
	}
	rt_lane_end(first);
	/* The other lanes have added tasks. */
	rt_tasks_look_again(&r->tasks);
}

/* No lane is at work: the time of the oldest event that is left, or the last moment named. */
static uint64_t oldest_left(const struct rt_lanes *lanes, struct rt_recording *r)
{
	uint64_t until = lanes->shared.until;
	const struct rt_record *rec;
	uint32_t cpu;

	for (cpu = 0; cpu < r->session.cpus; cpu++) {
		rec = rt_cpuring_peek(&r->session.events[cpu]);
		if (rec && rec->time < until)
			until = rec->time;
	}
	return until;
}

int rt_lanes_sweep(struct rt_lanes *lanes, struct rt_recording *r)
{
	uint64_t deadline = now() + LANES_TIME;
	struct rt_lane *first = &lanes->threads[0].lane;
	int written = 0, ret;
	unsigned int i;

	ret = begin_sweep(lanes, r);
	if (ret)
		return ret;
	/* This thread is the first lane. */
	rt_lane_begin(first);
	while (!first->ret && now() < deadline && !rt_lane_full(&lanes->shared) &&
	       goes_on(lanes, r)) {
		rt_lanes_hurry(r);
		rt_lane_take_turn(first);
	}
	end_sweep(lanes, r);

	r->complete = oldest_left(lanes, r);
	for (i = 0; i < lanes->count; i++) {
		struct rt_lane *lane = &lanes->threads[i].lane;

		/* Of a thread that could not be started. */
		if (i && !lanes->threads[i].runs)
			lane->ret = lane->written = 0;
		rt_lane_collect(lane, r);
		written += lane->written;
		if (lane->ret)
			ret = lane->ret;
	}
	return ret ? ret : written;
}
