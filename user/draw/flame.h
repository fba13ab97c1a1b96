/* SPDX-License-Identifier: GPL-2.0 */
/*
 * flame.h - the tree of a flame graph: weighted stacks, merged from the outermost frame inwards.
 *
 * A caller walks each stack from its outermost frame with rt_flame_child() and adds the weight of
 * the sample at the node where the walk ends.  A graph of two recordings keeps two weights for each
 * node.
 *
 * This folder: pictures of recordings as SVG and HTML, and the escaping of everything that a
 * recording puts into them.  May use: base, perfdata, perfdata/read, process, symbols, stack,
 * profile, analysis.
 */
#ifndef RT_DRAW_FLAME_H
#define RT_DRAW_FLAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/hash.h"

enum rt_flame_kind {
	RT_FLAME_GROUP, /* not a function: an event, a task, a CPU */
	RT_FLAME_USER,
	RT_FLAME_KERNEL,
	RT_FLAME_INLINED,
	RT_FLAME_JIT,
	RT_FLAME_UNKNOWN, /* an address without a symbol */
	RT_FLAME_KINDS
};

struct rt_flame_frame {
	const char *name;
	const char *object; /* "": none */
	enum rt_flame_kind kind;
	uint32_t hash;
};

/* The two recordings of a differential graph; others have one side. */
enum { RT_FLAME_NOW, RT_FLAME_BEFORE, RT_FLAME_SIDES };

#define RT_FLAME_ROOT 0U
#define RT_FLAME_NONE UINT32_MAX

struct rt_flame_node {
	uint32_t frame;
	uint32_t parent;
	uint32_t child, sibling; /* RT_FLAME_NONE: none */
	uint64_t self[RT_FLAME_SIDES];
	uint64_t total[RT_FLAME_SIDES]; /* with all descendants, after rt_flame_finish() */
};

struct rt_flame {
	struct rt_arena arena;
	struct rt_flame_frame *frames;
	struct rt_flame_node *nodes; /* a parent comes before its children */
	size_t frame_count, frame_room, node_count, node_room;
	struct rt_index by_frame, by_place; /* numbers plus 1 */
	bool failed;			    /* out of memory: the tree is not complete */
};

/* Make the root.  If memory runs out, here or later, `failed` is set. */
void rt_flame_init(struct rt_flame *f);
void rt_flame_free(struct rt_flame *f);

/* The number of a frame; equal frames have equal numbers. */
uint32_t rt_flame_frame(struct rt_flame *f, const char *name, const char *object,
			enum rt_flame_kind kind);
/* The child of NODE for FRAME, made if it is new. */
uint32_t rt_flame_child(struct rt_flame *f, uint32_t node, uint32_t frame);

static inline void rt_flame_weigh(struct rt_flame *f, uint32_t node, int side, uint64_t weight)
{
	if (!f->failed)
		f->nodes[node].self[side] += weight;
}

/* Add up the totals and sort children, the widest first.  Call once, after all stacks. */
void rt_flame_finish(struct rt_flame *f);

#endif
