// SPDX-License-Identifier: GPL-2.0
/* record_tasks.c - every event finds the process of its thread at its time, also while tasks are added. */
#include "tap.h"

#include <pthread.h>
#include <stdbool.h>

#include "record/tasks.h"

static void test_lives(void)
{
	struct rt_tasks t = { 0 };

	is_int(rt_tasks_pid(&t, 7, 100), 7, "nothing is known: the thread itself");
	is_int(rt_tasks_set(&t, 7, 5, 0), 0, "a thread from before");
	is_int(rt_tasks_pid(&t, 7, 0), 5, "has its process from the beginning");
	rt_tasks_set(&t, 7, 6, 100);
	is_int(rt_tasks_pid(&t, 7, 100), 6, "its number is used again");
	is_int(rt_tasks_pid(&t, 7, 99), 5, "events from before keep the first");
	rt_tasks_set(&t, 7, 6, 150);
	is_int(rt_tasks_pid(&t, 7, 120), 6, "the same once more changes nothing");
	rt_tasks_set(&t, 7, 8, 200);
	is_int(rt_tasks_pid(&t, 7, 150), 6, "three lives: the second");
	is_int(rt_tasks_pid(&t, 7, 50), 5, "the first");
	is_int(rt_tasks_pid(&t, 7, 999), 8, "the last");
	rt_tasks_set(&t, 9, 8, 300);
	is_int(rt_tasks_pid(&t, 9, 10), 8, "a thread whose clock is a little behind its fork");
	is_int(rt_tasks_pid(&t, 0, 10), 0, "the idle task");
	is_int(rt_tasks_count(&t), 2, "two threads");
	rt_tasks_free(&t);
}

enum { THREADS = 100000 };

/* Numbers come again in other processes, more often than there is reason to keep. */
static void test_many(void)
{
	struct rt_tasks t = { 0 };
	unsigned int i, round, bad = 0;

	for (round = 1; round <= 5; round++) {
		for (i = 1; i <= THREADS; i++)
			bad += rt_tasks_set(&t, i, i + round, round * 1000) != 0;
		for (i = 1; i <= THREADS; i += 7)
			bad += rt_tasks_pid(&t, i, round * 1000) != i + round ||
			       (round > 1 &&
				rt_tasks_pid(&t, i, round * 1000 - 1) != i + round - 1);
		if (round == 3)
			rt_tasks_forget_before(&t, UINT64_MAX);
	}
	is_int(bad, 0, "%d threads, five processes each", THREADS);
	is_int(rt_tasks_count(&t), THREADS, "counted once");
	is_int(rt_tasks_pid(&t, 5, 1), 5 + 3, "what is forgotten is the oldest that is left");
	rt_tasks_free(&t);
}

/* Threads change their process without end; events that are not written are up to ten changes old. */
static void test_forget(void)
{
	enum { TIDS = 50, CHANGES = 20000, KEPT = 10 };
	struct rt_tasks t = { 0 };
	unsigned int change, i, back, bad = 0, forgets = 0;

	for (change = 1; change <= CHANGES; change++) {
		for (i = 1; i <= TIDS; i++)
			bad += rt_tasks_set(&t, i, 1000 + change + i, change) != 0;
		if (rt_tasks_crowded(&t)) {
			rt_tasks_forget_before(&t, change > KEPT ? change - KEPT : 0);
			bad += rt_tasks_crowded(&t);
			forgets++;
		}
		for (back = 0; back <= KEPT && back < change; back++)
			bad += rt_tasks_pid(&t, 1 + change % TIDS, change - back) !=
			       1000 + change - back + 1 + change % TIDS;
	}
	is_int(bad, 0, "every event that may still come finds its process");
	/* Of 1,000,000 changes, at least FIRST_LIVES at a time. */
	ok(forgets > 100 && forgets < 1000, "old processes are forgotten, not all the time (%u)",
	   forgets);
	rt_tasks_forget_before(&t, UINT64_MAX);
	is_int(rt_tasks_pid(&t, 3, CHANGES), 1000 + CHANGES + 3, "the present one stays");
	rt_tasks_free(&t);
}

static struct rt_tasks shared;

struct looker {
	pthread_t thread;
	struct rt_tasks mine; /* a copy */
	unsigned long bad;
};

static uint32_t added; /* all threads up to this number are there */

static void *look_up(void *arg)
{
	struct looker *l = arg;
	uint32_t upto = 0, i;

	while (upto < THREADS) {
		upto = __atomic_load_n(&added, __ATOMIC_ACQUIRE);
		rt_tasks_look_again(&l->mine);
		for (i = upto > 50 ? upto - 50 : 1; i <= upto; i++)
			l->bad += rt_tasks_pid(&l->mine, i, 10) != i + 1 ||
				  (i > 1 && rt_tasks_pid(&l->mine, i - 1, 20) != i);
	}
	return NULL;
}

/* Two threads look up what a third one adds; each thread gets a second process at time 15. */
static void test_beside(void)
{
	struct looker looker[2];
	uint32_t i;

	rt_tasks_set(&shared, THREADS + 1, 1, 0);
	for (i = 0; i < 2; i++) {
		looker[i] = (struct looker){ .mine = shared };
		pthread_create(&looker[i].thread, NULL, look_up, &looker[i]);
	}
	for (i = 1; i <= THREADS; i++) {
		rt_tasks_set(&shared, i, i + 1, 5);
		if (i > 1)
			rt_tasks_set(&shared, i - 1, i, 15);
		__atomic_store_n(&added, i, __ATOMIC_RELEASE);
	}
	for (i = 0; i < 2; i++)
		pthread_join(looker[i].thread, NULL);
	is_int(looker[0].bad + looker[1].bad, 0, "others find each task that was added before");
	rt_tasks_free(&shared);
}

int main(void)
{
	test_lives();
	test_many();
	test_forget();
	test_beside();
	return tap_done();
}
