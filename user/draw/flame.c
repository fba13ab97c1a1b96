// SPDX-License-Identifier: GPL-2.0
#include "draw/flame.h"

#include <stdlib.h>
#include <string.h>

#include "base/large.h"

static uint32_t hash_string(uint32_t h, const char *s)
{
	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * 16777619u;
	return (h ^ 0xff) * 16777619u;
}

/* Make an array of elements of SIZE bytes larger; NULL if there is no memory. */
static void *larger(void *list, size_t *room, size_t size)
{
	size_t more = *room ? *room * 2 : 256;
	void *got;

	if (more >= RT_FLAME_NONE)
		return NULL;
	got = rt_large_list(list, more, size);
	if (got)
		*room = more;
	return got;
}

uint32_t rt_flame_frame(struct rt_flame *f, const char *name, const char *object,
			enum rt_flame_kind kind)
{
	uint32_t hash = hash_string(hash_string(2166136261u ^ kind, name), object), i;
	struct rt_flame_frame *frame, *list;
	struct rt_index_probe probe;

	if (f->failed)
		return 0;
	for (i = rt_index_first(&f->by_frame, (uint64_t)hash << 32, &probe); i;
	     i = rt_index_next(&f->by_frame, &probe)) {
		frame = &f->frames[i - 1];
		if (frame->kind == kind && !strcmp(frame->name, name) &&
		    !strcmp(frame->object, object))
			return i - 1;
	}
	if (f->frame_count == f->frame_room) {
		list = larger(f->frames, &f->frame_room, sizeof(*list));
		if (!list)
			goto fail;
		f->frames = list;
	}
	frame = &f->frames[f->frame_count];
	frame->name = rt_arena_str(&f->arena, name);
	frame->object = rt_arena_str(&f->arena, object);
	frame->kind = kind;
	frame->hash = hash;
	if (!frame->name || !frame->object ||
	    !rt_index_add(&f->by_frame, (uint64_t)hash << 32, (uint32_t)f->frame_count + 1))
		goto fail;
	return (uint32_t)f->frame_count++;
fail:
	f->failed = true;
	return 0;
}

static uint32_t new_node(struct rt_flame *f, uint32_t parent, uint32_t frame)
{
	struct rt_flame_node *n;

	if (f->node_count == f->node_room) {
		n = larger(f->nodes, &f->node_room, sizeof(*n));
		if (!n) {
			f->failed = true;
			return RT_FLAME_ROOT;
		}
		f->nodes = n;
	}
	n = &f->nodes[f->node_count];
	memset(n, 0, sizeof(*n));
	n->frame = frame;
	n->parent = parent;
	n->child = n->sibling = RT_FLAME_NONE;
	return (uint32_t)f->node_count++;
}

uint32_t rt_flame_child(struct rt_flame *f, uint32_t node, uint32_t frame)
{
	uint64_t hash = rt_hash_mix(node, frame);
	struct rt_index_probe probe;
	uint32_t i;

	if (f->failed)
		return RT_FLAME_ROOT;
	for (i = rt_index_first(&f->by_place, hash, &probe); i;
	     i = rt_index_next(&f->by_place, &probe)) {
		const struct rt_flame_node *n = &f->nodes[i - 1];

		if (n->parent == node && n->frame == frame)
			return i - 1;
	}
	i = new_node(f, node, frame);
	if (!f->failed && !rt_index_add(&f->by_place, hash, i + 1))
		f->failed = true;
	return f->failed ? RT_FLAME_ROOT : i;
}

void rt_flame_init(struct rt_flame *f)
{
	memset(f, 0, sizeof(*f));
	rt_flame_frame(f, "all", "", RT_FLAME_GROUP);
	if (!f->failed)
		new_node(f, RT_FLAME_NONE, 0);
}

void rt_flame_free(struct rt_flame *f)
{
	free(f->frames);
	free(f->nodes);
	rt_index_free(&f->by_frame);
	rt_index_free(&f->by_place);
	rt_arena_free(&f->arena);
	memset(f, 0, sizeof(*f));
}

static int by_weight(const void *a, const void *b, void *priv)
{
	const struct rt_flame *f = priv;
	const struct rt_flame_node *l = &f->nodes[*(const uint32_t *)a];
	const struct rt_flame_node *r = &f->nodes[*(const uint32_t *)b];
	uint64_t lw = l->total[0] + l->total[1], rw = r->total[0] + r->total[1];
	int order;

	if (lw != rw)
		return lw > rw ? -1 : 1;
	order = strcmp(f->frames[l->frame].name, f->frames[r->frame].name);
	if (!order)
		order = strcmp(f->frames[l->frame].object, f->frames[r->frame].object);
	return order ? order : l->frame < r->frame ? -1 : 1;
}

/* Put the children of a node into order; LIST has room for all of them. */
static void sort_children(struct rt_flame *f, struct rt_flame_node *parent, uint32_t *list)
{
	uint32_t child, *at = &parent->child;
	size_t count = 0, i;

	for (child = *at; child != RT_FLAME_NONE; child = f->nodes[child].sibling)
		list[count++] = child;
	if (count < 2)
		return;
	qsort_r(list, count, sizeof(*list), by_weight, f);
	for (i = 0; i < count; i++) {
		*at = list[i];
		at = &f->nodes[list[i]].sibling;
	}
	*at = RT_FLAME_NONE;
}

void rt_flame_finish(struct rt_flame *f)
{
	uint32_t *list;
	size_t i;
	int side;

	if (f->failed)
		return;
	list = malloc(f->node_count * sizeof(*list));
	if (!list) {
		f->failed = true;
		return;
	}
	/* Nodes come behind their parents, so from the last one all children of a node are known. */
	for (i = f->node_count; i-- > 0;) {
		struct rt_flame_node *n = &f->nodes[i], *parent;

		for (side = 0; side < RT_FLAME_SIDES; side++)
			n->total[side] += n->self[side];
		sort_children(f, n, list);
		if (n->parent == RT_FLAME_NONE)
			continue;
		parent = &f->nodes[n->parent];
		for (side = 0; side < RT_FLAME_SIDES; side++)
			parent->total[side] += n->total[side];
		n->sibling = parent->child;
		parent->child = (uint32_t)i;
	}
	free(list);
}
