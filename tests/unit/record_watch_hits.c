// SPDX-License-Identifier: GPL-2.0
/*
 * record_watch_hits.c - which values of watches are uncertain because another CPU had a hit at about
 * the same time: by hand, and random hits against a comparison of each with each.
 */
#include <stdlib.h>
#include <string.h>

#include "record/watch_hits.h"
#include "tap.h"

enum { MOST = 60, RUNS = 2000, APART = 100 };

#define ASKED  RT_WATCH_UNCHECKED
#define DOUBT  RT_WATCH_UNCERTAIN
#define LATEST RT_WATCH_OLD_LAST

static void by_hand(void)
{
	/* The offset is the place in the list that is wanted. */
	struct rt_watch_hit hits[] = {
		{ 1000, 0, 0, 0, 10 + 0, ASKED },
		{ 1100, 1, 0, 1, 10 + 1, ASKED | LATEST },
		{ 1250, 2, 0, 1, 10 + 1, ASKED },
		{ 1300, 3, 0, 1, 10 + 1, LATEST },
		{ 1399, 4, 0, 0, 10 + 0, ASKED },
		{ 1600, 5, 0, 0, 10 + 0, ASKED },
		{ 1000, 6, 1, 2, 10 + 2, ASKED },
		{ 5000, 7, 1, 3, 10 + 3, ASKED },
		{ 5001, 8, 1, 3, 10 + 3, ASKED | LATEST },
	};
	static const uint32_t wanted[] = {
		DOUBT, DOUBT | LATEST, 0, LATEST, DOUBT, 0, 0, 0, LATEST
	};
	size_t i, count = sizeof(hits) / sizeof(hits[0]);

	/* Hit 2 is 149 and 150 ns from CPU 0's. */
	rt_watch_hits_judge(hits, count, APART);
	for (i = 0; i < count; i++)
		is_int(hits[i].flags, wanted[hits[i].offset], "hit %d", (int)hits[i].offset);
}

static bool has_rival(const struct rt_watch_hit *hits, size_t count, size_t i)
{
	size_t k;

	for (k = 0; k < count; k++)
		if (hits[k].event == hits[i].event && hits[k].cpu != hits[i].cpu &&
		    (hits[k].tid != hits[i].tid || !hits[i].tid) &&
		    llabs((long long)(hits[k].time - hits[i].time)) <= APART)
			return true;
	return false;
}

static bool at_random(unsigned int seed)
{
	struct rt_watch_hit hits[MOST] = { { 0 } }, judged[MOST];
	size_t count = seed % (MOST + 1), i, k;
	uint32_t wanted;

	srand(seed);
	for (i = 0; i < count; i++)
		hits[i] = (struct rt_watch_hit){
			.time = 100000 + rand() % (1 + seed % 7 * 500),
			.offset = i,
			.event = rand() % 2,
			.cpu = rand() % (1 + seed % 4),
			.tid = rand() % 3,
			.flags = (rand() % 3 ? ASKED : 0) | (rand() % 3 ? 0 : LATEST),
		};
	memcpy(judged, hits, sizeof(hits));
	rt_watch_hits_judge(judged, count, APART);
	for (k = 0; k < count; k++) {
		i = judged[k].offset;
		wanted = hits[i].flags & ~ASKED;
		if (hits[i].flags & ASKED && has_rival(hits, count, i))
			wanted |= DOUBT;
		if (judged[k].flags != wanted)
			return false;
	}
	return true;
}

int main(void)
{
	unsigned int seed, wrong = 0;

	by_hand();
	for (seed = 0; seed < RUNS; seed++)
		wrong += !at_random(seed);
	is_int(wrong, 0, "%d random lists, each hit compared with each", RUNS);
	ok(rt_watch_hits_apart(0) == 20000, "at least 20 microseconds");
	ok(rt_watch_hits_apart(50000) == 100000, "twice the slowest trap of the tests");
	return tap_done();
}
