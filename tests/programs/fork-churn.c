// SPDX-License-Identifier: GPL-2.0
/*
 * fork-churn FORKS - the cost of following forks to other tasks, and of a watch to a fork.  Meant for
 * -icount, where a nanosecond of guest time is an instruction, and one CPU.
 *
 * A worker process, unrelated to this one, forks.  Prints three lines:
 *
 *   syscall BEFORE AFTER WRITTEN     one system call of ours, before and after the worker has
 *                                    forked FORKS times, with a session that follows the worker;
 *                                    each child makes one call that is recorded
 *   others UNARMED ARMED             one fork of ours, without and with a watch on the worker
 *   followed UNARMED ARMED WRITTEN MISSED
 *                                    one fork of the worker; each child writes to the watched word
 */
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/wait.h>

#include "rt_bench.h"

#define CALLS	       1000
#define FORKS_MEASURED 100 /* in each of ROUNDS */

static volatile long watched __attribute__((aligned(64), section(".data")));

static int to_worker[2], from_worker[2];
static char stack[16384] __attribute__((aligned(16)));

static int call_once(void *unused)
{
	(void)unused;
	syscall(SYS_getppid);
	_exit(0);
}

/* Create tasks as cheaply as possible. */
static void churn(long forks)
{
	int status;
	pid_t pid;

	while (forks-- > 0) {
		pid = clone(call_once, stack + sizeof(stack), CLONE_VM | CLONE_VFORK | SIGCHLD,
			    NULL);
		if (pid < 0 || waitpid(pid, &status, 0) != pid)
			die("clone");
	}
}

static void fork_many(int n)
{
	int status;
	pid_t pid;

	while (n--) {
		pid = fork();
		if (!pid) {
			watched = n;
			_exit(0);
		}
		if (pid < 0 || waitpid(pid, &status, 0) != pid)
			die("fork");
	}
}

static void call_many(int n)
{
	while (n--)
		syscall(SYS_getppid);
}

static double best_of(void (*make)(int n), int n)
{
	double best = 0, t;
	long long begin;
	int round;

	make(n / 10);
	for (round = 0; round < ROUNDS; round++) {
		begin = now();
		make(n);
		t = now() - begin;
		if (!round || t < best)
			best = t;
	}
	return best / n;
}

/* Serve requests: FORKS > 0: fork that often; 0: measure. */
static void work(void)
{
	double cost = 0;
	long forks;

	while (read(to_worker[0], &forks, sizeof(forks)) == sizeof(forks)) {
		if (forks)
			churn(forks);
		else
			cost = best_of(fork_many, FORKS_MEASURED);
		if (write(from_worker[1], &cost, sizeof(cost)) != sizeof(cost))
			die("write");
	}
	_exit(0);
}

static double ask_worker(long forks)
{
	double cost;

	if (write(to_worker[1], &forks, sizeof(forks)) != sizeof(forks) ||
	    read(from_worker[0], &cost, sizeof(cost)) != sizeof(cost))
		die("worker");
	return cost;
}

static void open_following(struct rt_agent_session *s, struct rt_event_add *add, pid_t worker)
{
	struct rt_rings shape = { 0 };
	struct rt_err err;

	if (rt_agent_session_open(s, &shape, &err) || rt_agent_session_add(s, add, &err) ||
	    rt_agent_session_target(s, RT_TARGET_INHERIT, 1, &err) ||
	    rt_agent_session_target(s, RT_TARGET_PROCESS, worker, &err) ||
	    rt_agent_session_enable(s, &err)) {
		fprintf(stderr, "%s\n", err.text);
		exit(1);
	}
}

static void counts_of(struct rt_agent_session *s, struct rt_counts *counts)
{
	struct rt_err err;

	if (rt_agent_session_disable(s, &err) ||
	    rt_agent_session_counts(s, 1, RT_COUNTS_ALL, counts, &err)) {
		fprintf(stderr, "%s\n", err.text);
		exit(1);
	}
}

static void measure_syscall(pid_t worker, long forks)
{
	struct rt_event_add add = { .kind = RT_KIND_SYSCALL_ENTER, .syscall.number = SYS_getppid };
	struct rt_counts counts;
	struct rt_agent_session s;
	double before, after;

	open_following(&s, &add, worker);
	before = best_of(call_many, CALLS);
	ask_worker(forks);
	after = best_of(call_many, CALLS);
	counts_of(&s, &counts);
	rt_agent_session_close(&s);
	printf("syscall %.0f %.0f %llu\n", before, after, (unsigned long long)counts.written);
}

static void measure_forks(pid_t worker)
{
	struct rt_event_add add = {
		.kind = RT_KIND_WATCHPOINT,
		.watch.address = (uintptr_t)&watched,
		.watch.length = 8,
		.watch.access = RT_ACCESS_WRITE,
	};
	double ours, theirs, unarmed_ours, unarmed_theirs;
	unsigned long long missed = 0;
	struct rt_counts counts;
	struct rt_agent_session s;
	int i;

	unarmed_ours = best_of(fork_many, FORKS_MEASURED);
	unarmed_theirs = ask_worker(0);
	open_following(&s, &add, worker);
	theirs = ask_worker(0);
	ours = best_of(fork_many, FORKS_MEASURED);
	counts_of(&s, &counts);
	rt_agent_session_close(&s);
	for (i = 0; i < RT_MISSED_REASONS; i++)
		missed += counts.missed[i];
	printf("others %.0f %.0f\n", unarmed_ours, ours);
	printf("followed %.0f %.0f %llu %llu\n", unarmed_theirs, theirs,
	       (unsigned long long)counts.written, missed);
}

int main(int argc, char **argv)
{
	int status;
	pid_t worker;

	if (argc != 2)
		return 2;
	if (pipe(to_worker) || pipe(from_worker))
		die("pipe");
	worker = fork();
	if (!worker) {
		close(to_worker[1]);
		work();
	}
	measure_syscall(worker, atol(argv[1]));
	measure_forks(worker);
	close(to_worker[1]);
	waitpid(worker, &status, 0);
	return 0;
}
