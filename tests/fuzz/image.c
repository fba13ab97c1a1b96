// SPDX-License-Identifier: GPL-2.0
/* The search for rings in a memory image made of arbitrary pages, in pieces of arbitrary size. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "image/table.h"

#define PIECES 16
#define PAGE   4096

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void walk(const struct rt_image *image, const struct rt_image_session *s)
{
	struct rt_subbuf_reader r;
	struct rt_image_entries at = { 0 };
	const struct rt_anchor_module *module;
	struct rt_image_event event;
	struct rt_record rec;
	size_t i, missing;

	for (i = 0; i < s->subbufs; i++) {
		const struct rt_image_subbuf *sub = &s->subbuf[i];
		void *buffer = malloc(sub->bytes);

		if (i && sub[-1].ring == sub->ring && sub[-1].cpu == sub->cpu &&
		    sub[-1].seq >= sub->seq)
			abort();
		if (!rt_image_load(image, sub, buffer, &r, &missing))
			while (rt_subbuf_next(&r, &rec))
				;
		free(buffer);
	}
	while (rt_image_next_event(s, &at, &event))
		if (event.name[strlen(event.name)] || (const char *)event.fetch < event.name)
			abort();
	memset(&at, 0, sizeof(at));
	while (rt_image_next_module(s, &at, &module))
		;
	for (i = 0; s->anchor && i < s->anchor->parts; i++)
		if ((char *)&s->anchor->part[i + 1] > (char *)s->anchor + s->anchor->bytes)
			abort();
}

static const uint8_t *input;

static size_t read_input(struct rt_bytes *b, uint64_t at, void *to, size_t bytes)
{
	if (at >= b->size)
		return 0;
	if (bytes > b->size - at)
		bytes = b->size - at;
	memcpy(to, input + at, bytes);
	return bytes;
}

static void close_input(struct rt_bytes *b)
{
}

/* The first bytes say how the rest is cut; a piece follows the one before or leaves a hole. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rt_bytes bytes_of = { .read = read_input, .close = close_input, .size = size };
	struct rt_memory *memory;
	struct rt_extents *ranges;
	struct rt_image image;
	uint64_t phys = 0;
	size_t i, at = PIECES;

	if (size < PIECES)
		return 0;
	input = data;
	ranges = rt_extents_new(&bytes_of, "fuzz");
	for (i = 0; i < PIECES && at < size; i++) {
		size_t bytes = (data[i] & 15) * (PAGE / 2) + 8;

		if (bytes > size - at)
			bytes = size - at;
		if (data[i] & 16)
			phys += PAGE;
		if (data[i] & 32)
			phys = (phys + PAGE - 1) / PAGE * PAGE;
		rt_extents_add(ranges, phys, at, bytes, bytes + (data[i] >> 6 & 1) * PAGE);
		phys += bytes;
		at += bytes;
	}
	memory = rt_extents_memory(ranges);
	if (!rt_image_find(&image, memory, NULL)) {
		for (i = 0; i < image.sessions; i++)
			walk(&image, &image.session[i]);
		rt_image_free(&image);
	}
	memory->ops->close(memory);
	return 0;
}
