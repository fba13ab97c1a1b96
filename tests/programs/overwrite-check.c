// SPDX-License-Identifier: GPL-2.0
/*
 * overwrite-check: one thread takes sub-buffers of an overwrite session while two others make
 * events, with snapshots in between.  Prints nothing and returns 0 if every record is read once and
 * in order, every snapshot is complete, and written = read + overwritten.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "agent/session.h"

/* Each thread makes CALLS calls, or what it can in SECONDS: a debug kernel is slow. */
#define CALLS	200000
#define SECONDS 30
#define ENOUGH	20000

static int failed, running = 2;
static unsigned long long made;

static time_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec;
}

static void *call_away(void *unused __attribute__((unused)))
{
	time_t end = now() + SECONDS;
	int i;

	for (i = 0; i < CALLS && (i % 64 || now() < end); i++)
		syscall(__NR_getppid);
	__atomic_fetch_add(&made, i, __ATOMIC_RELAXED);
	__atomic_fetch_sub(&running, 1, __ATOMIC_RELEASE);
	return NULL;
}

static void fail(const char *what, unsigned long long detail)
{
	if (failed++ < 10)
		printf("# %s (%llu)\n", what, detail);
}

/* Copy everything that a ring holds now; each copy must hold what its header says. */
static unsigned long long snapshot(struct rt_agent_session *s, uint32_t cpu, void *room)
{
	struct rt_copy copy = { .size = sizeof(copy), .cpu = cpu };
	unsigned long long records = 0;
	struct rt_subbuf_reader r;
	struct rt_record rec;
	__u64 seq, newest, last = 0;

	if (ioctl(s->fd, RT_IOC_COPY, &copy)) {
		fail("COPY does not tell the span", errno);
		return 0;
	}
	newest = copy.newest;
	copy.to = (uintptr_t)room;
	copy.bytes = s->rings.subbuf_bytes;
	for (seq = copy.oldest; seq <= newest; seq++) {
		const struct rt_subbuf *sub = room;

		copy.seq = seq;
		if (ioctl(s->fd, RT_IOC_COPY, &copy)) {
			if (errno != ENOENT)
				fail("COPY fails", errno);
			continue;
		}
		if (rt_subbuf_open(&r, room, s->rings.subbuf_bytes, NULL) || sub->seq != seq) {
			fail("a copy is not what was asked for", seq);
			continue;
		}
		while (rt_subbuf_next(&r, &rec)) {
			if (rec.time < last)
				fail("time goes back in a snapshot", seq);
			last = rec.time;
		}
		if (r.records != RT_SUBBUF_RECORDS(sub->commit) || r.damaged)
			fail("a copy is torn", seq);
		records += r.records;
	}
	return records;
}

static void refusals(struct rt_agent_session *s)
{
	struct rt_take take = { .size = sizeof(take), .cpu = 100000 };
	struct rt_copy copy = { .size = sizeof(copy), .to = 8, .bytes = 8 };

	if (!ioctl(s->fd, RT_IOC_TAKE, &take) || errno != ENXIO)
		fail("TAKE of no CPU is not refused", errno);
	if (!ioctl(s->fd, RT_IOC_COPY, &copy) || errno != EINVAL ||
	    copy.refusal.reason != RT_REFUSED_RING_SIZE)
		fail("COPY into too little room is not refused", errno);
	copy.to = 8;
	copy.bytes = s->rings.subbuf_bytes;
	copy.seq = copy.newest;
	if (!ioctl(s->fd, RT_IOC_COPY, &copy) || (errno != EFAULT && errno != ENOENT))
		fail("COPY to nowhere is not refused", errno);
}

int main(void)
{
	struct rt_rings shape = { .mode = RT_MODE_OVERWRITE, .subbuf_bytes = 0, .subbufs = 4 };
	struct rt_event_add add = { .kind = RT_KIND_TRACEPOINT,
				    .name = (uintptr_t) "raw_syscalls:sys_enter" };
	unsigned long long read = 0, overwritten = 0, copied = 0, rounds = 0;
	__u64 *last;
	struct rt_counts counts;
	struct rt_agent_session s;
	pthread_t thread[2];
	struct rt_err err;
	uint32_t cpu;
	void *room;
	int last_round;

	if (rt_agent_session_open(&s, &shape, &err) || rt_agent_session_add(&s, &add, &err) ||
	    rt_agent_session_target(&s, RT_TARGET_PROCESS, getpid(), &err) ||
	    rt_agent_session_target(&s, RT_TARGET_INHERIT, 1, &err) ||
	    rt_agent_session_enable(&s, &err)) {
		printf("# %s\n", err.text);
		return 1;
	}
	room = malloc(s.rings.subbuf_bytes);
	last = calloc(s.cpus, sizeof(*last));
	if (!room || !last)
		return 1;
	refusals(&s);
	pthread_create(&thread[0], NULL, call_away, NULL);
	pthread_create(&thread[1], NULL, call_away, NULL);
	do {
		last_round = !__atomic_load_n(&running, __ATOMIC_ACQUIRE);
		if (last_round && rt_agent_session_disable(&s, &err))
			fail(err.text, 0);
		for (cpu = 0; cpu < s.cpus; cpu++)
			copied += snapshot(&s, cpu, room);
		if ((last_round || rounds++ % 4 == 0) && rt_agent_session_drain(&s, &err))
			fail(err.text, 0);
		for (cpu = 0; cpu < s.cpus; cpu++) {
			const struct rt_record *rec;

			for (; (rec = rt_cpuring_peek(&s.events[cpu]));
			     rt_cpuring_take(&s.events[cpu])) {
				if (rec->time < last[cpu])
					fail("time goes back", rec->time);
				last[cpu] = rec->time;
				read++;
			}
		}
	} while (!last_round);
	for (cpu = 0; cpu < s.cpus; cpu++)
		if (s.events[cpu].status)
			overwritten += s.events[cpu].status->overwritten;
	if (rt_agent_session_counts(&s, 1, RT_COUNTS_ALL, &counts, &err))
		fail(err.text, 0);
	if (counts.written != read + overwritten)
		fail("written and not accounted for", counts.written - read - overwritten);
	if (made < ENOUGH)
		fail("too few calls were made for the rings to go round", made);
	if (counts.written < made)
		fail("too few were written", counts.written);
	if (!read || !copied)
		fail("nothing was read, or copied", read);
	printf("# %llu written, %llu read, %llu overwritten, %llu copied in %llu rounds\n",
	       (unsigned long long)counts.written, read, overwritten, copied, rounds);
	pthread_join(thread[0], NULL);
	pthread_join(thread[1], NULL);
	rt_agent_session_close(&s);
	return failed != 0;
}
