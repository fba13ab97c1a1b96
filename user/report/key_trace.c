// SPDX-License-Identifier: GPL-2.0
/* key_trace.c - sort keys of tracepoints: the whole text of an event, and single fields. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <traceevent/event-parse.h>

#include "report/key_list.h"
#include "report/key_text.h"

#define FIELD_MAX 4096 /* bytes of a value that are compared */

/* The text of the sample's event in r->text, with a NUL behind; "" if it is not a tracepoint. */
static const char *event_text(struct rt_report *r, const struct rt_profile_sample *s)
{
	size_t count = rt_reader_events(r->reader)->count;

	rt_text_reset(&r->text);
	if (r->traces_of != count) {
		rt_tracefmts_free(r->traces);
		r->traces = rt_tracefmts_new(r->reader);
		r->traces_of = count;
	}
	if (!r->tracer)
		r->tracer = rt_tracer_new(r->reader);
	if (r->traces && r->tracer && s->event->attr.type == RT_TYPE_TRACEPOINT)
		rt_trace_print(r->tracer, r->traces, &r->text, s->event, s->raw,
			       rt_profile_machine(r->profile)->kernel);
	rt_text_char(&r->text, '\0');
	return r->text.base ? r->text.base : "";
}

/* ---- the whole text -------------------------------------------------------------------- */

/* By default, the function that accessed watched memory; NULL: the text, as of any other event. */
static const char *writer_of(const struct rt_report *r, const struct rt_profile_sample *s)
{
	const struct rt_profile_func *func;

	if (r->opt->compat || r->opt->sort || r->opt->fields || !rt_perf_event_is_watch(s->event))
		return NULL;
	func = rt_profile_func(r->profile, s->func);
	return func->name;
}

static uint64_t trace_take(struct rt_report *r, const struct rt_key *key,
			   const struct rt_profile_sample *s)
{
	const char *text = writer_of(r, s);
	size_t len;

	if (text)
		return rt_pool_text(&r->pool, text);
	if (s->event->attr.type != RT_TYPE_TRACEPOINT)
		return rt_pool_text(&r->pool, "N/A");
	text = event_text(r, s);
	text += strspn(text, " ");
	len = strlen(text);
	while (len && text[len - 1] == '\n')
		len--;
	return rt_pool_bytes(&r->pool, text, len);
}

static uint64_t trace_id(struct rt_report *r, const struct rt_key *key, const struct rt_where *w)
{
	return rt_key_extra(&r->sums, key, w);
}

static const char *trace_text_of(struct rt_report *r, const struct rt_key *key,
				 const struct rt_where *w)
{
	return rt_pool_get(&r->pool, (uint32_t)trace_id(r, key, w));
}

static int trace_order(struct rt_report *r, const struct rt_key *key, const struct rt_where *a,
		       const struct rt_where *b)
{
	return strcmp(trace_text_of(r, key, a), trace_text_of(r, key, b));
}

static unsigned int trace_width(struct rt_report *r, const struct rt_key *key,
				const struct rt_where *w)
{
	/* perf formats the text when it compares two samples: one alone does not widen the column. */
	if (r->opt->compat && r->samples[r->sums.list[w->sum].event].all == 1)
		return 0;
	return (unsigned int)strlen(trace_text_of(r, key, w));
}

static void trace_text(struct rt_report *r, const struct rt_key *key, const struct rt_where *w,
		       unsigned int width, struct rt_text *out)
{
	rt_key_put(r, trace_text_of(r, key, w), width, false, out);
}

const struct rt_key_type rt_key_trace = {
	.name = "trace",
	.header = "Trace output",
	.take = trace_take,
	.id = trace_id,
	.order = trace_order,
	.width = trace_width,
	.text = trace_text,
};

/* ---- one field ------------------------------------------------------------------------- */

/* Find the bytes of a field; false if the sample is too short for it. */
static bool field_bytes(const struct tep_format_field *f, const struct rt_sample *s,
			const unsigned char **bytes, size_t *len)
{
	const unsigned char *raw = s->raw.data;
	uint32_t place;

	if (f->offset < 0 || f->size < 0 || (uint64_t)f->offset + (uint64_t)f->size > s->raw.size)
		return false;
	*bytes = raw + f->offset;
	*len = (size_t)f->size;
	if (!(f->flags & TEP_FIELD_IS_DYNAMIC) || f->size < 4)
		return true;
	memcpy(&place, *bytes, 4);
	if ((uint64_t)(place & 0xffff) + (place >> 16) > s->raw.size)
		return false;
	*bytes = raw + (place & 0xffff);
	*len = place >> 16;
	return true;
}

/* The value in the text of the event: "name=value". */
static bool text_value(const char *text, const char *name, char *value, size_t size)
{
	size_t len = strlen(name);

	for (; text; text = strchr(text, ' '), text = text ? text + 1 : NULL)
		if (!strncmp(text, name, len) && text[len]) {
			snprintf(value, size, "%.*s", (int)strcspn(text + len + 1, " \n"),
				 text + len + 1);
			return true;
		}
	return false;
}

static void raw_value(const struct tep_format_field *f, const unsigned char *bytes, size_t len,
		      char *value, size_t size)
{
	uint64_t number = 0;
	size_t i;

	if (f->flags & TEP_FIELD_IS_STRING) {
		snprintf(value, size, "%.*s", (int)strnlen((const char *)bytes, len), bytes);
		return;
	}
	if (f->flags & TEP_FIELD_IS_ARRAY || len > 8) {
		for (i = 0; i < len && 2 * i + 2 < size; i++)
			snprintf(value + 2 * i, size - 2 * i, "%02x", bytes[i]);
		return;
	}
	memcpy(&number, bytes, len);
	if (f->flags & TEP_FIELD_IS_POINTER) {
		snprintf(value, size, "0x%llx", (unsigned long long)number);
	} else if (f->flags & TEP_FIELD_IS_SIGNED) {
		unsigned int shift = (unsigned int)(64 - 8 * len);

		snprintf(value, size, "%lld", (long long)(int64_t)(number << shift) >> shift);
	} else {
		snprintf(value, size, f->flags & TEP_FIELD_IS_LONG ? "0x%llx" : "%llu",
			 (unsigned long long)number);
	}
}

/* What is kept of a value: its bytes, by which lines differ and are sorted, and its text. */
struct kept {
	uint32_t len;
	char bytes[FIELD_MAX];
};

static uint64_t field_take(struct rt_report *r, const struct rt_key *key,
			   const struct rt_profile_sample *s)
{
	const unsigned char *bytes;
	char value[FIELD_MAX] = "";
	struct kept kept;
	size_t len, text;

	if (s->event != key->event || !field_bytes(key->field, s->raw, &bytes, &len))
		return 0;
	if (len > sizeof(kept.bytes) / 2)
		len = sizeof(kept.bytes) / 2;
	if (r->opt->raw_trace ||
	    !text_value(event_text(r, s), key->field->name, value, sizeof(value)))
		raw_value(key->field, bytes, len, value, sizeof(value));
	kept.len = (uint32_t)len;
	memcpy(kept.bytes, bytes, len);
	text = strnlen(value, sizeof(kept.bytes) - len);
	memcpy(kept.bytes + len, value, text);
	return rt_pool_bytes(&r->pool, &kept, offsetof(struct kept, bytes) + len + text);
}

static void unpack(struct rt_report *r, const struct rt_key *key, const struct rt_where *w,
		   const char **bytes, uint32_t *len, const char **text)
{
	uint32_t id = (uint32_t)rt_key_extra(&r->sums, key, w);
	const char *kept = rt_pool_get(&r->pool, id);

	*len = 0;
	*bytes = *text = "";
	if (!id)
		return;
	memcpy(len, kept, sizeof(*len));
	*bytes = kept + offsetof(struct kept, bytes);
	*text = *bytes + *len;
}

static int field_order(struct rt_report *r, const struct rt_key *key, const struct rt_where *a,
		       const struct rt_where *b)
{
	const char *in_a, *in_b, *text;
	uint32_t len_a, len_b;
	int ret;

	unpack(r, key, a, &in_a, &len_a, &text);
	unpack(r, key, b, &in_b, &len_b, &text);
	ret = memcmp(in_b, in_a, len_a < len_b ? len_a : len_b);
	return ret ? ret : (len_b > len_a) - (len_b < len_a);
}

static unsigned int field_width(struct rt_report *r, const struct rt_key *key,
				const struct rt_where *w)
{
	const struct tep_format_field *f = key->field;
	size_t size = f->size < 0 ? 0 : (size_t)f->size, name = strlen(f->name);
	const char *bytes, *text;
	uint32_t len;

	if (!(f->flags & TEP_FIELD_IS_STRING))
		size = 2 * size + 2;
	unpack(r, key, w, &bytes, &len, &text);
	if (f->flags & TEP_FIELD_IS_DYNAMIC && size < strlen(text))
		size = strlen(text);
	return (unsigned int)(name > size ? name : size);
}

static void field_text(struct rt_report *r, const struct rt_key *key, const struct rt_where *w,
		       unsigned int width, struct rt_text *out)
{
	const char *bytes, *text;
	uint32_t len;
	size_t used;

	unpack(r, key, w, &bytes, &len, &text);
	used = strlen(text);
	if (used < width)
		rt_text_fill(out, ' ', (int)(width - used));
	rt_key_put(r, text, width, false, out);
}

const struct rt_key_type rt_key_field = {
	.name = "",
	.take = field_take,
	.id = trace_id,
	.order = field_order,
	.width = field_width,
	.text = field_text,
};
