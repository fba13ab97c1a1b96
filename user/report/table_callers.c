// SPDX-License-Identifier: GPL-2.0
/*
 * table_callers.c - add sums to the lines of their callers, all sums that share callers at once.
 *
 * A line's time with its callees is that of all sums in whose stacks it is, each sum once.  Stacks
 * share most of their callers, so each sum is added only to the place where its stack ends, and the
 * time of a place to its caller's when all sums are known.  A place is a node of the profile's call
 * tree in a group of sums: in a group the same function has the same line.
 *
 * A function that calls itself is in a stack more than once.  The outermost place counts, because
 * all others are below it.
 */
#include <stdlib.h>
#include <string.h>

#include "base/large.h"
#include "report/table_make.h"

/* What is known of a place until its group of sums is complete. */
struct weight {
	uint64_t period, count;
	uint64_t lines;	 /* a bit for the line of each place from here outwards; lines share bits */
	uint32_t depth;	 /* places from here outwards */
	uint32_t height; /* the most places from here to the end of a stack */
};

struct work {
	struct rt_report_table *t;
	struct weight *weights; /* of the places of the group */
	uint32_t weight_room;
	uint32_t first;	 /* the first place of the group */
	uint32_t *at;	 /* by node: its place; less than `first`: none in this group */
	uint32_t *lines; /* of the new places of a stack, innermost first */
	size_t line_room;
	uint32_t *order;  /* the sums, those of a group together */
	uint32_t *groups; /* of each sum, from 1 up; 0: of another event */
	uint32_t group_count;
	struct rt_index index;
};

/* ---- groups of sums ------------------------------------------------------------------- */

static bool same_group(const struct rt_sums *s, uint32_t a, uint32_t b)
{
	size_t n = s->extra_count;

	return s->list[a].comm == s->list[b].comm &&
	       (!s->by_thread || s->list[a].tid == s->list[b].tid) &&
	       (!n || !memcmp(&s->extra[a * n], &s->extra[b * n], n * sizeof(*s->extra)));
}

static uint64_t hash_group(const struct rt_sums *s, uint32_t i)
{
	uint64_t h = rt_hash_mix((uintptr_t)s->list[i].comm,
				 s->by_thread ? (uint64_t)s->list[i].tid : 0);
	size_t k;

	for (k = 0; k < s->extra_count; k++)
		h = rt_hash_mix(h, s->extra[i * s->extra_count + k]);
	return h;
}

/* The group of a sum.  The index has the first sum of each group.  0: no memory. */
static uint32_t group_of(struct work *w, uint32_t sum)
{
	const struct rt_sums *s = &w->t->r->sums;
	uint64_t hash = hash_group(s, sum);
	struct rt_index_probe probe;
	uint32_t i;

	for (i = rt_index_first(&w->index, hash, &probe); i; i = rt_index_next(&w->index, &probe))
		if (same_group(s, i - 1, sum))
			return w->groups[i - 1];
	return rt_index_add(&w->index, hash, sum + 1) ? ++w->group_count : 0;
}

/* Sums of a group stay in their order.  Returns how many sums there are. */
static uint32_t order_sums(struct work *w)
{
	const struct rt_sums *s = &w->t->r->sums;
	uint32_t i, count = 0, *next, last = 0;

	for (i = 0; i < s->count; i++) {
		if (s->list[i].event != w->t->events[0]->index)
			continue;
		if (!count || !same_group(s, last, i)) {
			w->groups[i] = group_of(w, i);
			if (!w->groups[i]) {
				w->t->failed = true;
				return 0;
			}
		} else {
			w->groups[i] = w->groups[last];
		}
		last = i;
		count++;
	}
	next = calloc((size_t)w->group_count + 2, sizeof(*next));
	if (!next) {
		w->t->failed = true;
		return 0;
	}
	for (i = 0; i < s->count; i++)
		if (w->groups[i])
			next[w->groups[i] + 1]++;
	for (i = 1; i <= w->group_count; i++)
		next[i + 1] += next[i];
	for (i = 0; i < s->count; i++)
		if (w->groups[i])
			w->order[next[w->groups[i]]++] = i;
	free(next);
	return count;
}

/* ---- places --------------------------------------------------------------------------- */

static struct weight *weight_at(struct work *w, uint32_t place)
{
	return &w->weights[place - w->first];
}

static uint64_t bit_of(uint32_t line)
{
	return 1ull << (line * 0x9e3779b1u >> 26);
}

/* Whether a line is that of a place, or of one farther out. */
static bool is_outwards(struct work *w, uint32_t place, uint32_t line)
{
	if (!place || !(weight_at(w, place)->lines & bit_of(line)))
		return false;
	for (; place; place = w->t->places[place].caller)
		if (w->t->places[place].line == line)
			return true;
	return false;
}

static bool make_room(struct work *w)
{
	struct rt_report_table *t = w->t;
	uint32_t room;
	void *list;

	if (t->place_count >= t->place_room) {
		room = t->place_room ? 2 * t->place_room : 1024;
		list = rt_large_list(t->places, room, sizeof(*t->places));
		if (!list)
			return false;
		t->places = list;
		t->place_room = room;
	}
	if (t->place_count - w->first == w->weight_room) {
		room = w->weight_room ? 2 * w->weight_room : 1024;
		list = rt_large_list(w->weights, room, sizeof(*w->weights));
		if (!list)
			return false;
		w->weights = list;
		w->weight_room = room;
	}
	return true;
}

static uint32_t add_place(struct work *w, uint32_t caller, uint32_t line)
{
	struct rt_report_table *t = w->t;
	uint32_t place = t->place_count;
	struct weight *weight;

	if (!make_room(w)) {
		t->failed = true;
		return 0;
	}
	t->place_count++;
	t->places[place] = (struct rt_table_place){ caller, line };
	weight = weight_at(w, place);
	*weight = (struct weight){ .lines = bit_of(line), .depth = 1 };
	if (caller) {
		weight->lines |= weight_at(w, caller)->lines;
		weight->depth += weight_at(w, caller)->depth;
	}
	return place;
}

/*
 * The level of the K-th node in t->path.  Like perf, take that of the frame before if nothing is
 * mapped there.
 */
static char level_of(const struct rt_report_table *t, size_t k, uint32_t sum)
{
	const struct rt_profile_node *node = rt_profile_node(t->r->profile, t->path[k]);
	bool caller = t->r->opt->graph.caller;
	char level = rt_table_level(t, node->func);

	while (!level && (caller ? node->caller : k)) {
		node = rt_profile_node(t->r->profile, caller ? node->caller : t->path[--k]);
		level = rt_table_level(t, node->func);
	}
	return level ? level : rt_sum_level(&t->r->sums.list[sum]);
}

/* Find the line of the K-th node in t->path. */
static bool find_line(struct work *w, uint32_t sum, size_t k)
{
	struct rt_report_table *t = w->t;
	const struct rt_profile_node *node = rt_profile_node(t->r->profile, t->path[k]);
	struct rt_table_memo room, *memo = rt_table_recall(t, node->func, w->groups[sum], &room);
	struct rt_where where = { sum, node->func, node->ip, memo->level, node->address };
	const struct rt_line *line;

	if (!memo->line && !memo->level)
		where.level = level_of(t, k, sum);
	line = rt_table_caller_line(t, memo, &where);
	if (line)
		w->lines[k] = line->number;
	return line;
}

/* Make places for the first N nodes in t->path; the next one has the place PLACE. */
static uint32_t add_places(struct work *w, uint32_t sum, size_t n, uint32_t place)
{
	struct rt_report_table *t = w->t;
	bool caller = t->r->opt->graph.caller;
	size_t k;

	if (n > w->line_room) {
		void *lines = realloc(w->lines, 2 * n * sizeof(*w->lines));

		if (!lines) {
			t->failed = true;
			return 0;
		}
		w->lines = lines;
		w->line_room = 2 * n;
	}
	/* A line is of the first sum and frame for which it is made. */
	for (k = 0; k < n; k++)
		if (!find_line(w, sum, caller ? n - 1 - k : k))
			return 0;
	for (k = n; !t->failed && k--;) {
		place = add_place(w, place, w->lines[k]);
		w->at[t->path[k]] = place;
	}
	return place;
}

/* The place where the stack of a sum ends; 0: it has no stack. */
static uint32_t place_of(struct work *w, uint32_t sum)
{
	struct rt_report_table *t = w->t;
	uint32_t node = t->r->sums.list[sum].stack;
	size_t n = 0;

	for (; node && w->at[node] < w->first; node = rt_profile_node(t->r->profile, node)->caller)
		if (!rt_table_push(t, n++, node))
			return 0;
	if (!n)
		return node ? w->at[node] : 0;
	return add_places(w, sum, n, node ? w->at[node] : 0);
}

/* ---- sums ----------------------------------------------------------------------------- */

static void add_depth(struct rt_line *l, uint32_t depth)
{
	if (depth > l->max_depth)
		l->max_depth = depth;
}

static void add_sum(struct work *w, uint32_t i)
{
	struct rt_report_table *t = w->t;
	const struct rt_sum *sum = &t->r->sums.list[i];
	struct rt_line *own = rt_table_add_own(t, i, w->groups[i], 0);
	struct rt_stat *all;
	uint32_t place;

	if (!own)
		return;
	place = w->at ? place_of(w, i) : 0;
	if (t->failed)
		return;
	if (place) {
		struct weight *weight = weight_at(w, place);

		weight->period += sum->period;
		weight->count += sum->count;
		weight->height |= 1;
		add_depth(own, weight->depth);
	}
	if (t->r->opt->children && !is_outwards(w, place, own->number)) {
		all = &own->stat[t->members];
		all->period += sum->period;
		all->count += sum->count;
	}
	t->ends[t->end_count++] = (struct rt_table_end){ i, own->number, place };
}

/* Callers have lower numbers than what they call. */
static void finish_group(struct work *w)
{
	struct rt_report_table *t = w->t;
	bool caller = t->r->opt->graph.caller;
	uint32_t i;

	for (i = t->place_count; i-- > w->first;) {
		const struct rt_table_place *place = &t->places[i];
		const struct weight *weight = weight_at(w, i);
		struct rt_line *l = t->lines[place->line];

		if (place->caller) {
			struct weight *up = weight_at(w, place->caller);

			up->period += weight->period;
			up->count += weight->count;
			if (up->height <= weight->height)
				up->height = weight->height + 1;
		}
		if (!caller)
			add_depth(l, weight->depth);
		if (is_outwards(w, place->caller, place->line))
			continue;
		l->stat[t->members].period += weight->period;
		l->stat[t->members].count += weight->count;
		if (caller)
			add_depth(l, weight->height);
	}
}

void rt_table_add_all(struct rt_report_table *t)
{
	const struct rt_report *r = t->r;
	size_t sums = (size_t)r->sums.count + 1;
	struct work w = { .t = t };
	uint32_t i, count = 0;

	w.groups = calloc(sums, sizeof(*w.groups));
	w.order = malloc(sums * sizeof(*w.order));
	t->ends = malloc(sums * sizeof(*t->ends));
	if (r->opt->children && r->opt->stacks)
		w.at = rt_large_table((size_t)rt_profile_node_count(r->profile) + 1, sizeof(*w.at));
	if (!w.groups || !w.order || !t->ends || (r->opt->children && r->opt->stacks && !w.at))
		t->failed = true;
	else
		count = order_sums(&w);
	t->place_count = w.first = 1; /* number 0 is none */
	for (i = 0; i < count && !t->failed; i++) {
		if (i && w.groups[w.order[i]] != w.groups[w.order[i - 1]]) {
			finish_group(&w);
			w.first = t->place_count;
		}
		add_sum(&w, w.order[i]);
	}
	if (!t->failed)
		finish_group(&w);
	rt_index_free(&w.index);
	free(w.groups);
	free(w.order);
	free(w.at);
	free(w.weights);
	free(w.lines);
}
