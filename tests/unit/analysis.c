// SPDX-License-Identifier: GPL-2.0
/* analysis - starts and ends that belong together, counts over time, parts of it, and spreads of numbers. */
#include <stdbool.h>
#include <stdlib.h>

#include "analysis/slices.h"
#include "analysis/starts.h"
#include "analysis/spread.h"
#include "analysis/timeline.h"
#include "tap.h"

#define KEYS 512

/* A table of a few keys that come and go at random, against an array. */
static void test_pending(void)
{
	static struct {
		bool open;
		uint64_t time;
		uint32_t charge;
	} model[KEYS];
	unsigned int i, bad = 0, open = 0, unknown = 0;
	struct rt_starts p = { NULL };
	uint32_t charge;
	uint64_t ns;

	srand(11);
	for (i = 0; i < 200000; i++) {
		/* Few values of the low bits: long runs of neighbours in the table. */
		unsigned int n = (unsigned int)rand() % KEYS;
		uint64_t key = (uint64_t)n << 20;
		bool got;

		switch (rand() % 5) {
		case 0:
		case 1:
			unknown += model[n].open;
			bad += !rt_starts_add(&p, key, i, n * 3);
			model[n].open = true;
			model[n].time = i;
			model[n].charge = n * 3;
			break;
		case 2:
		case 3:
			got = rt_starts_end(&p, key, i, &charge, &ns);
			bad += got != model[n].open;
			if (got)
				bad += charge != model[n].charge || ns != i - model[n].time;
			model[n].open = false;
			break;
		default:
			rt_starts_forget(&p, key);
			model[n].open = false;
		}
	}
	for (i = 0; i < KEYS; i++)
		open += model[i].open;
	is_int(bad, 0, "200000 starts, ends and forgotten keys as in a plain array");
	is_int(rt_starts_unknown(&p), unknown + open, "starts without an end are counted");
	rt_starts_free(&p);

	rt_starts_add(&p, 1, 10, 0);
	rt_starts_lost(&p);
	rt_starts_add(&p, 2, 20, 0);
	ok(!rt_starts_end(&p, 1, 30, &charge, &ns), "a loss between start and end: not sure");
	ok(rt_starts_end(&p, 2, 30, &charge, &ns), "a start after the loss is");
	is_int(rt_starts_unknown(&p), 1, "the other is counted");
	rt_starts_add(&p, 3, 50, 0);
	ok(!rt_starts_end(&p, 3, 40, &charge, &ns), "an end before its start is none");
	rt_starts_free(&p);
}

static uint64_t sum_of(const struct rt_timeline_row *row)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < RT_TIMELINE_BUCKETS; i++)
		sum += row->count[i];
	return sum;
}

static void test_timeline(void)
{
	static struct rt_timeline t;
	uint64_t i, bad = 0, sum = 0;
	uint32_t b;

	for (i = 0; i < 100000; i++)
		rt_timeline_add(&t, RT_TIMELINE_CPU, i % 3, NULL,
				rt_timeline_bucket(&t, 5000000000ULL + i * 70000), 1);
	rt_timeline_add(&t, RT_TIMELINE_CPU, 0, NULL, rt_timeline_bucket(&t, 4999999999ULL), 1);
	rt_timeline_sort(&t);
	is_int(t.row_count[RT_TIMELINE_CPU], 3, "a row for each CPU");
	for (i = 0; i < 3; i++) {
		bad += t.rows[RT_TIMELINE_CPU][i]->key != i;
		bad += sum_of(t.rows[RT_TIMELINE_CPU][i]) != t.rows[RT_TIMELINE_CPU][i]->total;
		sum += t.rows[RT_TIMELINE_CPU][i]->total;
	}
	is_int(bad, 0, "in the order of their numbers, and no sample is lost when buckets merge");
	is_int(sum, 100001, "one that comes late counts, too");
	ok(t.used > RT_TIMELINE_BUCKETS / 2 && t.used <= RT_TIMELINE_BUCKETS,
	   "half of the buckets are in use (%u)", t.used);
	ok(rt_timeline_width(&t) * t.used >= 99999 * 70000ULL &&
		   rt_timeline_width(&t) * (t.used - 1) <= 99999 * 70000ULL,
	   "and they are as long as the recording");
	/* Samples at even distances fill buckets evenly. */
	for (bad = 0, b = 1; b + 1 < t.used; b++) {
		uint64_t n = t.rows[RT_TIMELINE_CPU][1]->count[b];

		bad += n + 1 < rt_timeline_width(&t) / 210000 ||
		       n > rt_timeline_width(&t) / 210000 + 1;
	}
	is_int(bad, 0, "each bucket has its part");
	rt_timeline_free(&t);

	for (i = 0; i < 2 * RT_TIMELINE_ROWS; i++)
		rt_timeline_add(&t, RT_TIMELINE_TASK, i, "task", rt_timeline_bucket(&t, i),
				1 + (i == 77));
	rt_timeline_sort(&t);
	is_int(t.row_count[RT_TIMELINE_TASK], RT_TIMELINE_ROWS + 1, "rows are bounded");
	is_int(t.rows[RT_TIMELINE_TASK][RT_TIMELINE_ROWS]->total, RT_TIMELINE_ROWS,
	       "the last row has all for which there was none");
	is_int(t.rows[RT_TIMELINE_TASK][0]->key, 77, "the busiest task comes first");
	is_str(t.rows[RT_TIMELINE_TASK][0]->name, "task", "by its name");
	ok(!t.failed, "memory was enough");
	rt_timeline_free(&t);
}

/* Samples of many items in roughly the order of their times, against plain sums. */
static void test_slices(uint32_t items, uint32_t samples, uint32_t least, const char *what)
{
	static struct rt_timeline t;
	static struct rt_slices s;
	uint64_t *times = calloc(samples, sizeof(*times)), *model, bad = 0;
	uint32_t *item = calloc(samples, sizeof(*item)), i, count, slice;
	const struct rt_slice_cell *cell, *end;
	struct rt_slice_cell own;
	uint32_t bucket;

	for (i = 0; i < samples; i++) {
		item[i] = (uint32_t)rand() % items;
		times[i] = 1000000 + (uint64_t)i * 3000 + (uint64_t)(rand() % 20000);
		bucket = rt_timeline_bucket(&t, times[i]);
		if (i % 3) {
			bad += !rt_slices_add(&s, &t, item[i], bucket, 1, item[i] + 1);
			continue;
		}
		/* Every third one in a cell of its own, which may be where slices are lengthened. */
		if (s.shift != t.shift)
			rt_slices_follow(&s, &t);
		own = (struct rt_slice_cell){ .weight = item[i] + 1,
					      .count = 1,
					      .slice = bucket >> s.group,
					      .item = item[i] };
		bad += !rt_slices_close(&s, &own);
	}
	bad += !rt_slices_finish(&s, &t);
	count = rt_slices_count(&s, t.used);
	ok(count <= RT_SLICES_MAX && count >= least, "%s: %u slices, %u cells", what, count,
	   s.closed_count);
	for (; count; count = count == 1 ? 0 : rt_slices_count(&s, t.used)) {
		model = calloc((size_t)items * count, sizeof(*model));
		for (i = 0; i < samples; i++) {
			slice = times[i] < t.start ?
					0 :
					(uint32_t)((times[i] - t.start) >> t.shift >> s.group);
			model[item[i] * (size_t)count + slice]++;
		}
		for (i = 0; i < items; i++)
			for (end = rt_slices_of(&s, i, &cell); cell < end; cell++) {
				bad += cell->weight != (uint64_t)cell->count * (i + 1) ||
				       cell->slice >= count;
				model[i * (size_t)count + cell->slice] -= cell->count;
			}
		for (i = 0; i < items * count; i++)
			bad += model[i] != 0;
		free(model);
		if (count > 1)
			bad += !rt_slices_coarsen(&s);
	}
	is_int(bad, 0, "%s: each item has its samples in each slice, however long slices are",
	       what);
	end = rt_slices_of(&s, items * 10, &cell);
	ok(cell == end, "%s: an item without samples has no cells", what);
	rt_slices_free(&s);
	rt_timeline_free(&t);
	free(times);
	free(item);
}

static void test_spread(void)
{
	struct rt_spread s = { 0 };
	unsigned int first, last;
	uint64_t i;

	for (i = 0; i < 1000; i++)
		rt_spread_add(&s, i);
	rt_spread_add(&s, UINT64_MAX);
	is_int(s.count, 1001, "all values are counted");
	ok(s.min == 0 && s.max == UINT64_MAX, "the extremes");
	is_int(s.buckets[10], 1000 - 512, "values from 512 to 1023 are in one bucket");
	is_int(s.buckets[64], 1, "the largest has its own");
	rt_spread_range(&s, &first, &last);
	ok(first == 0 && last == 64, "the range has both");
	is_int(rt_spread_quantile(&s, 0.5), 511, "half are below the end of their bucket");
	is_int(rt_spread_floor(10), 512, "where a bucket begins");
}

int main(void)
{
	test_pending();
	test_timeline();
	test_slices(50, 20000, 2, "few items");
	test_slices(20000, 1500000, 2, "more cells than there is room");
	test_slices(400000, 800000, 32, "items of one or two samples");
	test_spread();
	return tap_done();
}
