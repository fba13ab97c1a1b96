// SPDX-License-Identifier: GPL-2.0
/*
 * LZO1X and Snappy, of which only unpacking is needed.  Both are lists of literal bytes and of copies
 * from what was unpacked before, so unpacking can stop at any byte.
 */
#include <stdbool.h>
#include <string.h>

#include "image/unpack.h"

struct stream {
	const uint8_t *from, *end;
	uint8_t *to;
	size_t done, room;
	bool bad;
};

static uint32_t next(struct stream *s)
{
	if (s->from < s->end)
		return *s->from++;
	s->bad = true;
	return 0;
}

static uint32_t next_le(struct stream *s, int bytes)
{
	uint32_t value = 0;
	int i;

	for (i = 0; i < bytes; i++)
		value |= next(s) << 8 * i;
	return value;
}

static bool finished(const struct stream *s)
{
	return s->bad || s->done == s->room;
}

static void literals(struct stream *s, size_t count)
{
	if (count > (size_t)(s->end - s->from)) {
		count = s->end - s->from;
		s->bad = true;
	}
	if (count > s->room - s->done)
		count = s->room - s->done;
	memcpy(s->to + s->done, s->from, count);
	s->done += count;
	s->from += count;
}

/* The copy may overlap itself: then it repeats. */
static void copy(struct stream *s, size_t distance, size_t count)
{
	if (!distance || distance > s->done) {
		s->bad = true;
		return;
	}
	for (; count && s->done < s->room; count--, s->done++)
		s->to[s->done] = s->to[s->done - distance];
}

/* --- LZO1X ----------------------------------------------------------------------- */

/* A length that does not fit into MASK's bits goes on in zero bytes and a last other one. */
static size_t lzo_length(struct stream *s, uint32_t code, uint32_t mask)
{
	size_t length = code & mask;
	uint32_t byte;

	if (length)
		return length;
	length = mask;
	while (!(byte = next(s)) && !s->bad)
		length += 255;
	return length + byte;
}

/*
 * STATE is the number of literals that the instruction before ended with; 4: it was nothing but
 * literals.  Returns the new one, or -1 at the end.
 */
static int lzo_step(struct stream *s, int state)
{
	uint32_t code = next(s), more;
	size_t length, distance;

	if (code < 16 && !state) {
		literals(s, 3 + lzo_length(s, code, 15));
		return 4;
	}
	if (code < 16) {
		distance = (next(s) << 2) + (code >> 2 & 3) + (state == 4 ? 2049 : 1);
		copy(s, distance, state == 4 ? 3 : 2);
		more = code;
	} else if (code < 64) {
		bool far = code < 32;

		length = 2 + lzo_length(s, code, far ? 7 : 31);
		more = next_le(s, 2);
		distance = (more >> 2) + (far ? 16384 + ((code & 8) << 11) : 1);
		if (far && distance == 16384)
			return -1;
		copy(s, distance, length);
	} else {
		length = code < 128 ? 3 + (code >> 5 & 1) : 5 + (code >> 5 & 3);
		copy(s, (next(s) << 3) + (code >> 2 & 7) + 1, length);
		more = code;
	}
	literals(s, more & 3);
	return more & 3;
}

size_t rt_unpack_lzo(const uint8_t *from, size_t bytes, uint8_t *to, size_t room)
{
	struct stream s = { from, from + bytes, to, 0, room, false };
	int state = 0;

	if (bytes && *from > 17) {
		size_t count = next(&s) - 17;

		literals(&s, count);
		state = count < 4 ? (int)count : 4;
	}
	while (!finished(&s) && state >= 0)
		state = lzo_step(&s, state);
	return s.done;
}

/* --- Snappy ---------------------------------------------------------------------- */

static void snappy_step(struct stream *s)
{
	uint32_t tag = next(s), length = tag >> 2;

	switch (tag & 3) {
	case 0:
		if (length >= 60)
			length = next_le(s, length - 59);
		literals(s, (size_t)length + 1);
		break;
	case 1:
		copy(s, (tag >> 5) << 8 | next(s), 4 + (length & 7));
		break;
	case 2:
		copy(s, next_le(s, 2), length + 1);
		break;
	default:
		copy(s, next_le(s, 4), length + 1);
		break;
	}
}

size_t rt_unpack_snappy(const uint8_t *from, size_t bytes, uint8_t *to, size_t room)
{
	struct stream s = { from, from + bytes, to, 0, room, false };
	uint64_t size = 0;
	uint32_t byte = 128;
	int shift;

	for (shift = 0; shift < 35 && byte & 128; shift += 7) {
		byte = next(&s);
		size |= (uint64_t)(byte & 127) << shift;
	}
	if (size < s.room)
		s.room = size;
	while (!finished(&s))
		snappy_step(&s);
	return s.done;
}
