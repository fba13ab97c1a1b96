/* SPDX-License-Identifier: GPL-2.0 */
/*
 * record_rig.h - a recording whose rings are filled by the test: records of four CPUs with ascending times,
 * and what the file holds of them.
 */
#ifndef RECORD_RIG_H
#define RECORD_RIG_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "perfdata/layout.h"
#include "perfdata/write/writer.h"
#include "record/lanes.h"
#include "record/losses.h"
#include "record/order.h"
#include "record/recording.h"

enum { CPUS = 4, RUN = 10, PLACES = 4096 };

/* One ring: its records, and how its reader sees them. */
struct source {
	struct rt_record list[PLACES];
	struct {
		uint32_t head, serial[2];
	} payload[PLACES];
	unsigned int count, next;
	unsigned int step; /* so many are found together */
	unsigned int looks;
	unsigned int sleep_ms; /* whoever looks waits as long, once */
	bool shut;	       /* nothing is found */
	uint64_t lost;	       /* before the next record */
	struct rt_ring_status status;
	struct rt_ring_control control;
};

static struct source events[CPUS], sides[CPUS];
static struct rt_cpuring event_rings[CPUS], side_rings[CPUS];
static struct rt_side_task forks[PLACES];
static unsigned int fork_count;
static struct rt_recorded recorded;
static struct rt_event_spec spec = { .kind = RT_SPEC_KPROBE,
				     .system = (char *)"probe",
				     .name = (char *)"x" };
static char path[64] = "/tmp/record_rig.XXXXXX";
static struct rt_err err;

static const char format[] = "name: x\nID: 0\nformat:\n"
			     "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
			     "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
			     "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;"
			     "\tsigned:0;\n"
			     "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
			     "\tfield:u64 n;\toffset:8;\tsize:8;\tsigned:0;\n\n"
			     "print fmt: \"n=%llu\", REC->n\n";

static inline uint64_t clock_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

static unsigned int fill(struct rt_cpuring *ring)
{
	struct source *s = ring->source;
	unsigned int n = 0, ms = s->sleep_ms;

	s->looks++;
	s->sleep_ms = 0;
	if (ms)
		usleep(ms * 1000);
	if (s->shut)
		return 0;
	while (n < s->step && s->next < s->count)
		ring->ahead[n++] = s->list[s->next++];
	if (n && s->lost) {
		ring->lost[RT_LOST_FULL] += s->lost;
		ring->lossy = true;
		s->lost = 0;
	}
	return n;
}

static inline void open_ring(struct rt_cpuring *ring, struct source *s)
{
	memset(s, 0, sizeof(*s));
	memset(ring, 0, sizeof(*ring));
	s->step = RUN;
	s->status.subbufs = 16;
	ring->status = &s->status;
	ring->control = &s->control;
	ring->fill = fill;
	ring->source = s;
}

/* An event of this thread at this time; the file has its CPU and its number. */
static inline void add_event(unsigned int cpu, uint32_t tid, uint64_t time)
{
	struct source *s = &events[cpu];
	unsigned int i = s->count++;

	s->payload[i].head = tid;
	s->payload[i].serial[0] = i;
	s->payload[i].serial[1] = cpu;
	s->list[i] = (struct rt_record){
		.time = time, .payload = &s->payload[i], .bytes = sizeof(s->payload[i]), .id = 1
	};
}

/* The thread TID appears in the process PID. */
static inline void add_fork(unsigned int cpu, uint32_t pid, uint32_t tid, uint64_t time)
{
	struct source *s = &sides[cpu];
	struct rt_side_task *task = &forks[fork_count++];

	*task = (struct rt_side_task){ .pid = pid, .tid = tid, .ppid = 1, .ptid = 1 };
	s->list[s->count++] = (struct rt_record){
		.time = time, .payload = task, .bytes = sizeof(*task), .id = RT_SIDE_FORK
	};
}

/* So many whole sub-buffers seem to wait in the ring of a CPU. */
static inline void set_backlog(unsigned int cpu, unsigned int subbufs)
{
	events[cpu].status.head = events[cpu].control.consumed + subbufs;
}

static inline int begin(struct rt_recording *r, unsigned int threads)
{
	struct rt_writer_options opt = { .clockid = RT_WRITER_NO_CLOCKID,
					 .terse = true,
					 .no_build_ids = true };
	struct rt_writer_event desc = { .name = "probe:x",
					.attr = { .type = RT_TYPE_TRACEPOINT },
					.format = format };
	int cpu, ret;

	memset(r, 0, sizeof(*r));
	memset(&recorded, 0, sizeof(recorded));
	fork_count = 0;
	recorded.spec = &spec;
	recorded.plain = true;
	r->arch = RT_ARCH_X86_64;
	r->session.fd = -1;
	r->session.cpus = CPUS;
	r->session.events = event_rings;
	r->session.side = side_rings;
	r->session.info.clock = RT_CLOCK_MONOTONIC;
	r->events = &recorded;
	r->count = 1;
	r->path = path;
	r->hurry.looked = r->hurry.leave = true;
	for (cpu = 0; cpu < CPUS; cpu++) {
		open_ring(&event_rings[cpu], &events[cpu]);
		open_ring(&side_rings[cpu], &sides[cpu]);
	}
	ret = rt_writer_open(path, &opt, &r->writer, &err);
	if (!ret)
		ret = rt_writer_add(r->writer, &desc, &err) < 0 || rt_writer_begin(r->writer, &err);
	/* The table of tasks exists before lanes share it. */
	ret = ret ? ret : rt_tasks_set(&r->tasks, 1, 1, 0);
	r->lanes = ret ? NULL : rt_lanes_new(r, threads);
	return ret;
}

static inline int finish(struct rt_recording *r)
{
	rt_lanes_free(r->lanes);
	rt_tasks_free(&r->tasks);
	return rt_writer_close(r->writer, &err);
}

/* --- what the file has ---------------------------------------------------------------- */

struct found {
	unsigned int samples, rounds, lost, forks;
	unsigned int strange;	/* was there before, or is none of the test's */
	unsigned int backwards; /* older than the one before it */
	unsigned int wrong_pid; /* not PID_OF its thread */
	char order[256];	/* E event, S side-band, L loss, R round */
	unsigned char seen[CPUS][PLACES];
};

/* The process that the test gave this thread. */
static inline uint32_t pid_of(uint32_t tid)
{
	return tid / 1000 * 1000;
}

static inline void find_sample(struct found *f, const uint8_t *hdr, uint64_t *last)
{
	uint32_t task[2], cpu, serial[2];
	uint64_t time;

	memcpy(task, hdr + 16, sizeof(task));
	memcpy(&time, hdr + 24, sizeof(time));
	memcpy(&cpu, hdr + 32, sizeof(cpu));
	memcpy(serial, hdr + 60, sizeof(serial));
	f->backwards += time < *last;
	*last = time;
	f->wrong_pid += task[0] != pid_of(task[1]);
	f->samples++;
	if (cpu >= CPUS || serial[1] != cpu || serial[0] >= PLACES || f->seen[cpu][serial[0]]++)
		f->strange++;
}

/* Walk over the records that the header covers at this moment. */
static inline struct found find(void)
{
	const struct rt_perf_record_header *hdr;
	const struct rt_file_header *header;
	struct found f = { 0 };
	uint64_t at, end, last = 0;
	char *file = NULL, mark;
	unsigned int n = 0;
	size_t size;

	if (rt_file_read(path, 256 << 20, &file, &size))
		return f;
	header = (const void *)file;
	at = header->data.offset;
	end = at + header->data.size;
	for (; at + sizeof(*hdr) <= end && end <= size; at += hdr->size) {
		hdr = (const void *)(file + at);
		if (hdr->size < sizeof(*hdr) || at + hdr->size > end)
			break;
		mark = hdr->type == RT_PERF_RECORD_SAMPLE	  ? 'E' :
		       hdr->type == RT_PERF_RECORD_FORK		  ? 'S' :
		       hdr->type == RT_PERF_RECORD_LOST		  ? 'L' :
		       hdr->type == RT_PERF_RECORD_FINISHED_ROUND ? 'R' :
								    0;
		f.rounds += mark == 'R';
		f.lost += mark == 'L';
		f.forks += mark == 'S';
		if (mark == 'E')
			find_sample(&f, (const uint8_t *)hdr, &last);
		if (mark && n + 1 < sizeof(f.order))
			f.order[n++] = mark;
	}
	free(file);
	return f;
}

static inline uint64_t file_size(void)
{
	struct stat st;

	return stat(path, &st) ? 0 : st.st_size;
}

#endif
