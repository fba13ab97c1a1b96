// SPDX-License-Identifier: GPL-2.0
/*
 * work - a program to be recorded: deep and shallow stacks, a leaf function, an inlined
 * one, a second thread with a name of its own, page faults, a child that execs.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define TWISTS	2000
#define NUMBERS 1000
#define PAGES	64

static volatile unsigned long sink;

static inline __attribute__((always_inline)) unsigned long twist(unsigned long x)
{
	x ^= x << 13;
	x ^= x >> 7;
	return x ^ x << 17;
}

static __attribute__((noinline)) unsigned long leaf(unsigned long x)
{
	int i;

	for (i = 0; i < TWISTS; i++)
		x = twist(x);
	return x;
}

static __attribute__((noinline)) unsigned long middle(unsigned long x, int depth)
{
	return depth ? middle(leaf(x), depth - 1) + 1 : leaf(x) + 1;
}

static int by_value(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static __attribute__((noinline)) void sort(int round)
{
	int numbers[NUMBERS], i;

	for (i = 0; i < NUMBERS; i++)
		numbers[i] = rand() ^ round;
	qsort(numbers, NUMBERS, sizeof(*numbers), by_value);
	sink += (unsigned long)numbers[0];
}

static __attribute__((noinline)) void touch(void)
{
	long page = sysconf(_SC_PAGESIZE);
	char *p = mmap(NULL, (size_t)(PAGES * page), PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int i;

	if (p == MAP_FAILED)
		return;
	for (i = 0; i < PAGES; i++)
		p[i * page] = 1;
	munmap(p, (size_t)(PAGES * page));
}

static void *second(void *arg)
{
	int rounds = *(int *)arg, i;

	prctl(PR_SET_NAME, "second thread");
	for (i = 0; i < rounds; i++)
		sink += middle((unsigned long)i + 1, 5);
	return NULL;
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 100, i, status;
	pthread_t thread;

	if (pthread_create(&thread, NULL, second, &rounds))
		return 1;
	for (i = 0; i < rounds; i++) {
		sort(i);
		sink += middle((unsigned long)i, 8);
		if (i % 16 == 0)
			touch();
	}
	pthread_join(thread, NULL);
	if (argc > 2) { /* work ROUNDS PROGRAM: run it in the end */
		if (!fork()) {
			execvp(argv[2], argv + 2);
			_exit(127);
		}
		wait(&status);
	}
	return 0;
}
