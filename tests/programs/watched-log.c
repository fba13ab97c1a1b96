// SPDX-License-Identifier: GPL-2.0
/*
 * watched-log - accesses of four threads to one variable, with the truth about each of them.
 *
 * Without arguments: print the address of the variable.  watched-log KIND N: each thread, on a CPU of
 * its own as far as there are so many, accesses it N times; then print a line "log THREAD OLD NEW" for
 * each access, "-" where nobody can know.  The kinds are those of the module rt_watch_log.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { THREADS = 4, CONSTANT = 0x1234567 };

static uint64_t word __attribute__((aligned(64), section(".data")));

struct access {
	uint64_t old, new;
	bool old_known, new_known;
};

struct thread {
	pthread_t id;
	int number, tid;
	struct access *log;
};

static const char *kind;
static long count;
static pthread_barrier_t barrier;

static void access_once(uint64_t value, struct access *to)
{
	uint64_t guess;

	to->old_known = to->new_known = true;
	to->new = value;
	if (!strcmp(kind, "store")) {
		to->old_known = false;
		__atomic_store_n(&word, value, __ATOMIC_RELAXED);
	} else if (!strcmp(kind, "constant")) {
		to->old_known = false;
		to->new = CONSTANT;
		__atomic_store_n(&word, CONSTANT, __ATOMIC_RELAXED);
	} else if (!strcmp(kind, "xchg")) {
		to->old = __atomic_exchange_n(&word, value, __ATOMIC_SEQ_CST);
	} else if (!strcmp(kind, "cmpxchg")) {
		to->old = guess = __atomic_load_n(&word, __ATOMIC_RELAXED);
		if (!__atomic_compare_exchange_n(&word, &to->old, value, false, __ATOMIC_SEQ_CST,
						 __ATOMIC_SEQ_CST))
			to->new = to->old;
		else
			to->old = guess;
	} else if (!strcmp(kind, "xadd")) {
		to->old = __atomic_fetch_add(&word, 1, __ATOMIC_SEQ_CST);
		to->new = to->old + 1;
	} else {
		to->old_known = to->new_known = false;
		(void)__atomic_add_fetch(&word, 1, __ATOMIC_SEQ_CST);
	}
}

static void *play(void *arg)
{
	struct thread *thread = arg;
	cpu_set_t cpus;
	long i;

	thread->tid = syscall(SYS_gettid);
	CPU_ZERO(&cpus);
	CPU_SET(thread->number % sysconf(_SC_NPROCESSORS_ONLN), &cpus);
	sched_setaffinity(0, sizeof(cpus), &cpus);
	pthread_barrier_wait(&barrier);
	for (i = 0; i < count; i++)
		access_once((uint64_t)(thread->number + 1) << 32 | (i + 1), &thread->log[i]);
	return NULL;
}

static void put(bool known, uint64_t value)
{
	if (known)
		printf(" 0x%llx", (unsigned long long)value);
	else
		fputs(" -", stdout);
}

int main(int argc, char **argv)
{
	struct thread threads[THREADS];
	long i;
	int n;

	if (argc < 3) {
		printf("0x%lx\n", (unsigned long)&word);
		return 0;
	}
	kind = argv[1];
	count = atol(argv[2]);
	pthread_barrier_init(&barrier, NULL, THREADS);
	for (n = 0; n < THREADS; n++) {
		threads[n].number = n;
		threads[n].log = calloc(count, sizeof(struct access));
		if (!threads[n].log || pthread_create(&threads[n].id, NULL, play, &threads[n]))
			return 1;
	}
	for (n = 0; n < THREADS; n++)
		pthread_join(threads[n].id, NULL);
	for (n = 0; n < THREADS; n++) {
		for (i = 0; i < count; i++) {
			printf("log %d", threads[n].tid);
			put(threads[n].log[i].old_known, threads[n].log[i].old);
			put(threads[n].log[i].new_known, threads[n].log[i].new);
			putchar('\n');
		}
	}
	return 0;
}
