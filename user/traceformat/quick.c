// SPDX-License-Identifier: GPL-2.0
/*
 * quick.c - the first steps of a format if they are only short texts and plain numbers: one check
 * for room covers them all, and nothing is called.
 */
#include <stdlib.h>

#include "base/digits.h"
#include "traceformat/step.h"

#define QUICK_ROOM (RT_BUFFER_BLOCK + 1 + RT_DIGITS_MAX) /* bytes that one step may write */

static bool is_quick(const struct step *s)
{
	if (s->len > RT_BUFFER_BLOCK)
		return false;
	return s->kind == STEP_TEXT || s->kind == STEP_HEX ||
	       (s->kind == STEP_FIELD && !s->hash && !s->width);
}

void rt_tracequick_find(struct rt_tracefmt *f)
{
	unsigned int i, n = 0;

	while (n < f->count && is_quick(&f->steps[n]))
		n++;
	f->quick = n ? calloc(n, sizeof(*f->quick)) : NULL;
	if (!f->quick)
		return; /* the steps do the same */
	for (i = 0; i < n; i++) {
		const struct step *s = &f->steps[i];
		struct quick *q = &f->quick[i];

		q->len = (uint8_t)s->len;
		if (s->len)
			memcpy(q->text, s->text, s->len);
		if (s->kind == STEP_TEXT)
			continue;
		q->conv = s->conv;
		q->offset = s->offset;
		q->size = (uint8_t)s->size;
		q->bytes = (uint8_t)s->bytes;
	}
	for (i = 0; i < n; i++)
		if (f->quick[i].conv &&
		    f->quick_end < (size_t)f->quick[i].offset + f->quick[i].size)
			f->quick_end = (size_t)f->quick[i].offset + f->quick[i].size;
	f->quick_count = n;
}

unsigned int rt_tracequick_put(const struct rt_tracefmt *f, const struct run *r)
{
	const struct quick *q, *end;
	bool whole = !r->swapped && r->size >= f->quick_end;
	struct rt_text *out = r->out;
	uint64_t v;
	char *at;

	if (!f->quick_count || !rt_text_room(out, f->quick_count * QUICK_ROOM))
		return 0;
	at = out->base + out->len;
	end = f->quick + f->quick_count;
	for (q = f->quick; q < end; q++) {
		memcpy(at, q->text, sizeof(q->text));
		at += q->len;
		if (!q->conv)
			continue;
		if (whole && q->size == sizeof(v))
			memcpy(&v, r->raw + q->offset, sizeof(v));
		else
			v = trace_number(r, q->offset, q->size);
		if (q->bytes != sizeof(v))
			v = trace_cast(v, q->bytes, q->conv == 'd');
		if (q->conv == 'x') {
			at = rt_digits16(at, v);
			continue;
		}
		if (q->conv == 'd' && (int64_t)v < 0) {
			*at++ = '-';
			v = -v;
		}
		at = rt_digits10(at, v);
	}
	out->len = (size_t)(at - out->base);
	return f->quick_count;
}
