// SPDX-License-Identifier: GPL-2.0
#include "script/print/json_csv.h"

#include <stdlib.h>
#include <string.h>
#include <traceevent/event-parse.h>

#include "perfdata/text/data_src.h"
#include "script/print/details.h"
#include "script/print/writer.h"
#include "symbols/lines/srcline.h"

#define NSEC_PER_SEC 1000000000ull
#define RAW_MAX	     65536

static void put_seconds(uint64_t ns, struct rt_text *out)
{
	rt_text_u64(out, ns / NSEC_PER_SEC);
	rt_text_char(out, '.');
	rt_text_u64_width(out, ns % NSEC_PER_SEC, 9, '0');
}

/* The columns of an event; without -F, also those that name the code that accessed watched memory. */
static uint64_t fields_of(const struct rt_script *script, const struct rt_perf_event *event)
{
	uint64_t fields = rt_fields_of_event(&script->fields, event);

	if (!script->fields.of[RT_TYPE_TRACEPOINT].user_set && rt_writer_is_named(script, event))
		fields |= RT_COLUMN_IP | RT_COLUMN_SYM | RT_COLUMN_SYMOFF | RT_COLUMN_DSO |
			  RT_COLUMN_SRCLINE;
	return fields;
}

uint64_t rt_csv_fields(const struct rt_script *script)
{
	const struct rt_perf_events *events = rt_reader_events(script->reader);
	uint64_t fields = 0;
	size_t i;

	for (i = 0; i < events->count; i++)
		fields |= fields_of(script, events->list[i]);
	return fields;
}

/* ---- JSON ------------------------------------------------------------------------ */

/* Append "name": and, before it, the comma that the previous member needs. */
static void put_key(struct rt_text *out, const char *name)
{
	char last = out->len ? out->base[out->len - 1] : '{';

	if (last != '{' && last != '[')
		rt_text_char(out, ',');
	rt_text_json(out, name, strlen(name));
	rt_text_char(out, ':');
}

static void json_str(struct rt_text *out, const char *name, const char *value)
{
	put_key(out, name);
	rt_text_json(out, value, strlen(value));
}

static void json_int(struct rt_text *out, const char *name, int64_t value)
{
	put_key(out, name);
	rt_text_s64(out, value);
}

static void json_uint(struct rt_text *out, const char *name, uint64_t value)
{
	put_key(out, name);
	rt_text_u64(out, value);
}

/* Print addresses as strings: not every JSON reader keeps 64-bit numbers. */
static void json_hex(struct rt_text *out, const char *name, uint64_t value)
{
	put_key(out, name);
	rt_text_lit(out, "\"0x");
	rt_text_hex(out, value);
	rt_text_char(out, '"');
}

static void json_source(struct rt_text *out, const char *file, unsigned int line)
{
	if (!file)
		return;
	json_str(out, "file", file);
	json_uint(out, "line", line);
}

/* Print the members that describe an address. */
static void json_place(const struct rt_script *script, const struct rt_location *p, uint64_t fields,
		       struct rt_text *out)
{
	if (fields & RT_COLUMN_SYM && p->symbol) {
		json_str(out, "sym", p->symbol->name);
		if (fields & RT_COLUMN_SYMOFF)
			json_uint(out, "symoff", rt_location_offset(p));
	}
	if (fields & RT_COLUMN_DSO && p->object) {
		json_str(out, "dso", rt_location_object_name(p, script->kernel_path));
		if (!p->kernel)
			json_hex(out, "dso_addr", p->address);
	}
	if (fields & RT_COLUMN_SRCLINE && p->object) {
		struct rt_srcline line = rt_object_srcline(p->object, p->address);

		json_source(out, line.file, line.line);
	}
}

static void json_frame(const struct rt_line_tools *t, const struct rt_item *item,
		       const struct rt_chain_entry *e, uint64_t fields, struct rt_text *out)
{
	const struct rt_script *script = t->script;
	const struct rt_inlines *in = NULL;
	struct rt_location p;
	unsigned int i;

	rt_location_object(&p, script->machine.kernel, item->maps, e->cpumode, e->ip);
	rt_location_symbol(&p);
	if (p.object && p.symbol && script->inlines != RT_INLINES_NONE &&
	    (e->unwound || script->inlines == RT_INLINES_ALL))
		in = rt_object_inlines(p.object, p.address);
	for (i = 0; in && i + 1 < in->count; i++) {
		const struct rt_inline_frame *f = &in->frames[i];

		if (out->base[out->len - 1] != '[')
			rt_text_char(out, ',');
		rt_text_char(out, '{');
		json_hex(out, "ip", e->ip);
		json_str(out, "sym", f->name ? f->name : "??");
		if (fields & RT_COLUMN_SRCLINE)
			json_source(out, f->file, f->line);
		put_key(out, "inlined");
		rt_text_lit(out, "true}");
	}
	if (out->base[out->len - 1] != '[')
		rt_text_char(out, ',');
	rt_text_char(out, '{');
	json_hex(out, "ip", e->ip);
	json_place(script, &p, fields, out);
	rt_text_char(out, '}');
}

/* Print the chain; return whether there was one. */
static bool json_chain(const struct rt_line_tools *t, const struct rt_item *item, uint64_t fields,
		       struct rt_text *out)
{
	const struct rt_chain_entry *entries;
	size_t count, i;

	if (!rt_line_stack(t, item, &entries, &count))
		return false;
	put_key(out, "callchain");
	rt_text_char(out, '[');
	for (i = 0; i < count; i++)
		json_frame(t, item, &entries[i], fields, out);
	rt_text_char(out, ']');
	return true;
}

static uint64_t read_le(const uint8_t *at, unsigned int size)
{
	uint16_t v16;
	uint32_t v32;
	uint64_t v64;

	switch (size) {
	case 1:
		return *at;
	case 2:
		memcpy(&v16, at, sizeof(v16));
		return v16;
	case 4:
		memcpy(&v32, at, sizeof(v32));
		return v32;
	default:
		memcpy(&v64, at, sizeof(v64));
		return v64;
	}
}

static void json_number(struct rt_text *out, uint64_t v, unsigned int size, bool is_signed)
{
	if (!is_signed)
		rt_text_u64(out, v);
	else if (size == 1)
		rt_text_s64(out, (int8_t)v);
	else if (size == 2)
		rt_text_s64(out, (int16_t)v);
	else if (size == 4)
		rt_text_s64(out, (int32_t)v);
	else
		rt_text_s64(out, (int64_t)v);
}

static bool is_number(unsigned int size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

static void json_field(const struct tep_format_field *f, const uint8_t *raw, size_t size,
		       struct rt_text *out)
{
	unsigned int at = (unsigned int)f->offset, len = (unsigned int)f->size;
	unsigned int element = f->elementsize, i;
	bool is_signed = f->flags & TEP_FIELD_IS_SIGNED;

	if (f->offset < 0 || f->size < 0 || at > size || len > size - at)
		return;
	if (f->flags & TEP_FIELD_IS_DYNAMIC && len == 4) {
		uint64_t where = read_le(raw + at, 4);

		if (f->flags & TEP_FIELD_IS_RELATIVE)
			where += at + len;
		at = where & 0xffff;
		len = (unsigned int)(where >> 16);
		if (at > size || len > size - at)
			return;
	}
	put_key(out, f->name);
	if (f->flags & TEP_FIELD_IS_STRING) {
		rt_text_json(out, (const char *)raw + at, strnlen((const char *)raw + at, len));
	} else if (f->flags & TEP_FIELD_IS_ARRAY) {
		rt_text_char(out, '[');
		for (i = 0; is_number(element) && i + element <= len; i += element) {
			if (i)
				rt_text_char(out, ',');
			json_number(out, read_le(raw + at + i, element), element, is_signed);
		}
		rt_text_char(out, ']');
	} else if (is_number(len) && f->flags & TEP_FIELD_IS_POINTER) {
		rt_text_lit(out, "\"0x");
		rt_text_hex(out, read_le(raw + at, len));
		rt_text_char(out, '"');
	} else if (is_number(len)) {
		json_number(out, read_le(raw + at, len), len, is_signed);
	} else {
		rt_text_lit(out, "null");
	}
}

static void json_trace(const struct rt_line_tools *t, const struct rt_item *item,
		       struct rt_text *out)
{
	const struct tep_event *format = item->event->format;
	const struct tep_format_field *f;
	struct rt_text text;

	rt_text_init(&text);
	rt_trace_print(t->tracer, t->script->traces, &text, item->event, &item->sample,
		       t->script->machine.kernel);
	put_key(out, "trace");
	rt_text_json(out, text.base ? text.base : "", text.len);
	rt_text_free(&text);
	if (!format || rt_reader_swapped(t->script->reader))
		return;
	put_key(out, "fields");
	rt_text_char(out, '{');
	for (f = format->format.fields; f; f = f->next)
		json_field(f, item->sample.raw.data, item->sample.raw.size, out);
	rt_text_char(out, '}');
}

void rt_json_print(const struct rt_line_tools *t, const struct rt_item *item, struct rt_text *out)
{
	const struct rt_script *script = t->script;
	const struct rt_sample *s = &item->sample;
	uint64_t fields = fields_of(script, item->event);
	char text[160];

	rt_text_char(out, '{');
	if (fields & RT_COLUMN_COMM)
		json_str(out, "comm", item->comm);
	if (fields & RT_COLUMN_PID || fields & RT_COLUMN_TID) {
		json_int(out, "pid", s->pid);
		json_int(out, "tid", s->tid);
	}
	if (fields & RT_COLUMN_CPU)
		json_int(out, "cpu", (int32_t)s->cpu);
	if (fields & RT_COLUMN_TIME) {
		put_key(out, "time");
		put_seconds(item->time, out);
	}
	if (fields & RT_COLUMN_EVENT)
		json_str(out, "event", script->names[item->event->index]);
	if (fields & RT_COLUMN_PERIOD)
		json_uint(out, "period", s->period);
	if (fields & RT_COLUMN_CONTEXT && s->raw.data) {
		json_str(out, "context", rt_context_name(s));
		json_uint(out, "preempt", rt_context_preempt(script, s));
	}
	if (fields & RT_COLUMN_TRACE && s->raw.data)
		json_trace(t, item, out);
	if (fields & RT_COLUMN_ADDR)
		json_hex(out, "addr", s->addr);
	if (fields & RT_COLUMN_PHYS_ADDR)
		json_hex(out, "phys_addr", s->phys_addr);
	if (fields & RT_COLUMN_DATA_SRC) {
		rt_data_src_text(s->data_src, text, sizeof(text));
		json_hex(out, "data_src", s->data_src);
		json_str(out, "data_src_text", text);
	}
	if (fields & RT_COLUMN_WEIGHT)
		json_uint(out, "weight", rt_script_weight(script, item->event, s));
	if (fields & RT_COLUMN_DATA_PAGE_SIZE)
		json_uint(out, "data_page_size", s->data_page_size);
	if (fields & RT_COLUMN_CODE_PAGE_SIZE)
		json_uint(out, "code_page_size", s->code_page_size);
	if (fields & RT_COLUMN_IP) {
		struct rt_location p;

		json_hex(out, "ip", s->ip);
		if (!json_chain(t, item, fields, out)) {
			rt_location_object(&p, script->machine.kernel, item->maps, s->cpumode,
					   s->ip);
			rt_location_symbol(&p);
			json_place(script, &p, fields, out);
		}
	}
	rt_text_lit(out, "}\n");
}

/* ---- CSV ------------------------------------------------------------------------- */

static const struct column {
	uint64_t field;
	const char *name;
} columns[] = {
	{ RT_COLUMN_COMM, "comm" },
	{ RT_COLUMN_PID | RT_COLUMN_TID, "pid" },
	{ RT_COLUMN_PID | RT_COLUMN_TID, "tid" },
	{ RT_COLUMN_CPU, "cpu" },
	{ RT_COLUMN_TIME, "time" },
	{ RT_COLUMN_EVENT, "event" },
	{ RT_COLUMN_PERIOD, "period" },
	{ RT_COLUMN_TRACE, "trace" },
	{ RT_COLUMN_ADDR, "addr" },
	{ RT_COLUMN_WEIGHT, "weight" },
	{ RT_COLUMN_PHYS_ADDR, "phys_addr" },
	{ RT_COLUMN_IP, "ip" },
	{ RT_COLUMN_SYM, "sym" },
	{ RT_COLUMN_DSO, "dso" },
	{ RT_COLUMN_SRCLINE, "srcline" },
	{ RT_COLUMN_IP, "callchain" },
	{ RT_COLUMN_CONTEXT, "context" },
	{ RT_COLUMN_CONTEXT, "preempt" },
};

#define COLUMNS (sizeof(columns) / sizeof(*columns))

void rt_csv_head(const struct rt_script *script, struct rt_text *out)
{
	uint64_t fields = script->csv_fields;
	bool first = true;
	size_t i;

	for (i = 0; i < COLUMNS; i++) {
		if (!(fields & columns[i].field))
			continue;
		if (!first)
			rt_text_char(out, ',');
		rt_text_str(out, columns[i].name);
		first = false;
	}
	rt_text_char(out, '\n');
}

static void csv_hex(struct rt_text *out, uint64_t v)
{
	rt_text_lit(out, "0x");
	rt_text_hex(out, v);
}

/* Print the stack in one cell, the sampled function first, as "a;b;c". */
static void csv_chain(const struct rt_line_tools *t, const struct rt_item *item,
		      struct rt_text *out)
{
	const struct rt_chain_entry *entries;
	struct rt_text cell;
	size_t count, i;

	if (!rt_line_stack(t, item, &entries, &count))
		return;
	rt_text_init(&cell);
	for (i = 0; i < count; i++) {
		struct rt_location p;

		rt_location_object(&p, t->script->machine.kernel, item->maps, entries[i].cpumode,
				   entries[i].ip);
		rt_location_symbol(&p);
		if (i)
			rt_text_char(&cell, ';');
		if (p.symbol)
			rt_location_put_symbol(&p, true, &cell);
		else
			csv_hex(&cell, entries[i].ip);
	}
	rt_text_csv(out, cell.base ? cell.base : "", cell.len);
	rt_text_free(&cell);
}

static void csv_str(struct rt_text *out, const char *s)
{
	rt_text_csv(out, s, strlen(s));
}

static void csv_cell(const struct rt_line_tools *t, const struct rt_item *item,
		     const struct rt_location *p, const char *column, struct rt_text *out)
{
	const struct rt_sample *s = &item->sample;
	struct rt_srcline line;
	struct rt_text cell;

	if (!strcmp(column, "comm")) {
		csv_str(out, item->comm);
	} else if (!strcmp(column, "pid")) {
		rt_text_s64(out, s->pid);
	} else if (!strcmp(column, "tid")) {
		rt_text_s64(out, s->tid);
	} else if (!strcmp(column, "cpu")) {
		rt_text_s64(out, (int32_t)s->cpu);
	} else if (!strcmp(column, "time")) {
		put_seconds(item->time, out);
	} else if (!strcmp(column, "event")) {
		csv_str(out, t->script->names[item->event->index]);
	} else if (!strcmp(column, "period")) {
		rt_text_u64(out, s->period);
	} else if (!strcmp(column, "trace") && s->raw.data) {
		rt_text_init(&cell);
		rt_trace_print(t->tracer, t->script->traces, &cell, item->event, s,
			       t->script->machine.kernel);
		rt_text_csv(out, cell.base ? cell.base : "", cell.len);
		rt_text_free(&cell);
	} else if (!strcmp(column, "addr")) {
		csv_hex(out, s->addr);
	} else if (!strcmp(column, "weight")) {
		rt_text_u64(out, rt_script_weight(t->script, item->event, s));
	} else if (!strcmp(column, "phys_addr")) {
		csv_hex(out, s->phys_addr);
	} else if (!strcmp(column, "ip")) {
		csv_hex(out, s->ip);
	} else if (!strcmp(column, "sym") && p->symbol) {
		rt_text_init(&cell);
		rt_location_put_symbol(p, true, &cell);
		rt_text_csv(out, cell.base, cell.len);
		rt_text_free(&cell);
	} else if (!strcmp(column, "dso") && p->object) {
		csv_str(out, rt_location_object_name(p, t->script->kernel_path));
	} else if (!strcmp(column, "srcline") && p->object) {
		line = rt_object_srcline(p->object, p->address);
		if (line.file) {
			rt_text_init(&cell);
			rt_text_printf(&cell, "%s:%u", line.file, line.line);
			rt_text_csv(out, cell.base, cell.len);
			rt_text_free(&cell);
		}
	} else if (!strcmp(column, "context") && s->raw.data) {
		csv_str(out, rt_context_name(s));
	} else if (!strcmp(column, "preempt") && s->raw.data) {
		rt_text_u64(out, rt_context_preempt(t->script, s));
	} else if (!strcmp(column, "callchain")) {
		csv_chain(t, item, out);
	}
}

void rt_csv_print(const struct rt_line_tools *t, const struct rt_item *item, struct rt_text *out)
{
	uint64_t all = t->script->csv_fields;
	uint64_t fields = fields_of(t->script, item->event);
	struct rt_location p;
	bool first = true;
	size_t i;

	rt_location_object(&p, t->script->machine.kernel, item->maps, item->sample.cpumode,
			   item->sample.ip);
	if (fields & RT_COLUMN_SYM)
		rt_location_symbol(&p);
	for (i = 0; i < COLUMNS; i++) {
		if (!(all & columns[i].field))
			continue;
		if (!first)
			rt_text_char(out, ',');
		first = false;
		if (fields & columns[i].field)
			csv_cell(t, item, &p, columns[i].name, out);
	}
	rt_text_char(out, '\n');
}
