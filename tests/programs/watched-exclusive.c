// SPDX-License-Identifier: GPL-2.0
/*
 * watched-exclusive - a process that writes a variable in ways that are hard to watch.
 *
 * Prints "ADDRESS", and does what its arguments say, each WORD N:
 *
 *	counted N	+1 in a loop of load-exclusive and store-exclusive (arm64; else an atomic addition)
 *	strange N	the same, with a load in the loop
 *	doubled N	the same, of a pair of eight bytes
 *	atomic N	+1 by the compiler's atomic
 *	threads N	as counted, in four threads at once
 *	added N		as atomic, in four threads at once
 *	refilled N	a store of 1, and read(2) of 0 into the variable
 *	idle N		a store of the current value, by one instruction with the same registers
 *
 * At the end it prints "VALUE ATTEMPTS"; the attempts are those of `counted`.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define VARIABLE __attribute__((aligned(64), section(".data")))
static volatile long value[2] VARIABLE;
static volatile long other[8] VARIABLE;
static volatile long left VARIABLE;
static long attempts;

void count(void);
__attribute__((noinline, noclone)) void count(void)
{
	long tries = 0;
#ifdef __aarch64__
	long v, fail;

	__asm__ volatile("1:	ldxr	%0, %3\n"
			 "	add	%2, %2, #1\n"
			 "	add	%0, %0, #1\n"
			 "	stxr	%w1, %0, %3\n"
			 "	cbnz	%w1, 1b\n"
			 : "=&r"(v), "=&r"(fail), "+r"(tries), "+Q"(value[0]));
#else
	__atomic_fetch_add(&value[0], 1, __ATOMIC_SEQ_CST);
	tries = 1;
#endif
	__atomic_fetch_add(&attempts, tries, __ATOMIC_RELAXED);
}

static void count_strangely(void)
{
#ifdef __aarch64__
	long v, fail, one;

	__asm__ volatile("1:	ldxr	%0, %3\n"
			 "	ldr	%2, [%4]\n"
			 "	add	%0, %0, #1\n"
			 "	stxr	%w1, %0, %3\n"
			 "	cbnz	%w1, 1b\n"
			 : "=&r"(v), "=&r"(fail), "=&r"(one), "+Q"(value[0])
			 : "r"(&other[0]));
#else
	__atomic_fetch_add(&value[0], 1, __ATOMIC_SEQ_CST);
#endif
}

static void count_double(void)
{
#ifdef __aarch64__
	long v, w, fail;

	__asm__ volatile("1:	ldxp	%0, %1, %3\n"
			 "	add	%0, %0, #1\n"
			 "	stxp	%w2, %0, %1, %3\n"
			 "	cbnz	%w2, 1b\n"
			 : "=&r"(v), "=&r"(w), "=&r"(fail), "+Q"(value));
#else
	__atomic_fetch_add(&value[0], 1, __ATOMIC_SEQ_CST);
#endif
}

static void *count_many(void *n)
{
	long i;

	for (i = 0; i < (long)n; i++)
		count();
	return NULL;
}

static void *add_many(void *n)
{
	long i;

	for (i = 0; i < (long)n; i++)
		__atomic_fetch_add(&value[0], 1, __ATOMIC_SEQ_CST);
	return NULL;
}

static int in_threads(void *(*run)(void *), long n)
{
	pthread_t threads[4];
	int i;

	for (i = 0; i < 4; i++)
		if (pthread_create(&threads[i], NULL, run, (void *)n))
			return 1;
	for (i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

static int refill(long n)
{
	int fds[2];

	if (pipe(fds))
		return 1;
	for (; n; n--) {
		value[0] = 1;
		if (write(fds[1], "\0\0\0\0\0\0\0\0", 8) != 8 ||
		    read(fds[0], (void *)value, 8) != 8)
			return 1;
	}
	return 0;
}

static void idle(void)
{
#ifdef __aarch64__
	__asm__ volatile("	ldr	x10, [%1]\n"
			 "1:	ldr	x9, [%0]\n"
			 "	sub	x9, x9, #1\n"
			 "	str	x9, [%0]\n"
			 "	mov	x9, xzr\n"
			 "	str	x10, [%1]\n"
			 "	ldr	x9, [%0]\n"
			 "	cbnz	x9, 1b\n"
			 :
			 : "r"(&left), "r"(value)
			 : "x9", "x10", "memory");
#else
	long v = value[0];

	while (left--)
		value[0] = v;
#endif
}

static int act(const char *word, long n)
{
	long i;

	if (!strcmp(word, "threads"))
		return in_threads(count_many, n);
	if (!strcmp(word, "added"))
		return in_threads(add_many, n);
	if (!strcmp(word, "refilled"))
		return refill(n);
	if (!strcmp(word, "idle")) {
		left = n;
		idle();
		return 0;
	}
	for (i = 0; i < n; i++)
		if (!strcmp(word, "counted"))
			count();
		else if (!strcmp(word, "strange"))
			count_strangely();
		else if (!strcmp(word, "doubled"))
			count_double();
		else if (!strcmp(word, "atomic"))
			__atomic_fetch_add(&value[0], 1, __ATOMIC_SEQ_CST);
		else
			return 1;
	return 0;
}

int main(int argc, char **argv)
{
	int i;

	printf("%p\n", (void *)value);
	fflush(stdout);
	for (i = 1; i + 1 < argc; i += 2)
		if (act(argv[i], atol(argv[i + 1])))
			return 1;
	printf("%ld %ld\n", value[0], attempts);
	return 0;
}
