// SPDX-License-Identifier: GPL-2.0
/* The search for rings in a memory image made of arbitrary pages, in pieces of arbitrary size. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "agent/image_table.h"

#define PIECES 16
#define PAGE   4096

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void walk(const struct rt_image_session *s)
{
	struct rt_subbuf_reader r;
	struct rt_image_entries at = { 0 };
	const struct rt_anchor_module *module;
	struct rt_image_event event;
	struct rt_record rec;
	size_t i;

	for (i = 0; i < s->subbufs; i++) {
		const struct rt_subbuf *sub = s->subbuf[i].sub;

		if (i && s->subbuf[i - 1].sub->ring == sub->ring &&
		    s->subbuf[i - 1].sub->cpu == sub->cpu && s->subbuf[i - 1].sub->seq >= sub->seq)
			abort();
		if (rt_subbuf_open(&r, sub, sub->bytes, NULL))
			abort();
		while (rt_subbuf_next(&r, &rec))
			;
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

/* The first bytes say how the rest is cut; a piece follows the one before or leaves a hole. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rt_image_piece piece[PIECES];
	struct rt_image image;
	uint64_t phys = 0;
	size_t i, at = PIECES, n = 0;

	if (size < PIECES)
		return 0;
	for (i = 0; i < PIECES && at < size; i++) {
		size_t bytes = (data[i] & 15) * (PAGE / 2) + 8;

		if (bytes > size - at)
			bytes = size - at;
		if (data[i] & 16)
			phys += PAGE;
		if (data[i] & 32)
			phys = (phys + PAGE - 1) / PAGE * PAGE;
		piece[n].phys = phys;
		piece[n].data = data + at;
		piece[n++].bytes = bytes;
		phys += bytes;
		at += bytes;
	}
	if (rt_image_find(&image, piece, n, NULL))
		return 0;
	for (i = 0; i < image.sessions; i++)
		walk(&image.session[i]);
	rt_image_free(&image);
	return 0;
}
