// SPDX-License-Identifier: GPL-2.0
/*
 * fields.c - print an event field by field, as libtraceevent does, if its print format is not
 * understood.
 */
#include <ctype.h>
#include <traceevent/event-parse.h>

#include "traceformat/step.h"

static bool is_printable(const uint8_t *at, size_t size)
{
	size_t i;

	for (i = 0; i < size && at[i]; i++)
		if (!isprint(at[i]) && !isspace(at[i]))
			return false;
	return true;
}

static void put_array(const struct run *r, const struct tep_format_field *f)
{
	uint64_t at = (unsigned int)f->offset, size = (unsigned int)f->size, word, i;

	if (f->flags & TEP_FIELD_IS_DYNAMIC) {
		word = rt_tracerun_number(r, at, 4);
		if (f->flags & TEP_FIELD_IS_RELATIVE)
			word += at + size;
		at = word & 0xffff;
		size = word >> 16;
	}
	if (at > r->size)
		at = r->size;
	if (size > r->size - at)
		size = r->size - at;
	if (f->flags & TEP_FIELD_IS_STRING && is_printable(r->raw + at, size)) {
		for (i = 0; i < size && r->raw[at + i]; i++)
			rt_text_char(r->out, (char)r->raw[at + i]);
		return;
	}
	rt_text_lit(r->out, "ARRAY[");
	for (i = 0; i < size; i++) {
		if (i)
			rt_text_lit(r->out, ", ");
		rt_text_hex_width(r->out, r->raw[at + i], 2, '0');
	}
	rt_text_char(r->out, ']');
}

static void put_value(const struct run *r, const struct tep_format_field *f)
{
	uint64_t v = rt_tracerun_number(r, (unsigned int)f->offset, (unsigned int)f->size);
	bool is_signed = f->flags & TEP_FIELD_IS_SIGNED, is_long = f->flags & TEP_FIELD_IS_LONG;

	if (f->flags & TEP_FIELD_IS_POINTER || (is_long && (!is_signed || f->size == 4))) {
		rt_text_lit(r->out, "0x");
		rt_text_hex(r->out, v);
	} else if (!is_signed) {
		rt_text_u64(r->out, v);
	} else if (f->size == 4) {
		rt_text_s64(r->out, (int32_t)v);
	} else if (f->size == 2) {
		rt_text_s64_width(r->out, (int16_t)v, 2, ' ');
	} else if (f->size == 1) {
		rt_text_s64(r->out, (int8_t)v);
	} else {
		rt_text_s64(r->out, (int64_t)v);
	}
}

void rt_tracefields_put(const struct run *r, const struct rt_tracefmt *fmt)
{
	const struct tep_format_field *f;

	if (!(fmt->event->flags & TEP_EVENT_FL_PRINTRAW))
		rt_text_lit(r->out, "[FAILED TO PARSE]");
	for (f = fmt->event->format.fields; f; f = f->next) {
		rt_text_char(r->out, ' ');
		rt_text_str(r->out, f->name);
		rt_text_char(r->out, '=');
		if (f->offset < 0 || f->size < 0 || f->offset > RAW_MAX || f->size > RAW_MAX)
			continue;
		if (f->flags & TEP_FIELD_IS_ARRAY)
			put_array(r, f);
		else
			put_value(r, f);
	}
}
