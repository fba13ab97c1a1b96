// SPDX-License-Identifier: GPL-2.0
/*
 * fork-beside THREADS [watched] - how long one process waits from a fork to the end of its child, while the
 * threads of another process get a watch and lose it again.  Meant for -icount, where a nanosecond of
 * guest time is an instruction.  "watched": another session watches a word of the process that forks, so
 * that each child gets a watch, too.
 *
 * Prints a line for each phase: its name, the longest wait in nanoseconds, the number of forks, and how
 * long the phase took.  In the phase "busy" a third process only keeps the CPU busy: the scheduler alone
 * makes forks wait for it.
 */
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "rt_bench.h"

#define STACK	   16384
#define PHASE_NS   300000000LL
#define ALWAYS_MIN 20 /* forks in a phase that ends with the time */

enum phase { IDLE, BUSY, ARM, ARMED, DISARM, CLOSE, BETWEEN, PHASES };

static const char *const names[] = { "idle", "busy", "arm", "armed", "disarm", "close", "between" };

static struct shared {
	volatile int phase;
	volatile int ready;
	volatile long long longest[PHASES];
	volatile long forks[PHASES];
	long long took[PHASES];
} * shared;

static volatile long watched __attribute__((aligned(64), section(".data")));

static void *sleeper(void *unused)
{
	(void)unused;
	for (;;)
		pause();
	return NULL;
}

/* The process that is watched. */
static void crowd(int threads)
{
	pthread_attr_t attr;
	pthread_t thread;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK);
	while (--threads > 0)
		if (pthread_create(&thread, &attr, sleeper, NULL))
			die("pthread_create");
	shared->ready = 1;
	sleeper(NULL);
}

static void note(int phase, long long took)
{
	if (took > shared->longest[phase])
		shared->longest[phase] = took;
}

/*
 * The process that forks, and belongs to nobody.  A fork may begin in one phase and wait in the next: its
 * wait counts in both.
 */
static void forker(void)
{
	long long begin, took;
	int phase, status;
	pid_t pid;

	for (;;) {
		phase = shared->phase;
		begin = now();
		pid = fork();
		if (!pid)
			_exit(0);
		if (pid < 0 || waitpid(pid, &status, 0) != pid)
			die("fork");
		took = now() - begin;
		shared->forks[phase]++;
		note(phase, took);
		note(shared->phase, took);
	}
}

static pid_t start(void (*run)(void))
{
	pid_t pid = fork();

	if (!pid)
		run();
	return pid;
}

static void spin(void)
{
	for (;;)
		;
}

static void stop(pid_t pid)
{
	int status;

	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
}

/* The forks from now on belong to PHASE; returns when it began. */
static long long enter(enum phase phase)
{
	shared->phase = phase;
	return now();
}

static void stay(enum phase phase)
{
	enter(phase);
	do
		usleep(PHASE_NS / 1000);
	while (shared->forks[phase] < ALWAYS_MIN);
	enter(BETWEEN);
}

static void check(int failed, const struct rt_err *err)
{
	if (!failed)
		return;
	fprintf(stderr, "%s\n", err->text);
	exit(1);
}

/* A session that is to watch the process and its children. */
static void prepare(struct rt_agent_session *s, pid_t pid)
{
	struct rt_event_add add = {
		.kind = RT_KIND_WATCHPOINT,
		.watch.address = (uintptr_t)&watched,
		.watch.length = 8,
		.watch.access = RT_ACCESS_WRITE,
	};
	struct rt_rings shape = { 0 };
	struct rt_err err;

	check(rt_agent_session_open(s, &shape, &err), &err);
	check(rt_agent_session_add(s, &add, &err), &err);
	check(rt_agent_session_target(s, RT_TARGET_INHERIT, 1, &err), &err);
	check(rt_agent_session_target(s, RT_TARGET_PROCESS, pid, &err), &err);
}

int main(int argc, char **argv)
{
	struct rt_agent_session s, theirs;
	struct rt_err err;
	long long begin;
	pid_t many, other, busy;
	int i;

	if (argc < 2)
		return 2;
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	many = fork();
	if (!many)
		crowd(atoi(argv[1]));
	while (!shared->ready)
		usleep(1000);
	prepare(&s, many);
	enter(BETWEEN);

	other = start(forker);
	if (argc > 2) {
		prepare(&theirs, other);
		check(rt_agent_session_enable(&theirs, &err), &err);
	}
	stay(IDLE);
	busy = start(spin);
	stay(BUSY);
	stop(busy);
	begin = enter(ARM);
	check(rt_agent_session_enable(&s, &err), &err);
	shared->took[ARM] = now() - begin;
	stay(ARMED);
	begin = enter(DISARM);
	check(rt_agent_session_disable(&s, &err), &err);
	shared->took[DISARM] = now() - begin;
	begin = enter(CLOSE);
	rt_agent_session_close(&s);
	shared->took[CLOSE] = now() - begin;
	enter(BETWEEN);
	usleep(PHASE_NS / 1000);

	stop(other);
	stop(many);
	for (i = 0; i < PHASES; i++)
		printf("%s %lld %ld %lld\n", names[i], shared->longest[i], shared->forks[i],
		       shared->took[i]);
	return 0;
}
