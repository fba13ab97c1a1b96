// SPDX-License-Identifier: GPL-2.0
/*
 * perfdata_queue.c - compare the queue of runs with a simple model of perf's rules: one sorted list
 * of single records.  With random times, rounds, equal times and gaps, the same records must come
 * out, in the same order, at the same flush.
 */
#include <stdint.h>
#include <stdlib.h>

#include "perfdata/read/block.h"
#include "perfdata/read/queue.h"
#include "tap.h"

#define RECORDS 400
#define SIZE	16 /* bytes each record takes in the imagined file */

/* perf's ordered events: a sorted array; a new record goes behind those of equal time. */
struct model {
	struct {
		uint64_t time;
		unsigned which;
	} list[RECORDS];
	unsigned count;
	uint64_t max_time, next_flush;
};

static void model_add(struct model *m, uint64_t time, unsigned which)
{
	unsigned i = m->count++;

	if (!i || time >= m->list[i - 1].time)
		m->max_time = time;
	for (; i && m->list[i - 1].time > time; i--)
		m->list[i] = m->list[i - 1];
	m->list[i].time = time;
	m->list[i].which = which;
}

static unsigned model_flush(struct model *m, enum rt_flush how, unsigned *out)
{
	unsigned i, n = 0;

	if (!m->count)
		return 0;
	if (how == RT_FLUSH_FINAL)
		m->next_flush = UINT64_MAX;
	while (m->next_flush && n < m->count && m->list[n].time <= m->next_flush) {
		out[n] = m->list[n].which;
		n++;
	}
	for (i = n; i < m->count; i++)
		m->list[i - n] = m->list[i];
	m->count -= n;
	if (how == RT_FLUSH_ROUND)
		m->next_flush = m->max_time;
	return n;
}

static uint64_t times[RECORDS + 1];
static uint8_t file[(RECORDS + 1) * SIZE];

static unsigned queue_flush(struct rt_queue *q, enum rt_flush how, unsigned *out)
{
	struct rt_run *run;
	unsigned n = 0, which;

	if (!rt_queue_flush(q, how))
		return 0;
	while ((run = rt_queue_first(q))) {
		which = (unsigned)((run->pos - file) / SIZE);
		out[n++] = which;
		rt_queue_took(q, SIZE, times[which + 1]);
	}
	rt_queue_flushed(q, how);
	return n;
}

static int one_round(unsigned seed, size_t *most)
{
	static struct model m;
	struct rt_queue q = { 0 };
	unsigned a[RECORDS], b[RECORDS], i, n, spread = 1 + seed % 97;
	uint64_t clock = 1000;
	int same = 1;

	memset(&m, 0, sizeof(m));
	srand(seed);
	for (i = 0; i < RECORDS; i++) {
		/* mostly forward, sometimes back, often the same */
		clock += rand() % 4 ? (uint64_t)(rand() % spread) : 0;
		times[i] = rand() % 8 ? clock : clock - (uint64_t)(rand() % 900);
	}
	for (i = 0; i < RECORDS && same; i++) {
		struct rt_run at = { .pos = file + i * SIZE, .offset = i };

		model_add(&m, times[i], i);
		if (rt_queue_add(&q, times[i], &at, SIZE))
			return 0;
		if (q.count > *most)
			*most = q.count;
		if (rand() % 40 == 0) {
			n = model_flush(&m, RT_FLUSH_ROUND, a);
			same = n == queue_flush(&q, RT_FLUSH_ROUND, b) &&
			       !memcmp(a, b, n * sizeof(*a));
		}
	}
	n = model_flush(&m, RT_FLUSH_FINAL, a);
	same = same && n == queue_flush(&q, RT_FLUSH_FINAL, b) && !memcmp(a, b, n * sizeof(*a));
	same = same && !q.records && !q.count;
	rt_queue_free(&q);
	return same;
}

static void test_blocks(void)
{
	struct rt_block *block = rt_block_new(4 * SIZE);
	struct rt_queue q = { 0 };
	unsigned i;

	for (i = 0; i < 4; i++) {
		struct rt_run at = { .pos = block->data + i * SIZE, .block = block };

		rt_queue_add(&q, 100 - i, &at, SIZE);
	}
	is_int(q.pinned, 4 * SIZE, "four runs in a block pin it once");
	ok(!rt_block_alone(block), "the queue holds the block");
	rt_queue_flush(&q, RT_FLUSH_FINAL);
	for (i = 0; rt_queue_first(&q); i++)
		rt_queue_took(&q, SIZE, 0);
	is_int(i, 4, "four records come out");
	is_int(q.pinned, 0, "nothing is pinned any more");
	ok(rt_block_alone(block), "the block has been let go");
	rt_block_put(block);
	rt_queue_free(&q);
}

int main(void)
{
	unsigned seed, bad = 0;
	size_t most = 0, sorted = 0;
	struct rt_queue q = { 0 };
	unsigned i;

	for (seed = 1; seed <= 3000; seed++)
		bad += !one_round(seed, &most);
	is_int(bad, 0, "3000 random files come out as perf's list has them");
	ok(most > 10, "and they were in disorder (%zu runs)", most);

	for (i = 0; i < RECORDS; i++) {
		struct rt_run at = { .pos = file + i * SIZE };

		rt_queue_add(&q, i + 1, &at, SIZE);
		sorted = q.count > sorted ? q.count : sorted;
	}
	is_int(sorted, 0, "records in order are one growing run");
	rt_queue_free(&q);
	test_blocks();
	return tap_done();
}
