// SPDX-License-Identifier: GPL-2.0
/* probe-parts - functions that the compiler splits and joins again, or of which no instruction is left. */
#include <stddef.h>
#include <stdlib.h>

extern volatile int gate;
volatile int gate;
static int *volatile buffer;

int first(const int *p);
int second(void);

/* gcc -O3 inlines the first line and what follows it as two functions. */
static int split(int n)
{
	if (n == 0)
		return 0;
	gate += n;
	gate *= 3;
	gate ^= 7;
	gate += n;
	gate *= 3;
	gate ^= 7;
	gate += n;
	return gate;
}

static inline void nothing(int n)
{
	__asm__ volatile("" : : : "memory");
}

__attribute__((noinline)) int first(const int *p)
{
	nothing(1);
	return (buffer ? *buffer : 7) + split(*p);
}

__attribute__((noinline)) int second(void)
{
	nothing(2);
	return gate + (buffer ? split(*buffer) : 3);
}

int main(int argc, char **argv)
{
	int n = argc;

	buffer = argc > 3 ? &n : NULL;
	return first(&n) + second() > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
