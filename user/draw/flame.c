// SPDX-License-Identifier: GPL-2.0
#include "draw/flame.h"

#include <stdlib.h>
#include <string.h>

static uint32_t hash_string(uint32_t h, const char *s)
{
	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * 16777619u;
	return (h ^ 0xff) * 16777619u;
}

static size_t hash_place(uint32_t parent, uint32_t frame)
{
	uint64_t h = ((uint64_t)parent << 32 | frame) * 0x9e3779b97f4a7c15ULL;

	return (size_t)(h ^ h >> 29);
}

/* Make an array of elements of SIZE bytes larger; NULL if there is no memory. */
static void *larger(void *list, size_t *room, size_t size)
{
	size_t more = *room ? *room * 2 : 256;
	void *got;

	if (more >= RT_FLAME_NONE || more > SIZE_MAX / size)
		return NULL;
	got = realloc(list, more * size);
	if (got)
		*room = more;
	return got;
}

static size_t hash_of(const struct rt_flame *f, const struct rt_flame_index *x, uint32_t number)
{
	if (x == &f->by_frame)
		return f->frames[number].hash;
	return hash_place(f->nodes[number].parent, f->nodes[number].frame);
}

static bool index_grow(struct rt_flame *f, struct rt_flame_index *x)
{
	size_t size = x->size ? x->size * 2 : 1024, i, at;
	uint32_t *slots = malloc(size * sizeof(*slots));

	if (!slots)
		return false;
	memset(slots, 0xff, size * sizeof(*slots));
	for (i = 0; i < x->size; i++) {
		if (x->slots[i] == RT_FLAME_NONE)
			continue;
		at = hash_of(f, x, x->slots[i]) & (size - 1);
		while (slots[at] != RT_FLAME_NONE)
			at = (at + 1) & (size - 1);
		slots[at] = x->slots[i];
	}
	free(x->slots);
	x->slots = slots;
	x->size = size;
	return true;
}

/* Make sure that the table stays at most half full with one entry more. */
static bool index_room(struct rt_flame *f, struct rt_flame_index *x)
{
	return x->used * 2 < x->size || index_grow(f, x);
}

uint32_t rt_flame_frame(struct rt_flame *f, const char *name, const char *object,
			enum rt_flame_kind kind)
{
	struct rt_flame_index *x = &f->by_frame;
	struct rt_flame_frame *frame, *list;
	uint32_t hash = hash_string(hash_string(2166136261u ^ kind, name), object);
	size_t at;

	if (f->failed || !index_room(f, x))
		goto fail;
	for (at = hash & (x->size - 1); x->slots[at] != RT_FLAME_NONE;
	     at = (at + 1) & (x->size - 1)) {
		frame = &f->frames[x->slots[at]];
		if (frame->hash == hash && frame->kind == kind && !strcmp(frame->name, name) &&
		    !strcmp(frame->object, object))
			return x->slots[at];
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
	if (!frame->name || !frame->object)
		goto fail;
	x->slots[at] = (uint32_t)f->frame_count;
	x->used++;
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
	struct rt_flame_index *x = &f->by_place;
	uint32_t number;
	size_t at;

	if (f->failed || !index_room(f, x)) {
		f->failed = true;
		return RT_FLAME_ROOT;
	}
	for (at = hash_place(node, frame) & (x->size - 1); x->slots[at] != RT_FLAME_NONE;
	     at = (at + 1) & (x->size - 1)) {
		const struct rt_flame_node *n = &f->nodes[x->slots[at]];

		if (n->parent == node && n->frame == frame)
			return x->slots[at];
	}
	number = new_node(f, node, frame);
	if (f->failed)
		return RT_FLAME_ROOT;
	x->slots[at] = number;
	x->used++;
	return number;
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
	free(f->by_frame.slots);
	free(f->by_place.slots);
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
