// SPDX-License-Identifier: GPL-2.0
/*
 * no_memory.c - run a command many times, and fail one allocation in each run.
 *
 *	no_memory FROM TO STEP COMMAND ARGUMENT…
 *
 * Run N fails allocation N.  A run is right if it prints what a run with enough memory prints, or if it
 * says on standard error what is missing.  It is wrong if it dies, hangs, or fails without a word.
 * Only the program's own calls fail, not those of libraries.
 */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "cmd/command.h"

#define TIMEOUT	  60
#define SHOWN	  20  /* wrong runs */
#define EXIT_NONE 126 /* the command made fewer allocations */

static unsigned long allocations, failing;

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t n, size_t bytes);
void *__real_realloc(void *old, size_t bytes);
void *__real_reallocarray(void *old, size_t n, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t n, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);
void *__wrap_reallocarray(void *old, size_t n, size_t bytes);

static bool fails(void)
{
	return __atomic_add_fetch(&allocations, 1, __ATOMIC_RELAXED) == failing;
}

void *__wrap_malloc(size_t bytes)
{
	return fails() ? NULL : __real_malloc(bytes);
}

void *__wrap_calloc(size_t n, size_t bytes)
{
	return fails() ? NULL : __real_calloc(n, bytes);
}

void *__wrap_realloc(void *old, size_t bytes)
{
	return fails() ? NULL : __real_realloc(old, bytes);
}

void *__wrap_reallocarray(void *old, size_t n, size_t bytes)
{
	return fails() ? NULL : __real_reallocarray(old, n, bytes);
}

/* This file takes the place of base/memory.c. */
bool rt_memory_failed(void)
{
	return failing && __atomic_load_n(&allocations, __ATOMIC_RELAXED) >= failing;
}

struct run {
	int out, err;
	int status; /* as of wait() */
};

static void run(struct run *r, unsigned long n, int argc, char **argv)
{
	const struct rt_command *c = rt_command_find(argv[0]);
	pid_t child;

	r->out = memfd_create("out", 0);
	r->err = memfd_create("err", 0);
	child = fork();
	if (!child) {
		int status;

		dup2(r->out, 1);
		dup2(r->err, 2);
		alarm(TIMEOUT);
		allocations = 0;
		failing = n;
		status = c ? rt_command_run(c, argc, argv) : RT_EXIT_USAGE;
		if (fflush(stdout) && !status)
			status = RT_EXIT_FAIL;
		_exit(n && allocations < n ? EXIT_NONE : status);
	}
	waitpid(child, &r->status, 0);
}

static void done(struct run *r)
{
	close(r->out);
	close(r->err);
}

static size_t length(int fd)
{
	struct stat st;

	return fstat(fd, &st) ? 0 : (size_t)st.st_size;
}

static bool same(int a, int b)
{
	size_t size = length(a);
	bool same;
	char *p, *q;

	if (size != length(b) || !size)
		return size == length(b);
	p = mmap(NULL, size, PROT_READ, MAP_PRIVATE, a, 0);
	q = mmap(NULL, size, PROT_READ, MAP_PRIVATE, b, 0);
	same = p != MAP_FAILED && q != MAP_FAILED && !memcmp(p, q, size);
	munmap(p, size);
	munmap(q, size);
	return same;
}

/* What is wrong with a run, or NULL. */
static const char *wrong(const struct run *r, const struct run *good)
{
	if (WIFSIGNALED(r->status))
		return WTERMSIG(r->status) == SIGALRM ? "hangs" : strsignal(WTERMSIG(r->status));
	if (length(r->err) > length(good->err))
		return NULL;
	if (WEXITSTATUS(r->status) != WEXITSTATUS(good->status))
		return "fails without a word";
	return same(r->out, good->out) ? NULL : "prints something else without a word";
}

int main(int argc, char **argv)
{
	unsigned long n, from, to, step, runs = 0, told = 0, bad = 0;
	struct run good, r;
	const char *why;

	if (argc < 5)
		return 2;
	from = strtoul(argv[1], NULL, 10);
	to = strtoul(argv[2], NULL, 10);
	step = strtoul(argv[3], NULL, 10);
	run(&good, 0, argc - 4, argv + 4);
	if (!WIFEXITED(good.status) || WEXITSTATUS(good.status)) {
		printf("the command fails with enough memory\n");
		return 1;
	}
	for (n = from; n <= to; n += step) {
		run(&r, n, argc - 4, argv + 4);
		if (WIFEXITED(r.status) && WEXITSTATUS(r.status) == EXIT_NONE) {
			done(&r);
			break;
		}
		runs++;
		told += length(r.err) > length(good.err);
		why = wrong(&r, &good);
		if (why && bad++ < SHOWN)
			printf("allocation %lu: %s (status %x)\n", n, why, r.status);
		done(&r);
	}
	done(&good);
	printf("%lu runs, %lu said what is missing, %lu wrong\n", runs, told, bad);
	return bad || !runs;
}
