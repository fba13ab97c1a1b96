// SPDX-License-Identifier: GPL-2.0
/*
 * lanes.c - how fast `record` empties full rings: one thread in the order of time, or several.
 *
 *	lanes RINGS THREADS LEVEL DIRECTORY
 *
 * The module's ring code, compiled for the host, fills the rings before the clock starts; the module
 * itself is not needed.  Then rt_recording_sweep() moves everything into a file in DIRECTORY, as at the end
 * of a recording; this is done several times with the same rings and another file.  Prints the events, the
 * nanoseconds that passed, the nanoseconds of processor time, and those of the first thread.
 */
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "format_build.h"
#define RING_NO_POINTS
#include "ring_memory.h"

#include "record/lanes.h"
#include "record/recording.h"

enum {
	RINGS_MAX = 64,
	SUBBUFS = 1024,
	SUBBUF_BYTES = 65536,
	ALL_SUBBUFS = 2048, /* in all rings together: 128 MB */
	TASKS = 2,	    /* of each CPU */
	SLICE = 100,	    /* events between two switches of the task */
	PERIOD = 500,	    /* nanoseconds between two events of a CPU */
	PASSES = 4,
};

static u64 clock_now;

u64 rt_port_clock(void)
{
	return clock_now;
}

static void die(const char *what)
{
	fprintf(stderr, "lanes: %s\n", what);
	exit(1);
}

static u64 read_clock(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

static u32 tid_of(u32 cpu, u64 event)
{
	return 1000 + 10 * cpu + event / SLICE % TASKS;
}

/* An entry of a system call, as the module writes it: the head, the number, six arguments. */
struct entry {
	u32 head;
	u64 id, args[6];
} __attribute__((packed));

/* Fill a ring with events of the last seconds; return their number. */
static u64 fill(struct rig *rig, u32 cpu, u32 subbufs)
{
	u64 room = (u64)subbufs * SUBBUF_BYTES / (sizeof(struct entry) + RT_RECORD_HEADER), n;
	u64 begin = read_clock(CLOCK_MONOTONIC) - (room + 1) * PERIOD - 1000000000;
	struct entry entry = { 0 };
	u32 *rec;

	if (rig_make(rig, cpu, RT_MODE_DISCARD, subbufs, SUBBUF_BYTES, 0, NULL))
		die("the ring is refused");
	for (n = 0;; n++) {
		/* CPUs take turns. */
		clock_now = begin + n * PERIOD + cpu * PERIOD / RINGS_MAX;
		rec = rt_ring_reserve(&rig->ring, 1, sizeof(entry));
		if (!rec)
			return n;
		entry.head = tid_of(cpu, n);
		entry.id = n % 400;
		entry.args[0] = n;
		memcpy(rt_record_payload(rec), &entry, sizeof(entry));
		rt_ring_commit(&rig->ring, rec);
	}
}

static void add_tasks(struct rt_recording *r, u32 cpu)
{
	u32 i;

	for (i = 0; i < TASKS; i++)
		if (rt_tasks_set(&r->tasks, tid_of(cpu, i * SLICE), 1000 + 10 * cpu, 0))
			die("out of memory");
}

/* What rt_cpuring_map() does with the module's memory; nothing has been read. */
static void attach(struct rt_cpuring *ring, const struct rig *rig)
{
	const struct rt_ring_setup *s = &rig->setup;
	struct rt_err err;

	s->control->consumed = s->subbufs;
	ring->status = s->status;
	ring->control = s->control;
	ring->data = rig->memory;
	ring->data_bytes = (size_t)s->subbufs * s->subbuf_bytes;
	if (rt_live_init(&ring->live, ring->status, ring->control, ring->data, ring->data_bytes,
			 &err))
		die(err.text);
}

static struct rt_writer *open_file(const char *path, int level)
{
	static const struct format_field fields[] = {
		{ "long", "id", 8, 8, 0, true },
		{ "unsigned long", "args", 16, 48, 6, false },
	};
	struct rt_writer_options opt = { .clockid = CLOCK_MONOTONIC,
					 .terse = true,
					 .level = level };
	struct rt_writer_event event = {
		.name = "raw_syscalls:sys_enter",
		.attr = { .type = RT_TYPE_TRACEPOINT,
			  .config = 22,
			  .sample_period = 1,
			  .sample_type = RT_SAMPLE_RAW },
	};
	char *text = format_make("sys_enter", 22, fields, 2, "\"NR %ld\", REC->id");
	struct rt_writer *w;
	struct rt_err err;

	event.format = text;
	if (rt_writer_open(path, &opt, &w, &err) || rt_writer_add(w, &event, &err) ||
	    rt_writer_begin(w, &err))
		die(err.text);
	free(text);
	return w;
}

struct times {
	u64 events, wall, all, first;
};

static void add_clocks(struct times *t, int sign)
{
	t->wall += sign * read_clock(CLOCK_MONOTONIC);
	t->all += sign * read_clock(CLOCK_PROCESS_CPUTIME_ID);
	t->first += sign * read_clock(CLOCK_THREAD_CPUTIME_ID);
}

/* Read all events of the rings into a file. */
static void empty(struct rt_recording *r, unsigned int threads, struct times *t)
{
	struct rt_err err;
	int ret;

	r->lanes = rt_lanes_new(r, threads);
	if (threads > 1 && !r->lanes)
		die("there are no lanes");
	add_clocks(t, -1);
	do
		ret = rt_recording_sweep(r, &err);
	while (ret > 0 && r->more);
	add_clocks(t, 1);
	if (ret < 0)
		die(err.text);
	rt_lanes_free(r->lanes);
	t->events += rt_writer_stats(r->writer)->samples;
	if (rt_writer_close(r->writer, &err))
		die(err.text);
}

int main(int argc, char **argv)
{
	static struct rig rigs[RINGS_MAX], side_rigs[RINGS_MAX];
	struct rt_event_spec spec = { .kind = RT_SPEC_TRACEPOINT };
	struct rt_recorded event = { .spec = &spec };
	u32 rings, subbufs, cpu, i;
	struct times times = { 0 };
	char path[4096];
	u64 count = 0;

	if (argc != 5 || atoi(argv[1]) < 1 || atoi(argv[1]) > RINGS_MAX)
		die("usage: lanes RINGS THREADS LEVEL DIRECTORY");
	rings = atoi(argv[1]);
	for (subbufs = SUBBUFS; subbufs * rings > ALL_SUBBUFS; subbufs /= 2)
		;
	for (cpu = 0; cpu < rings; cpu++) {
		count += fill(&rigs[cpu], cpu, subbufs);
		if (rig_make(&side_rigs[cpu], cpu, RT_MODE_DISCARD, 2, SUBBUF_BYTES, 0, NULL))
			die("the ring is refused");
	}
	snprintf(path, sizeof(path), "%s/lanes.%d", argv[4], getpid());
	for (i = 0; i < PASSES; i++) {
		struct rt_cpuring events[RINGS_MAX] = { 0 }, side[RINGS_MAX] = { 0 };
		struct rt_recording r = { .events = &event, .count = 1 };

		r.session.fd = -1; /* there is no module */
		r.session.events = events;
		r.session.side = side;
		r.session.cpus = rings;
		r.session.info.clock = RT_CLOCK_MONOTONIC;
		r.session.rings.mode = RT_MODE_DISCARD;
		for (cpu = 0; cpu < rings; cpu++) {
			attach(&events[cpu], &rigs[cpu]);
			attach(&side[cpu], &side_rigs[cpu]);
			add_tasks(&r, cpu);
		}
		r.writer = open_file(path, atoi(argv[3]));
		event.plain = rt_writer_plain(r.writer, 0);
		empty(&r, atoi(argv[2]), &times);
		unlink(path);
		if (r.skipped)
			die("events were not understood");
		rt_tasks_free(&r.tasks);
	}
	if (times.events != PASSES * count)
		die("events are missing in the file");
	printf("%llu %llu %llu %llu\n", (unsigned long long)times.events,
	       (unsigned long long)times.wall, (unsigned long long)times.all,
	       (unsigned long long)times.first);
	return 0;
}
