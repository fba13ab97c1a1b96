// SPDX-License-Identifier: GPL-2.0
/*
 * record_lanes.c - several threads write one recording: every event once, with its process; also while one of them does not get its CPU, and no more than the file may hold.
 */
#include "record_rig.h"
#include "tap.h"

#include <pthread.h>

enum { EACH = 4000, MSEC = 1000000 };

static struct rt_recording r;
static uint64_t start;

/* Events of all CPUs in the last seconds, a task of each process is born just before its first event. */
static void fill_all(unsigned int each)
{
	unsigned int cpu, i;
	uint64_t t;

	start = clock_now() - 4000ULL * MSEC;
	for (i = 0; i < each; i++) {
		for (cpu = 0; cpu < CPUS; cpu++) {
			t = start + (uint64_t)i * 500000 + cpu * 7;
			/* Threads 1000..: a new one for each hundred events, of the process of its thousand. */
			if (i % 100 == 0)
				add_fork(CPUS - 1 - cpu, 1000 * (1 + cpu),
					 1000 * (1 + cpu) + i / 100, t);
			add_event(cpu, 1000 * (1 + cpu) + i / 100, t);
		}
	}
}

static void backlog_everywhere(unsigned int subbufs)
{
	int cpu;

	for (cpu = 0; cpu < CPUS; cpu++)
		set_backlog(cpu, subbufs);
}

static unsigned int left(void)
{
	unsigned int cpu, n = 0;

	for (cpu = 0; cpu < CPUS; cpu++)
		n += events[cpu].count - events[cpu].next + event_rings[cpu].count -
		     event_rings[cpu].at;
	return n;
}

static void test_new(void)
{
	begin(&r, 1);
	ok(!r.lanes, "one thread needs no lanes");
	finish(&r);
	begin(&r, 0);
	ok(r.lanes, "four CPUs: several threads by default");
	rt_lanes_free(r.lanes);
	r.session.info.clock = RT_CLOCK_MONOTONIC + 1;
	ok(!rt_lanes_new(&r, 4), "none if this program cannot read the clock");
	r.session.info.clock = RT_CLOCK_MONOTONIC;
	r.session.rings.mode = RT_MODE_OVERWRITE;
	ok(!rt_lanes_new(&r, 4), "nor for rings that overwrite");
	r.lanes = NULL;
	finish(&r);
}

static void test_wanted(void)
{
	begin(&r, 4);
	ok(!rt_lanes_wanted(NULL, &r), "without lanes they are not wanted");
	set_backlog(0, 3);
	set_backlog(3, 2);
	ok(!rt_lanes_wanted(r.lanes, &r), "five sub-buffers are one thread's work");
	set_backlog(3, 3);
	ok(rt_lanes_wanted(r.lanes, &r), "six call for the others");
	finish(&r);
}

/* Sweep until nothing is left; how many sweeps broke the promise of `complete`. */
static unsigned int sweep_all(int *written)
{
	unsigned int broken = 0, cpu, i;
	int ret;

	for (i = 0, *written = 0; i < 200 && left(); i++) {
		ret = rt_lanes_sweep(r.lanes, &r);
		if (ret < 0)
			break;
		*written += ret;
		for (cpu = 0; cpu < CPUS; cpu++) {
			const struct rt_record *rec = rt_cpuring_found(&event_rings[cpu]);

			broken += rec && rec->time < r.complete;
			rec = &events[cpu].list[events[cpu].next];
			broken += events[cpu].next < events[cpu].count && rec->time < r.complete;
		}
	}
	return broken;
}

static void test_sweep(unsigned int threads)
{
	struct found f;
	unsigned int cpu;
	int written;

	begin(&r, threads);
	fill_all(EACH);
	events[2].lost = 5;
	/* So many that they are never few again: the sweep goes on for its whole time. */
	backlog_everywhere(8);
	is_int(sweep_all(&written), 0, "%u threads: what is older than the promise is written",
	       threads);
	is_int(written, CPUS * EACH + CPUS * EACH / 100, "the sweeps count events and forks");
	is_int(r.newest, events[CPUS - 1].list[EACH - 1].time, "the newest event is known");
	is_int(r.side_newest, start + (uint64_t)(EACH - 100) * 500000 + 3 * 7,
	       "and the newest of the side-band");
	ok(r.complete > r.newest, "nothing older is left");
	is_int(r.losses.told[RT_LOST_FULL], 5, "losses are told");
	is_int(r.losses.places[RT_LOST_FULL], 1, "in one place");
	is_int(r.losses.first[RT_LOST_FULL], events[2].list[0].time,
	       "before the record behind them");
	is_int(r.losses.last[RT_LOST_FULL], events[2].list[0].time, "which is also the last place");
	for (cpu = 0; cpu < CPUS; cpu++)
		is_int(event_rings[cpu].read, EACH, "CPU %u: each was taken once", cpu);
	is_int(rt_writer_stats(r.writer)->samples, CPUS * EACH, "the writer has counted all");
	finish(&r);
	f = find();
	is_int(f.samples, CPUS * EACH, "all are in the file");
	is_int(f.strange, 0, "each once");
	is_int(f.wrong_pid, 0, "with the process of its thread");
	is_int(f.lost, 1, "and the loss");
	is_int(f.forks, CPUS * EACH / 100, "and the side-band");
}

/* Events behind the last moment named wait: the side-band in front of them is not known yet. */
static void test_later(void)
{
	uint64_t soon = clock_now() + 3000ULL * MSEC;
	int cpu, written;

	begin(&r, 4);
	fill_all(100);
	for (cpu = 0; cpu < CPUS; cpu++)
		add_event(cpu, 1000 * (1 + cpu), soon + cpu);
	backlog_everywhere(8);
	written = rt_lanes_sweep(r.lanes, &r);
	is_int(written, CPUS * 100 + CPUS, "events of later than now are not written");
	is_int(left(), CPUS, "but left in their rings");
	ok(r.complete < soon, "and not promised");
	finish(&r);
}

/* Records of a thread that does not exist in this session are counted in each lane, and summed. */
static void test_skipped(void)
{
	int written, cpu;

	begin(&r, 4);
	fill_all(400);
	events[0].list[5].id = events[3].list[7].id = 9;
	sides[1].list[2].bytes = 4;
	events[2].lost = 5;
	backlog_everywhere(8);
	sweep_all(&written);
	is_int(r.skipped, 2, "records that cannot be parsed are counted");
	is_int(r.side_skipped, 1, "those of the side-band apart");
	is_int(r.losses.told[RT_LOST_FULL], 5, "and losses");
	for (cpu = 0; cpu < CPUS; cpu++)
		add_event(cpu, 1000 * (1 + cpu), clock_now() - 500ULL * MSEC);
	sweep_all(&written);
	ok(written == CPUS && r.skipped == 2 && r.side_skipped == 1 &&
		   r.losses.told[RT_LOST_FULL] == 5 && r.losses.places[RT_LOST_FULL] == 1,
	   "a later sweep counts none of them again");
	finish(&r);
}

/*
 * The thread of one lane does not get on, for two seconds: the others write its CPUs' events, and what is written
 * becomes readable long before it is back.
 */
struct look {
	pthread_t thread;
	unsigned int samples;
	bool fits; /* at that time the sweep had not ended */
};

static volatile bool swept;

static void *look_later(void *arg)
{
	struct look *look = arg;
	struct found f;

	usleep(1000 * 1000);
	f = find();
	look->samples = f.samples - f.strange;
	look->fits = !swept;
	return NULL;
}

static unsigned int stuck_once(void)
{
	struct look look;
	int ret;

	begin(&r, 4);
	rt_writer_publish(r.writer, &err);
	fill_all(EACH);
	backlog_everywhere(8);
	events[1].sleep_ms = 2500;
	swept = false;
	pthread_create(&look.thread, NULL, look_later, &look);
	ret = rt_lanes_sweep(r.lanes, &r);
	swept = true;
	pthread_join(look.thread, NULL);
	finish(&r);
	return ret > 0 && look.fits ? look.samples : 0;
}

static void test_stuck(void)
{
	unsigned int samples = 0, tries;

	/* On a busy machine the other threads may begin too late. */
	for (tries = 0; tries < 4 && samples < 2 * EACH - 100; tries++)
		samples = stuck_once();
	/* Whoever waits keeps what it has written itself since its last flush: all of one ring. */
	ok(samples >= 2 * EACH - 100,
	   "one reader waits 2.5 seconds; after one the events of the others can be read (%u of %u)",
	   samples, 3 * EACH);
}

/* A lane whose own rings hold nothing writes those that their lane leaves alone. */
static void *look_at_ring(void *arg)
{
	unsigned int *read = arg;

	usleep(1000 * 1000);
	*read = __atomic_load_n(&event_rings[1].read, __ATOMIC_RELAXED);
	return NULL;
}

/* How many events of the second ring were read while its own lane waits for the first one. */
static unsigned int help_once(void)
{
	unsigned int others = 0;
	pthread_t looks;
	int cpu;

	begin(&r, 2);
	fill_all(EACH);
	for (cpu = 0; cpu < CPUS; cpu++)
		set_backlog(cpu, 1);
	/* Reading the first ring takes its thread two seconds; the second one is of the same lane. */
	events[0].sleep_ms = 2000;
	set_backlog(1, 8);
	pthread_create(&looks, NULL, look_at_ring, &others);
	rt_lanes_sweep(r.lanes, &r);
	pthread_join(looks, NULL);
	finish(&r);
	return others;
}

static void test_help(void)
{
	unsigned int others = 0, tries;

	/* On a busy machine the other thread may begin too late. */
	for (tries = 0; tries < 5 && others <= EACH / 2; tries++)
		others = help_once();
	ok(others > EACH / 2, "the other thread helps (%u of %u)", others, EACH);
	is_int(find().strange, 0, "nothing twice");
}

/* Rings with an event that is left and older than the promise. */
static unsigned int too_soon(void)
{
	const struct rt_record *rec;
	unsigned int cpu, n = 0;

	for (cpu = 0; cpu < CPUS; cpu++) {
		rec = rt_cpuring_found(&event_rings[cpu]);
		n += rec && rec->time < r.complete;
	}
	return n;
}

static void test_room(void)
{
	uint64_t before;
	int written;

	begin(&r, 4);
	rt_writer_publish(r.writer, &err);
	fill_all(EACH);
	backlog_everywhere(8);
	before = rt_writer_stats(r.writer)->bytes;
	r.limit = before + 200000;
	is_int(rt_recording_left(&r), 200000, "the file may grow by 200000 bytes");
	written = rt_lanes_sweep(r.lanes, &r);
	ok(written > 0 && rt_recording_left(&r) <= 0, "a sweep fills it");
	/* A run of each lane, and the side-band of one, may be too much. */
	ok(rt_recording_left(&r) > -40000, "and ends soon (%lld)",
	   (long long)rt_recording_left(&r));
	is_int(too_soon(), 0, "what is left is not promised");
	written = rt_lanes_sweep(r.lanes, &r);
	is_int(written, 0, "nothing more fits");
	r.limit = 0;
	is_int(sweep_all(&written), 0, "later the rest is written");
	finish(&r);
	is_int(find().samples, CPUS * EACH, "all are in the file");
	is_int(find().strange, 0, "each once");
}

int main(void)
{
	int fd = mkstemp(path);

	close(fd);
	test_new();
	test_wanted();
	test_sweep(2);
	test_sweep(4);
	test_later();
	test_skipped();
	test_stuck();
	test_help();
	test_room();
	unlink(path);
	return tap_done();
}
