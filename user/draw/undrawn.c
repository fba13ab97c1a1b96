// SPDX-License-Identifier: GPL-2.0
#include "draw/undrawn.h"

#include <stdlib.h>

#include "draw/escape.h"
#include "draw/number.h"

struct table {
	const struct rt_flame *flame;
	const bool *drawn;
	const uint64_t *weights;
	bool *in; /* by node: it is in the table */
	bool cut; /* others are not */
	uint64_t unit;
	uint32_t *numbers; /* by frame: the number of its name, plus 1 */
	uint32_t *names;   /* the frames whose names have numbers */
	uint32_t name_count;
	struct rt_text *out;
};

static int descending(const void *a, const void *b)
{
	uint64_t l = *(const uint64_t *)a, r = *(const uint64_t *)b;

	return l > r ? -1 : l < r;
}

/* Choose the undrawn nodes of the table: at most MOST, the widest.  False if there is no memory. */
static bool choose(struct table *t, size_t most)
{
	size_t nodes = t->flame->node_count, count = 0, wider = 0, i;
	uint64_t *sorted = malloc((nodes + 1) * sizeof(*sorted)), least = 0;

	t->in = calloc(nodes + 1, sizeof(*t->in));
	if (!sorted || !t->in) {
		free(sorted);
		return false;
	}
	for (i = 0; i < nodes; i++)
		if (!t->drawn[i])
			sorted[count++] = t->weights[i];
	if (count > most) {
		t->cut = true;
		qsort(sorted, count, sizeof(*sorted), descending);
		least = sorted[most];
		while (wider < most && sorted[wider] > least)
			wider++;
		most -= wider;
	}
	free(sorted);
	/* A caller comes before its callees, and is at least as wide. */
	for (i = 0; i < nodes; i++) {
		uint32_t up = t->flame->nodes[i].parent;

		if (t->drawn[i] || !t->weights[i] || t->weights[i] < least)
			continue;
		if (t->weights[i] == least && (!most || !(t->drawn[up] || t->in[up])))
			continue;
		most -= t->weights[i] == least;
		t->in[i] = true;
	}
	return true;
}

static bool is_in(const struct table *t, uint32_t node)
{
	return t->in[node];
}

static void find_unit(struct table *t)
{
	uint64_t a, b, rest;
	size_t i;

	for (i = 0; i < t->flame->node_count && t->unit != 1; i++) {
		if (!is_in(t, (uint32_t)i))
			continue;
		for (a = t->weights[i], b = t->unit; b; a = b, b = rest)
			rest = a % b;
		t->unit = a;
	}
}

static uint32_t children(const struct table *t, uint32_t node)
{
	const struct rt_flame_node *nodes = t->flame->nodes;
	uint32_t child, n = 0;

	for (child = nodes[node].child; child != RT_FLAME_NONE; child = nodes[child].sibling)
		n += is_in(t, child);
	return n;
}

static void put_node(struct table *t, uint32_t node)
{
	uint32_t frame = t->flame->nodes[node].frame;

	if (!t->numbers[frame]) {
		t->names[t->name_count] = frame;
		t->numbers[frame] = ++t->name_count;
	}
	rt_number_packed(t->out, t->numbers[frame] - 1);
	rt_number_packed(t->out, t->weights[node] / t->unit);
	rt_number_packed(t->out, children(t, node));
}

/* The next node below TOP in the order callers, callees, neighbours; RT_FLAME_NONE: there is none. */
static uint32_t next_of(const struct table *t, uint32_t node, uint32_t top, bool inwards)
{
	const struct rt_flame_node *nodes = t->flame->nodes;
	uint32_t next = inwards ? nodes[node].child : RT_FLAME_NONE;

	while (next == RT_FLAME_NONE && node != top) {
		next = nodes[node].sibling;
		node = nodes[node].parent;
	}
	return next;
}

static void put_below(struct table *t, uint32_t top)
{
	uint32_t node = t->flame->nodes[top].child;

	while (node != RT_FLAME_NONE) {
		bool in = is_in(t, node);

		if (in)
			put_node(t, node);
		node = next_of(t, node, top, in);
	}
}

static void put_all(struct table *t)
{
	uint32_t i, n, gap = 0;

	rt_number_packed(t->out, t->unit ? t->unit : 1);
	for (i = 0; i < t->flame->node_count; i++) {
		if (!t->drawn[i])
			continue;
		n = children(t, i);
		if (!n) {
			gap++;
			continue;
		}
		rt_number_packed(t->out, gap);
		rt_number_packed(t->out, n);
		put_below(t, i);
		gap = 0;
	}
	for (i = 0; i < t->name_count; i++) {
		rt_text_char(t->out, '\n');
		rt_xml_text(t->out, t->flame->frames[t->names[i]].name);
	}
}

void rt_undrawn_put(const struct rt_flame *f, const bool *drawn, const uint64_t *weights,
		    size_t most, struct rt_text *out)
{
	struct table t = { .flame = f, .drawn = drawn, .weights = weights, .out = out };

	t.numbers = calloc(f->frame_count + 1, sizeof(*t.numbers));
	t.names = calloc(f->frame_count + 1, sizeof(*t.names));
	if (t.numbers && t.names && choose(&t, most)) {
		find_unit(&t);
		if (t.unit) {
			rt_text_str(out, t.cut ? "<metadata class=\"undrawn\" data-cut=\"1\">" :
						 "<metadata class=\"undrawn\">");
			put_all(&t);
			rt_text_lit(out, "</metadata>\n");
		}
	} else {
		out->failed = true;
	}
	free(t.in);
	free(t.numbers);
	free(t.names);
}
