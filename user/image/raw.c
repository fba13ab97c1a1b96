// SPDX-License-Identifier: GPL-2.0
/*
 * Raw images: memory as it is, without a header (QEMU's pmemsave, a file that backs a guest's
 * memory, a copy over FireWire or JTAG).
 *
 * Nothing says which address the first byte has.  Anchors and tables know their own address, so the
 * distance between that and their place in the file tells, also for images with holes left out.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <ringtail.h>

#include "image/memory.h"

#define PLACES_MAX 4096

struct place {
	uint64_t at, phys;
};

struct search {
	struct rt_memory *flat; /* the image as if it began at address 0 */
	struct place place[PLACES_MAX];
	size_t count;
};

static int look(void *arg, uint64_t at, uint64_t first)
{
	struct search *s = arg;
	struct rt_anchor_table table;
	struct rt_anchor anchor;
	uint64_t phys = 0;

	if (first == RT_ANCHOR_MAGIC &&
	    s->flat->ops->read(s->flat, at, &anchor, sizeof(anchor)) == sizeof(anchor))
		phys = anchor.phys;
	else if (first == RT_TABLE_MAGIC &&
		 s->flat->ops->read(s->flat, at, &table, sizeof(table)) == sizeof(table))
		phys = table.phys;
	else
		return 0;
	/* A new distance begins a new part of the image. */
	if (phys < at || phys % RT_IMAGE_PAGE || s->count == PLACES_MAX)
		return 0;
	if (s->count && s->place[s->count - 1].phys - s->place[s->count - 1].at == phys - at)
		return 0;
	s->place[s->count].at = at;
	s->place[s->count++].phys = phys;
	return 0;
}

static int add_parts(struct rt_extents *r, const struct search *s, uint64_t size)
{
	uint64_t at, end, distance;
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < s->count; i++) {
		at = i ? s->place[i].at : 0;
		end = i + 1 < s->count ? s->place[i + 1].at : size;
		distance = s->place[i].phys - s->place[i].at;
		ret = rt_extents_add(r, at + distance, at, end - at, end - at);
	}
	if (!s->count)
		ret = rt_extents_add(r, 0, 0, size, size);
	return ret;
}

/* The search borrows the bytes. */
static void close_nothing(struct rt_bytes *b)
{
}

struct borrowed {
	struct rt_bytes bytes, *from;
};

static size_t read_borrowed(struct rt_bytes *b, uint64_t at, void *to, size_t bytes)
{
	struct rt_bytes *from = ((struct borrowed *)b)->from;

	return from->read(from, at, to, bytes);
}

static uint64_t next_borrowed(struct rt_bytes *b, uint64_t at)
{
	return rt_bytes_next(((struct borrowed *)b)->from, at);
}

int rt_memory_raw(struct rt_bytes *bytes, struct rt_memory **out, struct rt_err *err)
{
	struct borrowed lent = {
		.bytes = { .read = read_borrowed,
			   .next = next_borrowed,
			   .close = close_nothing,
			   .size = bytes->size },
		.from = bytes,
	};
	struct search *s = calloc(1, sizeof(*s));
	struct rt_extents *r = rt_extents_new(&lent.bytes, "");
	int ret = -ENOMEM;

	if (s && r && !rt_extents_add(r, 0, 0, bytes->size, bytes->size)) {
		s->flat = rt_extents_memory(r);
		ret = s->flat->ops->scan(s->flat, look, s);
	}
	if (r)
		rt_extents_memory(r)->ops->close(rt_extents_memory(r));
	r = ret ? NULL : rt_extents_new(bytes, "raw image");
	if (r) {
		ret = add_parts(r, s, bytes->size);
		*out = rt_extents_memory(r);
	}
	free(s);
	return ret || !r ? rt_err_set(err, ENOMEM, "out of memory") : 0;
}
