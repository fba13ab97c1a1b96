// SPDX-License-Identifier: GPL-2.0
#include "analysis/timeline.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_SHIFT 10	 /* a bucket is 1024 nanoseconds long before the first merge */
#define INDEX_SIZE  8192 /* a power of two, larger than RT_TIMELINE_ROWS */

void rt_timeline_free(struct rt_timeline *t)
{
	uint32_t kind, i;

	for (kind = 0; kind < RT_TIMELINE_KINDS; kind++) {
		for (i = 0; i < t->row_count[kind]; i++)
			free(t->rows[kind][i]);
		free(t->rows[kind]);
		free(t->index[kind]);
	}
	rt_arena_free(&t->arena);
	memset(t, 0, sizeof(*t));
}

/* Make buckets twice as long. */
static void merge(struct rt_timeline *t)
{
	uint32_t kind, i, b;

	for (kind = 0; kind < RT_TIMELINE_KINDS; kind++)
		for (i = 0; i < t->row_count[kind]; i++) {
			uint64_t *count = t->rows[kind][i]->count;

			for (b = 0; b < RT_TIMELINE_BUCKETS / 2; b++)
				count[b] = count[2 * b] + count[2 * b + 1];
			memset(count + b, 0, b * sizeof(*count));
		}
	t->shift++;
	t->used = (t->used + 1) / 2;
}

uint32_t rt_timeline_bucket_slow(struct rt_timeline *t, uint64_t time)
{
	uint32_t bucket;

	if (!t->begun) {
		t->begun = true;
		t->start = time;
		t->shift = FIRST_SHIFT;
	}
	/* A record that comes late counts where the recording begins. */
	if (time < t->start)
		return 0;
	while ((time - t->start) >> t->shift >= RT_TIMELINE_BUCKETS)
		merge(t);
	bucket = (uint32_t)((time - t->start) >> t->shift);
	if (bucket >= t->used)
		t->used = bucket + 1;
	return bucket;
}

static struct rt_timeline_row *new_row(struct rt_timeline *t, enum rt_timeline_kind kind)
{
	uint32_t n = t->row_count[kind];

	if (!t->rows[kind]) {
		t->rows[kind] = calloc(RT_TIMELINE_ROWS + 1, sizeof(*t->rows[kind]));
		t->index[kind] = calloc(INDEX_SIZE, sizeof(*t->index[kind]));
	}
	if (t->rows[kind] && t->index[kind])
		t->rows[kind][n] = calloc(1, sizeof(**t->rows[kind]));
	if (!t->rows[kind] || !t->index[kind] || !t->rows[kind][n]) {
		t->failed = true;
		return NULL;
	}
	t->row_count[kind]++;
	return t->rows[kind][n];
}

static struct rt_timeline_row *row_of(struct rt_timeline *t, enum rt_timeline_kind kind,
				      uint64_t key)
{
	uint32_t at = (uint32_t)((key * 0x9e3779b97f4a7c15ULL) >> 40) & (INDEX_SIZE - 1);
	struct rt_timeline_row **found = &t->found[kind][key & (RT_TIMELINE_FOUND - 1)];
	struct rt_timeline_row *row = *found;

	if (row && row->key == key)
		return row;
	if (t->index[kind]) {
		for (; t->index[kind][at]; at = (at + 1) & (INDEX_SIZE - 1)) {
			row = t->rows[kind][t->index[kind][at] - 1];
			if (row->key == key)
				return *found = row;
		}
		if (t->row_count[kind] > RT_TIMELINE_ROWS)
			return t->rows[kind][RT_TIMELINE_ROWS];
	}
	row = new_row(t, kind);
	if (!row)
		return NULL;
	row->rest = t->row_count[kind] > RT_TIMELINE_ROWS;
	row->key = key;
	if (!row->rest)
		t->index[kind][at] = t->row_count[kind];
	return row;
}

void rt_timeline_add_slow(struct rt_timeline *t, enum rt_timeline_kind kind, uint64_t key,
			  const char *name, uint32_t bucket, uint64_t n)
{
	struct rt_timeline_row *row = t->failed ? NULL : row_of(t, kind, key);

	if (!row)
		return;
	if (name && !row->rest && row->given != name) {
		row->given = name;
		row->name = rt_arena_str(&t->arena, name);
		t->failed |= !row->name;
	}
	row->count[bucket] += n;
}

static int by_key(const void *a, const void *b)
{
	const struct rt_timeline_row *l = *(struct rt_timeline_row *const *)a;
	const struct rt_timeline_row *r = *(struct rt_timeline_row *const *)b;

	if (l->rest != r->rest)
		return l->rest ? 1 : -1;
	return l->key < r->key ? -1 : l->key > r->key;
}

static int by_total(const void *a, const void *b)
{
	const struct rt_timeline_row *l = *(struct rt_timeline_row *const *)a;
	const struct rt_timeline_row *r = *(struct rt_timeline_row *const *)b;

	if (l->rest != r->rest || l->total == r->total)
		return by_key(a, b);
	return l->total > r->total ? -1 : 1;
}

void rt_timeline_sort(struct rt_timeline *t)
{
	uint32_t kind, i, b;

	for (kind = 0; kind < RT_TIMELINE_KINDS; kind++) {
		for (i = 0; i < t->row_count[kind]; i++)
			for (t->rows[kind][i]->total = b = 0; b < t->used; b++)
				t->rows[kind][i]->total += t->rows[kind][i]->count[b];
		if (t->row_count[kind])
			qsort(t->rows[kind], t->row_count[kind], sizeof(*t->rows[kind]),
			      kind == RT_TIMELINE_CPU ? by_key : by_total);
	}
}
