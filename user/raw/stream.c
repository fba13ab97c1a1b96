// SPDX-License-Identifier: GPL-2.0
#include "raw/stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The records of a piece: it may begin anywhere in its sub-buffer. */
static void open_piece(struct rt_raw_stream *s, const struct rt_raw_item *item)
{
	const struct rt_raw_piece *p = (const void *)item->hdr;

	memset(&s->reader, 0, sizeof(s->reader));
	s->reader.head = item->bytes;
	s->reader.word = item->bytes;
	s->reader.words = item->size / sizeof(__u32);
	s->reader.at = p->from ? 0 : sizeof(struct rt_subbuf) / sizeof(__u32);
	s->reader.start = p->start;
	s->reader.seq = p->seq;
	s->expected = p->records;
	s->open = true;
}

static unsigned int fill(struct rt_cpuring *ring)
{
	struct rt_raw_stream *s = ring->source;
	unsigned int n = 0;

	for (;;) {
		/* A piece has no more records than it says, whatever follows them. */
		while (s->open && n < RT_CPURING_AHEAD && s->reader.records < s->expected &&
		       rt_subbuf_next(&s->reader, &ring->ahead[n]))
			n++;
		if (n)
			return n;
		s->open = false;
		if (s->first == s->count)
			return 0;
		open_piece(s, &s->pieces[s->first++]);
	}
}

void rt_raw_stream_begin(struct rt_raw_stream *s, struct rt_cpuring *ring)
{
	memset(s, 0, sizeof(*s));
	ring->fill = fill;
	ring->source = s;
}

void rt_raw_stream_free(struct rt_raw_stream *s)
{
	free(s->pieces);
	memset(s, 0, sizeof(*s));
}

int rt_raw_stream_add(struct rt_raw_stream *s, const struct rt_raw_item *piece)
{
	size_t room = s->room ? 2 * s->room : 64;
	struct rt_raw_item *bigger;

	if (s->first && 2 * s->first >= s->count) {
		s->count -= s->first;
		memmove(s->pieces, s->pieces + s->first, s->count * sizeof(*s->pieces));
		s->first = 0;
	}
	if (s->count == s->room) {
		bigger = realloc(s->pieces, room * sizeof(*bigger));
		if (!bigger)
			return -ENOMEM;
		s->pieces = bigger;
		s->room = room;
	}
	s->pieces[s->count++] = *piece;
	return 0;
}
