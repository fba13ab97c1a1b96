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
	s->floor = s->last > p->start ? s->last : p->start;
	s->last = p->last;
	s->open = true;
}

static unsigned int read_records(struct rt_raw_stream *s, struct rt_record *rec, unsigned int max)
{
	unsigned int n = 0;

	/* A piece has no more records than it says, whatever follows them. */
	while (n < max && s->reader.records < s->expected && rt_subbuf_next(&s->reader, &rec[n]))
		n++;
	return n;
}

/* The time of this record is damaged. */
static void mend(struct rt_raw_stream *s, struct rt_record *rec)
{
	/* Records up to `merged` are in the file already, perhaps later ones than the one in front. */
	uint64_t time = s->floor > *s->merged ? s->floor : *s->merged;
	const uint8_t *payload = rec->payload;

	/* The time ends where the payload begins. */
	rt_raw_walk_damage(s->walk, payload - sizeof(__u32) - s->walk->map, 0);
	rec->time = time < s->last ? time : s->last;
}

/*
 * The records of a CPU lie in the order of their times, and a piece says when its last one was.  A
 * record with a later time would hold back all records behind it until the other CPUs have come that
 * far, so one that does not fit gets the time of the record in front of it.  REC has N records, and
 * the one behind them if MORE.
 */
static void check_times(struct rt_raw_stream *s, struct rt_record *rec, unsigned int n, bool more)
{
	const struct rt_record *end = rec + n;
	uint64_t next;

	for (; rec < end; rec++) {
		next = rec + 1 < end || more ? rec[1].time : s->last;
		/* Of two in the wrong order, the first one is wrong if the second fits without it. */
		if (rec->time < s->floor || rec->time > s->last ||
		    (rec->time > next && next >= s->floor))
			mend(s, rec);
		else
			s->floor = rec->time;
	}
}

static unsigned int fill(struct rt_cpuring *ring)
{
	struct rt_raw_stream *s = ring->source;
	struct rt_subbuf_reader before;
	bool more = false;
	unsigned int n;

	for (;;) {
		n = s->open ? read_records(s, ring->ahead, RT_CPURING_AHEAD - 1) : 0;
		if (n)
			break;
		s->open = false;
		if (s->first == s->count)
			return 0;
		open_piece(s, &s->pieces[s->first++]);
	}
	/* The one behind them is read again the next time. */
	before = s->reader;
	if (n == RT_CPURING_AHEAD - 1)
		more = read_records(s, &ring->ahead[n], 1);
	s->reader = before;
	check_times(s, ring->ahead, n, more);
	return n;
}

void rt_raw_stream_begin(struct rt_raw_stream *s, struct rt_cpuring *ring, struct rt_raw_walk *walk,
			 const uint64_t *merged)
{
	memset(s, 0, sizeof(*s));
	s->walk = walk;
	s->merged = merged;
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
