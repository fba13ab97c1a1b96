// SPDX-License-Identifier: GPL-2.0
/*
 * rt_bench_storm PROCESSES SECONDS [threads] [held] - system calls as fast as they go.
 *
 * Each process stays on one CPU.  With `threads` each of them makes one thread after another, which make
 * a thousand calls each.  Prints how many calls there were.  A recording that keeps only getppid() has as
 * many events, written or lost.
 *
 * With `held` the program that started it, a recorder, stands still for the first half of that time: its
 * rings fill, on any machine.
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define BATCH 1000 /* calls between two looks at the clock */

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static void *batch(void *unused)
{
	int i;

	for (i = 0; i < BATCH; i++)
		syscall(SYS_getppid);
	return unused;
}

static void in_thread(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, batch, NULL))
		exit(1);
	pthread_join(thread, NULL);
}

static uint64_t storm(int number, double until, int threads)
{
	uint64_t calls = 0;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(number % (int)sysconf(_SC_NPROCESSORS_ONLN), &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		exit(1);
	for (; now() < until; calls += BATCH) {
		if (threads)
			in_thread();
		else
			batch(NULL);
	}
	return calls;
}

static bool asked(int argc, char **argv, const char *word)
{
	int i;

	for (i = 3; i < argc; i++)
		if (!strcmp(argv[i], word))
			return true;
	return false;
}

/* Not getppid(), which may be what is recorded. */
static pid_t parent_of_this(void)
{
	FILE *stat = fopen("/proc/self/stat", "r");
	int parent;

	if (!stat || fscanf(stat, "%*d %*s %*c %d", &parent) != 1)
		exit(1);
	fclose(stat);
	return parent;
}

/* Stop the parent; a process of its own lets it go on. */
static void hold_parent(double seconds)
{
	pid_t parent = parent_of_this();

	if (kill(parent, SIGSTOP))
		exit(1);
	if (!fork()) {
		usleep(seconds * 1e6);
		_exit(kill(parent, SIGCONT) != 0);
	}
}

int main(int argc, char **argv)
{
	int threads = asked(argc, argv, "threads"), held = asked(argc, argv, "held");
	int processes = argc > 1 ? atoi(argv[1]) : 0, i, failed = 0, status;
	double seconds = argc > 2 ? atof(argv[2]) : 0, until;
	uint64_t sum = 0, *calls;

	if (processes <= 0 || seconds <= 0) {
		fprintf(stderr, "usage: rt_bench_storm PROCESSES SECONDS [threads] [held]\n");
		return 2;
	}
	calls = mmap(NULL, processes * sizeof(*calls), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (calls == MAP_FAILED)
		return 1;
	if (held)
		hold_parent(seconds / 2);
	until = now() + seconds;
	for (i = 0; i < processes; i++) {
		if (!fork()) {
			calls[i] = storm(i, until, threads);
			_exit(0);
		}
	}
	while (wait(&status) > 0)
		failed |= status;
	for (i = 0; i < processes; i++)
		sum += calls[i];
	printf("%llu\n", (unsigned long long)sum);
	return failed != 0;
}
