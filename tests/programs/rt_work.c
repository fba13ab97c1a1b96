// SPDX-License-Identifier: GPL-2.0
/*
 * rt_work - a program with known work, for tests that sample it.
 *
 *   rt_work hot N         main → outer → middle → hot, N rounds, and a tenth of them in cool
 *   rt_work touch N       writes to N fresh pages, one fault each
 *   rt_work data N        N times writes to each page of the variable rt_work_pages: one fault each
 *   rt_work switch N      passes a byte back and forth with a child, N times
 *   rt_work children N C  C children, one after the other, each of which does `touch N`
 *   rt_work threads N C   C threads, each of which does `hot N`
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define TWISTS 20000

static volatile unsigned long sink;

/* Every function has a frame: each does something after its call, so that it is not a tail call. */
#define OWN_FRAME __attribute__((noinline, noclone))

OWN_FRAME unsigned long rt_work_hot(unsigned long x)
{
	int i;

	for (i = 0; i < TWISTS; i++)
		x = x * 6364136223846793005UL + 1442695040888963407UL;
	return x;
}

OWN_FRAME unsigned long rt_work_cool(unsigned long x)
{
	int i;

	for (i = 0; i < TWISTS / 10; i++)
		x = x * 6364136223846793005UL + 1442695040888963407UL;
	return x;
}

OWN_FRAME unsigned long rt_work_middle(unsigned long x)
{
	sink += rt_work_hot(x);
	sink += rt_work_cool(x);
	return sink + 1;
}

OWN_FRAME unsigned long rt_work_outer(unsigned long x)
{
	sink += rt_work_middle(x);
	return sink + 2;
}

static void hot(long rounds)
{
	long i;

	for (i = 0; i < rounds; i++)
		sink += rt_work_outer((unsigned long)i);
}

OWN_FRAME void rt_work_touch(long pages)
{
	long size = sysconf(_SC_PAGESIZE), i;
	char *p = mmap(NULL, (size_t)(pages * size), PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		exit(1);
	/* A huge page would cause one fault for many pages. */
	madvise(p, (size_t)(pages * size), MADV_NOHUGEPAGE);
	for (i = 0; i < pages; i++)
		p[i * size] = 1;
	munmap(p, (size_t)(pages * size));
}

/* Initialised, so that its pages are those of the file and have its name. */
char rt_work_pages[128 << 10] __attribute__((aligned(64 << 10))) = { 1 };

OWN_FRAME void rt_work_data(long times)
{
	long size = sysconf(_SC_PAGESIZE), at;

	for (; times > 0; times--)
		for (at = 0; at < (long)sizeof(rt_work_pages); at += size)
			((volatile char *)rt_work_pages)[at + 8] = (char)times;
}

static void pass(long times)
{
	int there[2], back[2];
	char c = 0;
	long i;

	if (pipe(there) || pipe(back))
		exit(1);
	if (!fork()) {
		for (i = 0; i < times; i++)
			if (read(there[0], &c, 1) != 1 || write(back[1], &c, 1) != 1)
				_exit(1);
		_exit(0);
	}
	for (i = 0; i < times; i++)
		if (write(there[1], &c, 1) != 1 || read(back[0], &c, 1) != 1)
			exit(1);
	wait(NULL);
}

static void children(long pages, long count)
{
	while (count-- > 0) {
		if (!fork()) {
			rt_work_touch(pages);
			_exit(0);
		}
		wait(NULL);
	}
}

static void *run_hot(void *rounds)
{
	hot(*(long *)rounds);
	return NULL;
}

static void threads(long rounds, long count)
{
	pthread_t thread[64];
	long i;

	for (i = 0; i < count && i < 64; i++)
		if (pthread_create(&thread[i], NULL, run_hot, &rounds))
			exit(1);
	while (i-- > 0)
		pthread_join(thread[i], NULL);
}

int main(int argc, char **argv)
{
	long n = argc > 2 ? atol(argv[2]) : 0, m = argc > 3 ? atol(argv[3]) : 0;

	if (n <= 0)
		return 2;
	if (!strcmp(argv[1], "hot"))
		hot(n);
	else if (!strcmp(argv[1], "touch"))
		rt_work_touch(n);
	else if (!strcmp(argv[1], "data"))
		rt_work_data(n);
	else if (!strcmp(argv[1], "switch"))
		pass(n);
	else if (!strcmp(argv[1], "children"))
		children(n, m);
	else if (!strcmp(argv[1], "threads"))
		threads(n, m);
	else
		return 2;
	return 0;
}
