// SPDX-License-Identifier: GPL-2.0
/*
 * A function that the compiler splits: its callers contain the beginning and enter get.part.0, a call through
 * the pointer enters get, and that jumps to get.part.0.
 */
#include <stdio.h>

long get(const char *name, int rounds);

volatile int sink;
int skip;
static long (*volatile pointer)(const char *name, int rounds) = get;

long get(const char *name, int rounds)
{
	long sum = 0;
	int i;

	if (skip)
		return 0;
	for (i = 0; i < rounds; i++) {
		sum += name[i % 3] * i;
		if (sum > 1000000)
			printf("%ld\n", sum);
		sink ^= i;
		sum ^= sink;
		sum = sum * 31 + sink;
		sink -= name[1];
	}
	sink++;
	return sum;
}

static __attribute__((noinline)) long first(const char *name)
{
	long sum = get(name, 1 + (sink & 1));

	sink++;
	return sum + 1;
}

static __attribute__((noinline)) long second(const char *name)
{
	long sum = get(name, 2 + (sink & 1));

	sink++;
	return sum + 2;
}

int main(int argc, char **argv)
{
	return (first(argv[0]) + second(argv[0]) + pointer(argv[0], argc)) & 1;
}
