// SPDX-License-Identifier: GPL-2.0
/*
 * record_order.c - one thread writes the events of all CPUs and the side-band in the order of time, and round
 * records only when everything older is written.
 */
#include "record_rig.h"
#include "tap.h"

#define MSEC 1000000ULL

static struct rt_recording r;

static void open_one(void)
{
	begin(&r, 1);
	rt_writer_publish(r.writer, &err);
}

static int write_all(void)
{
	int ret, written = 0;

	while ((ret = rt_order_write(&r)) > 0)
		written += ret;
	return ret ? ret : written;
}

static void test_oldest(void)
{
	struct rt_order_front f;

	open_one();
	f = rt_order_oldest(event_rings, CPUS);
	ok(!f.ring && f.time == UINT64_MAX && f.next == UINT64_MAX, "nothing is there");
	add_event(1, 1000, 50);
	add_event(3, 1000, 40);
	add_event(2, 1000, 60);
	f = rt_order_oldest(event_rings, CPUS);
	ok(!f.ring, "nor anything that nobody looked for");
	for (int cpu = 0; cpu < CPUS; cpu++)
		rt_cpuring_look(&event_rings[cpu]);
	f = rt_order_oldest(event_rings, CPUS);
	ok(f.ring == &event_rings[3], "the ring with the oldest record");
	is_int(f.time, 40, "its time");
	is_int(f.next, 50, "and that of the next one in another ring");
	rt_cpuring_take(&event_rings[3]);
	f = rt_order_oldest(event_rings, CPUS);
	ok(f.ring == &event_rings[1] && f.next == 60, "then the next");
	finish(&r);
}

/* Records of all CPUs, in times that alternate, repeat and jump. */
static void test_merge(void)
{
	struct found f;
	uint64_t t = 1000;
	int i, written;

	open_one();
	for (i = 0; i < 2000; i++) {
		t += i % 7 == 0 ? 0 : i % 31;
		add_event((i * i / 3 + i) % CPUS, 2000 + i % 100, t);
		if (i % 100 == 0)
			add_fork(i / 100 % CPUS, 2000, 2000 + i / 100, t);
	}
	for (i = 0; i < 100; i++)
		rt_tasks_set(&r.tasks, 2000 + i, 2000, 0);
	written = write_all();
	is_int(written, 2020, "all are written");
	is_int(r.newest, t, "the newest event is known");
	is_int(r.reached, t, "and what was reached");
	finish(&r);
	f = find();
	is_int(f.samples, 2000, "all are there");
	is_int(f.strange, 0, "each once");
	is_int(f.backwards, 0, "in the order of time");
	is_int(f.wrong_pid, 0, "with their processes");
}

/* Equal times: the side-band comes first, and so the event has its process. */
static void test_equal(void)
{
	struct found f;

	open_one();
	add_event(0, 3001, 100);
	add_event(0, 3002, 200);
	add_event(1, 3002, 200);
	add_event(2, 3003, 150);
	add_fork(3, 3000, 3001, 100);
	add_fork(2, 3000, 3002, 200);
	add_fork(1, 3000, 3003, 150);
	write_all();
	is_int(r.side_newest, 200, "the newest of the side-band is known");
	finish(&r);
	f = find();
	is_str(f.order, "SESESEE", "side-band, then the event of the same time");
	is_int(f.wrong_pid, 0, "every event has the process that it got at that moment");
}

/* Records of one ring that are found together: the side-band between them comes in between. */
static void test_between(void)
{
	struct found f;

	open_one();
	add_event(0, 3001, 100);
	add_event(0, 3001, 110);
	add_event(0, 3002, 120);
	add_event(0, 3002, 130);
	add_fork(1, 3000, 3001, 90);
	add_fork(1, 3000, 3002, 115);
	write_all();
	finish(&r);
	f = find();
	is_str(f.order, "SEESEE", "side-band between the records of a run");
	is_int(f.wrong_pid, 0, "each has its process");
}

/* A run ends before a moment, and tells losses in front of its first record. */
static void test_run(void)
{
	struct found f;
	int written = 0, i;

	open_one();
	for (i = 0; i < 8; i++)
		add_event(2, 1000, 100 + 10 * i);
	rt_tasks_set(&r.tasks, 1000, 1000, 0);
	events[2].lost = 7;
	rt_cpuring_look(&event_rings[2]);
	is_int(rt_order_run(&r, &event_rings[2], 130, &written), 0, "a run up to a moment");
	is_int(written, 3, "writes what is older");
	is_int(r.reached, 120, "and says how far it came");
	is_int(event_rings[2].read, 3, "these were taken");
	ok(!event_rings[2].lossy && !event_rings[2].lost[RT_LOST_FULL], "the loss is told, once");
	is_int(r.losses.first[RT_LOST_FULL], 100, "at the time of the record behind it");
	written = 0;
	rt_order_run(&r, &event_rings[2], 130, &written);
	is_int(written, 1,
	       "a record that is not older is written all the same, if it is the first");
	rt_order_run(&r, &event_rings[2], UINT64_MAX, &written);
	is_int(written, 5, "the rest");
	is_int(r.losses.told[RT_LOST_FULL], 7, "no loss is told twice");
	finish(&r);
	f = find();
	is_str(f.order, "LEEEEEEEE", "the loss stands in front");
}

/* Side-band up to a moment. */
static void test_side(void)
{
	open_one();
	add_fork(0, 1000, 1001, 100);
	add_fork(1, 1000, 1002, 200);
	add_fork(0, 1000, 1003, 300);
	is_int(rt_order_side(&r, 100), 0, "nothing is older");
	is_int(rt_order_side(&r, 201), 2, "two are");
	is_int(r.side_newest, 200, "and no more");
	is_int(rt_order_side(&r, UINT64_MAX), 1, "then the last");
	is_int(rt_tasks_pid(&r.tasks, 1003, 400), 1000, "the process is known");
	finish(&r);
}

/* --- rounds ------------------------------------------------------------------------------ */

static unsigned int rounds(void)
{
	struct found f;

	rt_writer_flush(r.writer);
	/* The header covers what a checkpoint has: make one. */
	usleep(210000);
	add_event(0, 1000, clock_now());
	rt_order_write(&r);
	rt_writer_settle(r.writer);
	f = find();
	return f.rounds;
}

static void test_rounds(void)
{
	int i, ret = 0;

	open_one();
	rt_tasks_set(&r.tasks, 1000, 1000, 0);
	add_event(0, 1000, 1000);
	/* Four marks are due by time, but only two are owed for what was written. */
	for (i = 0; i < 4 && !ret; i++) {
		usleep(110000);
		ret = rt_recording_sweep(&r, &err) < 0;
	}
	ok(!ret, "sweeps");
	is_int(r.marks_due, 0, "no mark is owed any more");
	is_int(rounds(), 2, "two round records for one event");
	is_int(r.marked, 1000, "the last says how far it is complete");
	for (i = 0; i < 5; i++)
		rt_recording_sweep(&r, &err);
	is_int(rounds(), 2, "none while a tenth of a second has not passed, or nothing came");
	finish(&r);

	/* Not while older events than at the last mark may be left. */
	open_one();
	rt_tasks_set(&r.tasks, 1000, 1000, 0);
	add_event(0, 1000, 5000);
	usleep(110000);
	rt_recording_sweep(&r, &err);
	is_int(r.marked, 5000, "a mark at 5000");
	add_event(3, 1000, 5500);
	rt_recording_sweep(&r, &err);
	ok(r.marks_due == 2 && r.marked == 5000, "the next one is owed, but not yet");
	add_event(1, 1000, 6000);
	r.limit = 1; /* the file is full: a sweep ends behind the first run */
	events[1].step = events[2].step = 1;
	add_event(2, 1000, 4000);
	add_event(2, 1000, 4001);
	add_event(2, 1000, 4002);
	usleep(110000);
	r.marks_due = 2;
	rt_recording_sweep(&r, &err);
	ok(r.more && r.complete < 5000, "a sweep that ends at 4000 (%llu)",
	   (unsigned long long)r.complete);
	is_int(r.marks_due, 2, "makes no mark: what is older than the last one is not complete");
	r.limit = 0;
	usleep(110000);
	rt_recording_sweep(&r, &err);
	ok(!r.more && r.complete == UINT64_MAX, "one that ends with empty rings");
	is_int(r.marks_due, 1, "does");
	is_int(r.marked, 6000, "up to the newest event");
	finish(&r);

	/* The side-band may be newer than all events. */
	open_one();
	add_fork(0, 1000, 1001, 9000);
	usleep(110000);
	rt_recording_sweep(&r, &err);
	is_int(r.marked, 9000, "a mark at the newest of the side-band");
	finish(&r);

	open_one();
	r.session.rings.mode = RT_MODE_OVERWRITE;
	rt_tasks_set(&r.tasks, 1000, 1000, 0);
	add_event(0, 1000, 5000);
	usleep(110000);
	rt_recording_sweep(&r, &err);
	is_int(rounds(), 0, "rings that overwrite: none, they hold older events");
	finish(&r);
}

/* A sweep takes a hundredth of a second, also if more is there. */
static void test_time(void)
{
	uint64_t before;
	int cpu, i;

	open_one();
	rt_tasks_set(&r.tasks, 1000, 1000, 0);
	for (i = 0; i < 4000; i++)
		for (cpu = 0; cpu < CPUS; cpu++)
			add_event(cpu, 1000, 1000 + (uint64_t)i * 10 + cpu);
	/* Looking for records takes long. */
	for (cpu = 0; cpu < CPUS; cpu++) {
		events[cpu].step = 100;
		event_rings[cpu].before = 0;
		events[cpu].step = 50;
		events[cpu].sleep_ms = 30;
	}
	before = clock_now();
	rt_recording_sweep(&r, &err);
	ok(r.more, "a sweep over slow rings leaves something");
	ok(r.complete == r.reached && r.complete < 1000 + 4000ULL * 10,
	   "and says up to where it came");
	ok(clock_now() - before < 2000 * MSEC, "it does not take for ever");
	for (i = 0; i < 100000 && r.more; i++)
		rt_recording_sweep(&r, &err);
	ok(!r.more && r.complete == UINT64_MAX, "later ones write the rest");
	finish(&r);
	is_int(find().samples, 4000 * CPUS, "all is there");
}

int main(void)
{
	int fd = mkstemp(path);

	close(fd);
	test_oldest();
	test_merge();
	test_equal();
	test_between();
	test_run();
	test_side();
	test_rounds();
	test_time();
	unlink(path);
	return tap_done();
}
