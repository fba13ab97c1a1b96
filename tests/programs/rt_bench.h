/* SPDX-License-Identifier: GPL-2.0 */
/*
 * rt_bench.h - shared by the benchmarks inside a guest.  Meant for -icount, where a nanosecond of
 * guest time is an instruction, and one CPU.
 */
#ifndef RT_BENCH_H
#define RT_BENCH_H

#include <fcntl.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "agent/session.h"

#define EVENTS	   10000
#define ROUNDS	   3
#define PERF_PAGES 4096U

static inline void die(const char *what)
{
	perror(what);
	exit(1);
}

static inline long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static inline int put(const char *path, const char *text, int flags)
{
	int fd = open(path, O_WRONLY | flags), ret;

	if (fd < 0)
		return -1;
	ret = write(fd, text, strlen(text)) < 0 ? -1 : 0;
	close(fd);
	return ret;
}

static inline void must_put(const char *path, const char *text, int flags)
{
	if (put(path, text, flags))
		die(path);
}

/* The measured task runs until it waits for another one. */
static inline void in_turn(void)
{
	struct sched_param priority = { .sched_priority = 1 };

	if (sched_setscheduler(0, SCHED_FIFO, &priority))
		die("SCHED_FIFO");
}

/* --- measuring ------------------------------------------------------------------- */

static inline double measure(void (*make)(int n))
{
	double best = 0, t;
	long long begin;
	int round;

	for (round = 0; round < ROUNDS; round++) {
		begin = now();
		make(EVENTS);
		t = now() - begin;
		if (!round || t < best)
			best = t;
	}
	return best;
}

static double base; /* the time with nothing armed, measured just before */

/* A line of the result: see the programs. */
static inline void tell_cost(const char *name, const char *who, double cost, double bytes,
			     double events, double lost)
{
	printf("%s %s %.1f %.1f %.0f %.0f\n", name, who, cost, bytes, events, lost);
	fflush(stdout);
}

static inline void tell(const char *name, const char *who, double t, double bytes, double events,
			double lost)
{
	tell_cost(name, who, (t - base) / EVENTS, bytes, events, lost);
}

/* --- ringtail's session, perf's ring --------------------------------------------- */

static inline void read_session(struct rt_agent_session *s, double *bytes, double *events)
{
	const struct rt_record *rec;
	uint32_t cpu;

	*bytes = *events = 0;
	for (cpu = 0; cpu < s->cpus; cpu++)
		for (; (rec = rt_cpuring_peek(&s->events[cpu])); rt_cpuring_take(&s->events[cpu])) {
			*bytes += rec->bytes + RT_RECORD_HEADER;
			++*events;
		}
	*bytes /= *events ? *events : 1;
}

static inline double lost(const struct rt_counts *counts)
{
	double sum = 0;
	int i;

	for (i = 0; i < RT_LOST_CAUSES; i++)
		sum += counts->lost[i];
	return sum;
}

struct perf_ring {
	int fd;
	struct perf_event_mmap_page *page;
	size_t bytes;
};

/* Open it for the whole machine, enabled. */
static inline void perf_ring_open(struct perf_ring *ring, struct perf_event_attr *attr)
{
	ring->bytes = (1 + PERF_PAGES) * sysconf(_SC_PAGESIZE);
	ring->fd = syscall(SYS_perf_event_open, attr, -1, 0, -1, 0);
	if (ring->fd < 0)
		die("perf_event_open");
	ring->page = mmap(NULL, ring->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd, 0);
	if (ring->page == MAP_FAILED)
		die("mmap of perf's ring");
	ioctl(ring->fd, PERF_EVENT_IOC_ENABLE, 0);
}

static inline void perf_ring_close(struct perf_ring *ring)
{
	munmap(ring->page, ring->bytes);
	close(ring->fd);
}

#endif
