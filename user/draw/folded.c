// SPDX-License-Identifier: GPL-2.0
#include "draw/folded.h"

#include <stdlib.h>

#include "draw/escape.h"

struct line {
	char *text;
	uint64_t weight[RT_FLAME_SIDES];
};

static int by_text(const void *a, const void *b)
{
	return strcmp(((const struct line *)a)->text, ((const struct line *)b)->text);
}

/* The frames from below the root to NODE. */
static char *line_text(const struct rt_flame *f, uint32_t node, uint32_t *path, struct rt_text *t)
{
	size_t depth = 0;

	for (; node != RT_FLAME_ROOT; node = f->nodes[node].parent)
		path[depth++] = node;
	rt_text_reset(t);
	while (depth--) {
		rt_folded_text(t, f->frames[f->nodes[path[depth]].frame].name);
		if (depth)
			rt_text_char(t, ';');
	}
	rt_text_char(t, '\0');
	return t->failed ? NULL : strdup(t->base);
}

static void put_lines(const struct line *lines, size_t count, bool two_sides, struct rt_text *out)
{
	uint64_t weight[RT_FLAME_SIDES];
	size_t i;

	for (i = 0; i < count; i++) {
		weight[RT_FLAME_NOW] = lines[i].weight[RT_FLAME_NOW];
		weight[RT_FLAME_BEFORE] = lines[i].weight[RT_FLAME_BEFORE];
		/* Frames of one name in two objects are one in this text. */
		for (; i + 1 < count && !strcmp(lines[i].text, lines[i + 1].text); i++) {
			weight[RT_FLAME_NOW] += lines[i + 1].weight[RT_FLAME_NOW];
			weight[RT_FLAME_BEFORE] += lines[i + 1].weight[RT_FLAME_BEFORE];
		}
		rt_text_str(out, lines[i].text);
		if (two_sides) {
			rt_text_char(out, ' ');
			rt_text_u64(out, weight[RT_FLAME_BEFORE]);
		}
		rt_text_char(out, ' ');
		rt_text_u64(out, weight[RT_FLAME_NOW]);
		rt_text_char(out, '\n');
	}
}

void rt_flame_folded(const struct rt_flame *f, bool two_sides, struct rt_text *out)
{
	struct line *lines = f->failed ? NULL : calloc(f->node_count, sizeof(*lines));
	uint32_t *path = f->failed ? NULL : malloc(f->node_count * sizeof(*path));
	size_t count = 0, i;
	struct rt_text t;

	rt_text_init(&t);
	if (!lines || !path)
		out->failed = true;
	for (i = 0; !out->failed && i < f->node_count; i++) {
		const struct rt_flame_node *n = &f->nodes[i];

		if (!n->self[RT_FLAME_NOW] && !n->self[RT_FLAME_BEFORE])
			continue;
		memcpy(lines[count].weight, n->self, sizeof(n->self));
		lines[count].text = line_text(f, (uint32_t)i, path, &t);
		if (!lines[count].text)
			out->failed = true;
		else
			count++;
	}
	if (!out->failed) {
		qsort(lines, count, sizeof(*lines), by_text);
		put_lines(lines, count, two_sides, out);
	}
	while (count--)
		free(lines[count].text);
	free(lines);
	free(path);
	rt_text_free(&t);
}
