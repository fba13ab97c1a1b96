// SPDX-License-Identifier: GPL-2.0
/*
 * rt_bench_storm CPUS SECONDS - system calls as fast as they go, on so many CPUs.
 *
 * Prints how many there were.  A recording that keeps only getppid() has as many events, written
 * or lost.
 */
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
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

static uint64_t storm(int cpu, double until)
{
	uint64_t calls = 0;
	cpu_set_t set;
	int i;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		return 0;
	while (now() < until) {
		for (i = 0; i < BATCH; i++)
			syscall(SYS_getppid);
		calls += BATCH;
	}
	return calls;
}

int main(int argc, char **argv)
{
	int cpus = argc > 1 ? atoi(argv[1]) : 0, i;
	double seconds = argc > 2 ? atof(argv[2]) : 0, until;
	uint64_t sum = 0, *calls;

	if (cpus <= 0 || seconds <= 0) {
		fprintf(stderr, "usage: rt_bench_storm CPUS SECONDS\n");
		return 2;
	}
	calls = mmap(NULL, cpus * sizeof(*calls), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (calls == MAP_FAILED)
		return 1;
	until = now() + seconds;
	for (i = 0; i < cpus; i++) {
		if (!fork()) {
			calls[i] = storm(i % (int)sysconf(_SC_NPROCESSORS_ONLN), until);
			_exit(0);
		}
	}
	while (wait(NULL) > 0)
		;
	for (i = 0; i < cpus; i++)
		sum += calls[i];
	printf("%llu\n", (unsigned long long)sum);
	return 0;
}
