// SPDX-License-Identifier: GPL-2.0
#include "analysis/field.h"

#include <string.h>

#include <event-parse.h>

const struct tep_format_field *rt_field_find(const struct rt_perf_event *event, const char *name)
{
	const struct tep_format_field *f = event->format ? event->format->format.fields : NULL;

	while (f && strcmp(f->name, name))
		f = f->next;
	return f;
}

bool rt_field_is_tracepoint(const struct rt_perf_event *event, const char *system, const char *name)
{
	return event->format && !strcmp(event->format->system, system) &&
	       !strcmp(event->format->name, name);
}

/* An unsigned number of 1 to 8 bytes in the byte order of the recording. */
static uint64_t read_number(const unsigned char *at, unsigned int size, bool swapped)
{
	uint64_t v = 0;
	uint32_t v32;
	unsigned int i;

	/* Most numbers are these. */
	if (!swapped && size == 8) {
		memcpy(&v, at, 8);
		return v;
	}
	if (!swapped && size == 4) {
		memcpy(&v32, at, 4);
		return v32;
	}
	/* From the most significant byte on. */
	for (i = 0; i < size; i++) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
		v = v << 8 | at[swapped ? i : size - 1 - i];
#else
		v = v << 8 | at[swapped ? size - 1 - i : i];
#endif
	}
	return v;
}

static bool is_inside(const struct tep_format_field *f, const struct rt_sample *s)
{
	return f->offset >= 0 && f->size >= 0 && (unsigned int)f->offset <= s->raw.size &&
	       (unsigned int)f->size <= s->raw.size - (unsigned int)f->offset;
}

bool rt_field_number(const struct tep_format_field *f, const struct rt_sample *s, bool swapped,
		     uint64_t *value)
{
	unsigned int size = (unsigned int)f->size, shift = 64 - size * 8;
	uint64_t v;

	if (f->flags & (TEP_FIELD_IS_ARRAY | TEP_FIELD_IS_STRING | TEP_FIELD_IS_DYNAMIC))
		return false;
	if ((size != 1 && size != 2 && size != 4 && size != 8) || !is_inside(f, s))
		return false;
	v = read_number((const unsigned char *)s->raw.data + f->offset, size, swapped);
	if (f->flags & TEP_FIELD_IS_SIGNED)
		v = (uint64_t)((int64_t)(v << shift) >> shift);
	*value = v;
	return true;
}

struct rt_field_plain rt_field_plain(const struct tep_format_field *f, bool swapped)
{
	struct rt_field_plain plain = { 0 };

	if (!swapped && f->offset >= 0 && (f->size == 4 || f->size == 8) &&
	    !(f->flags & (TEP_FIELD_IS_ARRAY | TEP_FIELD_IS_STRING | TEP_FIELD_IS_DYNAMIC))) {
		plain.offset = (uint32_t)f->offset;
		plain.size = (uint8_t)f->size;
		plain.is_signed = f->flags & TEP_FIELD_IS_SIGNED;
	}
	return plain;
}

bool rt_field_string(const struct tep_format_field *f, const struct rt_sample *s, bool swapped,
		     const char **text, size_t *len)
{
	const char *raw = s->raw.data;
	size_t at, size;
	uint64_t where;

	if (!(f->flags & TEP_FIELD_IS_STRING) || !is_inside(f, s))
		return false;
	at = (size_t)f->offset;
	size = (size_t)f->size;
	if (f->flags & TEP_FIELD_IS_DYNAMIC) {
		if (size != 4)
			return false;
		where = read_number((const unsigned char *)raw + at, 4, swapped);
		at = (where & 0xffff) + (f->flags & TEP_FIELD_IS_RELATIVE ? at + size : 0);
		size = where >> 16;
		if (at > s->raw.size || size > s->raw.size - at)
			return false;
	}
	*text = raw + at;
	*len = strnlen(raw + at, size);
	return true;
}
