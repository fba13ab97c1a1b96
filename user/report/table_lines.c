// SPDX-License-Identifier: GPL-2.0
/* table_lines.c - find the line of a place in the code, or make it. */
#include <stdlib.h>
#include <string.h>

#include "report/table_make.h"

static uint64_t hash_of(struct rt_report_table *t, const struct rt_where *w, uint64_t *ids)
{
	const struct rt_columns *c = &t->r->columns;
	uint64_t h = 0;
	size_t i;

	for (i = 0; i < c->key_count; i++) {
		ids[i] = c->keys[i]->type->id(t->r, c->keys[i], w);
		h = rt_hash_mix(h, ids[i]);
	}
	return h;
}

/* The values that make lines different are kept behind the sums of each line. */
static uint64_t *ids_of(const struct rt_report_table *t, struct rt_line *l)
{
	return (uint64_t *)(l->stat + t->members * (t->r->opt->children ? 2 : 1));
}

uint64_t rt_line_identity(const struct rt_report_table *t, struct rt_line *l)
{
	if (t->levels)
		return l->rank;
	return rt_hash_bytes(1, ids_of(t, l), t->r->columns.key_count * sizeof(uint64_t));
}

static struct rt_line *add_line(struct rt_report_table *t, const struct rt_where *w,
				const uint64_t *ids, uint64_t hash)
{
	size_t key_count = t->r->columns.key_count;
	const struct rt_sum *sum = &t->r->sums.list[w->sum];
	struct rt_line *l;

	if (t->count == t->room) {
		uint32_t room = t->room ? 2 * t->room : 256;
		void *lines = realloc(t->lines, room * sizeof(*t->lines));

		if (!lines)
			return NULL;
		t->lines = lines;
		t->room = room;
	}
	l = rt_arena_alloc(&t->arena, sizeof(*l) + t->members * 2 * sizeof(struct rt_stat) +
					      key_count * sizeof(*ids));
	if (!l || !rt_index_add(&t->index, hash, t->count + 1))
		return NULL;
	l->where = *w;
	l->filtered = sum->filtered;
	l->number = t->count;
	memcpy(ids_of(t, l), ids, key_count * sizeof(*ids));
	t->lines[t->count++] = l;
	return l;
}

/* A line is of the first of its sums, in whatever order they come. */
static void found_again(const struct rt_report_table *t, struct rt_line *l,
			const struct rt_where *w)
{
	if (w->sum >= l->where.sum)
		return;
	l->where = *w;
	l->filtered = t->r->sums.list[w->sum].filtered;
}

static struct rt_line *get_line(struct rt_report_table *t, const struct rt_where *w)
{
	size_t bytes = t->r->columns.key_count * sizeof(uint64_t);
	uint64_t ids[RT_COLUMNS_MAX];
	struct rt_index_probe probe;
	uint64_t hash = hash_of(t, w, ids);
	uint32_t i;

	for (i = rt_index_first(&t->index, hash, &probe); i; i = rt_index_next(&t->index, &probe))
		if (!memcmp(ids_of(t, t->lines[i - 1]), ids, bytes)) {
			found_again(t, t->lines[i - 1], w);
			return t->lines[i - 1];
		}
	return add_line(t, w, ids, hash);
}

char rt_table_level(const struct rt_report_table *t, uint32_t func)
{
	const struct rt_profile_func *f = rt_profile_func(t->r->profile, func);

	return !f->symbol && !f->object ? 0 : f->kernel ? 'k' : '.';
}

struct rt_table_memo *rt_table_recall(struct rt_report_table *t, uint32_t func, uint64_t group,
				      struct rt_table_memo *room)
{
	struct rt_table_memo *memo = t->memo ? &t->memo[func] : room;

	if (t->memo && memo->group == group)
		return memo;
	*memo = (struct rt_table_memo){ .group = group, .level = rt_table_level(t, func) };
	return memo;
}

struct rt_line *rt_table_caller_line(struct rt_report_table *t, struct rt_table_memo *memo,
				     const struct rt_where *w)
{
	if (!memo->line)
		memo->line = get_line(t, w);
	if (!memo->line)
		t->failed = true;
	return memo->line;
}

struct rt_line *rt_table_own_line(struct rt_report_table *t, struct rt_table_memo *memo,
				  const struct rt_where *w)
{
	/* Like perf, show a caller without a symbol by its address in the process, not in the object. */
	if (rt_profile_func(t->r->profile, w->func)->symbol)
		return rt_table_caller_line(t, memo, w);
	/* An address may be mapped to different places of an object. */
	if (!memo->own || memo->own->where.address != w->address)
		memo->own = get_line(t, w);
	if (!memo->own)
		t->failed = true;
	return memo->own;
}
