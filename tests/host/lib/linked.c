// SPDX-License-Identifier: GPL-2.0
/* linked.c - a program to be recorded: recursion, a callback of the C library's, a second thread. */
#include <pthread.h>
#include <stdlib.h>

#define TWISTS	500
#define NUMBERS 400
#define ROUNDS	150

static volatile unsigned long sink;

static __attribute__((noinline)) unsigned long leaf(unsigned long x)
{
	int i;

	for (i = 0; i < TWISTS; i++)
		x ^= x << 13 ^ x >> 7;
	return x;
}

static __attribute__((noinline)) unsigned long deeper(unsigned long x, int depth)
{
	return depth ? deeper(leaf(x), depth - 1) + 1 : leaf(x) + 1;
}

static int by_value(const void *a, const void *b)
{
	return leaf(*(const int *)a) < leaf(*(const int *)b) ? -1 : 1;
}

static void *work(void *arg)
{
	int numbers[NUMBERS], i, round;

	for (round = 0; round < ROUNDS; round++) {
		for (i = 0; i < NUMBERS; i++)
			numbers[i] = rand();
		qsort(numbers, NUMBERS / 10, sizeof(*numbers), by_value);
		sink += deeper((unsigned long)round, 20);
	}
	return NULL;
}

int main(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, work, NULL))
		return 1;
	work(NULL);
	return pthread_join(thread, NULL);
}
