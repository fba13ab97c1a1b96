// SPDX-License-Identifier: GPL-2.0
/*
 * poll-check: when poll() reports data, in TAP.
 *
 * A worker bound to one CPU makes system calls, each of which is a record; the rings of the other
 * CPUs stay empty.  The writer must wake a reader that sleeps in poll(): the timeout is far longer
 * than the machine needs.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "agent/session.h"

#define LIMIT_MS 120000
#define CALLS	 1000000 /* more than enough to fill any ring */

static int tests, failed;
static struct rt_agent_session s;

static void check(int good, const char *what)
{
	printf("%sok %d - %s\n", good ? "" : "not ", ++tests, what);
	failed += !good;
}

static int readable(int limit)
{
	struct pollfd ready = { .fd = s.fd, .events = POLLIN };

	return poll(&ready, 1, limit) == 1 && ready.revents == POLLIN;
}

static void begin(uint32_t mode, uint32_t subbufs, uint32_t watermark)
{
	struct rt_rings shape = { .mode = mode,
				  .subbuf_bytes = sysconf(_SC_PAGESIZE),
				  .subbufs = subbufs,
				  .watermark = watermark };
	struct rt_event_add add = { .kind = RT_KIND_SYSCALL_ENTER, .syscall.number = __NR_getppid };
	struct rt_err err;

	if (rt_agent_session_open(&s, &shape, &err) || rt_agent_session_add(&s, &add, &err) ||
	    rt_agent_session_target(&s, RT_TARGET_PROCESS, getpid(), &err) ||
	    rt_agent_session_enable(&s, &err)) {
		printf("Bail out! %s\n", err.text);
		exit(1);
	}
}

/* The number of complete sub-buffers that wait in the ring of CPU 0. */
static long long waiting(void)
{
	return __atomic_load_n(&s.events[0].status->head, __ATOMIC_ACQUIRE) -
	       s.events[0].control->consumed;
}

static unsigned long long lost(void)
{
	return __atomic_load_n(&s.events[0].status->lost[RT_LOST_FULL], __ATOMIC_ACQUIRE);
}

/* Make calls until WANT sub-buffers wait; with FULL, until the ring is full. */
static void make(long long want, int full)
{
	long i;

	for (i = 0; i < CALLS && (full ? !lost() : waiting() < want); i++)
		syscall(__NR_getppid);
}

static void read_all(void)
{
	uint32_t cpu;

	for (cpu = 0; cpu < s.cpus; cpu++) {
		while (rt_cpuring_peek(&s.events[cpu]))
			rt_cpuring_take(&s.events[cpu]);
		while (rt_cpuring_peek(&s.side[cpu]))
			rt_cpuring_take(&s.side[cpu]);
	}
}

static volatile int sleeper;

static void *sleep_in_poll(void *woken)
{
	sleeper = syscall(__NR_gettid);
	*(int *)woken = readable(LIMIT_MS);
	return NULL;
}

/* Whether WANT sub-buffers, and not more, wake a thread that sleeps in poll(). */
static int wakes(long long want, int full)
{
	char name[64], state = 0;
	int woken = 0;
	pthread_t thread;
	FILE *f;

	sleeper = 0;
	pthread_create(&thread, NULL, sleep_in_poll, &woken);
	while (state != 'S') {
		usleep(10000);
		snprintf(name, sizeof(name), "/proc/self/task/%d/stat", sleeper);
		f = sleeper ? fopen(name, "r") : NULL;
		if (f && fscanf(f, "%*d (%*[^)]) %c", &state) != 1)
			state = 0;
		if (f)
			fclose(f);
	}
	make(want, full);
	pthread_join(thread, NULL);
	return woken;
}

static void discard_mode(void)
{
	int early = 0;

	begin(RT_MODE_DISCARD, 2, 0);
	check(s.rings.watermark == 1, "of two sub-buffers one makes a reader look");
	check(!readable(0), "rings that nothing was written to are not readable");
	check(wakes(1, 0),
	      "two sub-buffers: the one wake-up that there is finds the ring readable");
	check(readable(0), "it stays readable until it is read");
	read_all();
	check(waiting() == 0 && !readable(0),
	      "read to its end, it is not readable, nor are the others");
	check(wakes(1, 0), "the next one wakes again");
	rt_agent_session_close(&s);

	begin(RT_MODE_DISCARD, 8, 3);
	while (waiting() < 3) {
		early += readable(0);
		syscall(__NR_getppid);
	}
	check(!early, "below the watermark it is not readable");
	check(readable(0), "at the watermark it is");
	rt_agent_session_close(&s);

	begin(RT_MODE_DISCARD, 4, 4);
	check(s.rings.watermark == 3, "a watermark of all sub-buffers is lowered by the open one");
	check(wakes(0, 1), "and a ring that fills up wakes its reader");
	rt_agent_session_close(&s);
}

/* In overwrite mode a ring wakes nobody unless a watermark was set. */
static void overwrite_mode(void)
{
	struct rt_take take = { .size = sizeof(take) };

	begin(RT_MODE_OVERWRITE, 4, 0);
	make(9, 0);
	check(!readable(0), "overwrite mode: without a watermark it is never readable");
	rt_agent_session_close(&s);

	begin(RT_MODE_OVERWRITE, 4, 2);
	check(!readable(0), "overwrite mode with a watermark: an empty ring is not readable");
	check(wakes(2, 0), "two whole sub-buffers wake the reader");
	check(readable(0) && !ioctl(s.fd, RT_IOC_TAKE, &take) && !readable(0),
	      "one of them taken, it is not readable");
	make(20, 0);
	check(readable(0), "a ring that has gone round is readable");
	while (!ioctl(s.fd, RT_IOC_TAKE, &take))
		;
	check(errno == EAGAIN && !readable(0), "all taken, it is not");
	rt_agent_session_close(&s);
}

int main(void)
{
	cpu_set_t first;

	CPU_ZERO(&first);
	CPU_SET(0, &first);
	if (sched_setaffinity(0, sizeof(first), &first)) {
		printf("Bail out! cannot stay on CPU 0\n");
		return 1;
	}
	discard_mode();
	overwrite_mode();
	printf("1..%d\n", tests);
	return !!failed;
}
