// SPDX-License-Identifier: GPL-2.0
#include "script/print/script.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "script/print/line.h"
#include "script/print/json_csv.h"

struct rt_printer {
	struct rt_line_tools tools;
	struct rt_line_before before;
	uint64_t kernel_changes; /* the cached frames are valid up to this change */
};

struct rt_printer *rt_printer_new(const struct rt_script *script)
{
	struct rt_printer *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->tools.script = script;
	p->tools.before = &p->before;
	p->tools.frames = rt_frames_new(script);
	p->tools.callers = rt_callers_new(script, p->tools.frames);
	p->tools.chain = rt_chain_new(&script->stack, rt_frames_is_leaf, p->tools.frames);
	p->tools.tracer = rt_tracer_new(script->reader);
	if (!p->tools.frames || !p->tools.callers || !p->tools.chain || !p->tools.tracer) {
		rt_printer_free(p);
		return NULL;
	}
	return p;
}

void rt_printer_free(struct rt_printer *p)
{
	if (!p)
		return;
	rt_chain_free(p->tools.chain);
	rt_callers_free(p->tools.callers);
	rt_frames_free(p->tools.frames);
	rt_tracer_free(p->tools.tracer);
	free(p);
}

/* -S and --dsos select by the place where the sample was taken. */
static bool wanted(const struct rt_script *script, const struct rt_item *item)
{
	struct rt_location p;
	char start[24];
	size_t i;

	if (!script->symbols.count && !script->objects.count)
		return true;
	rt_location_object(&p, script->machine.kernel, item->maps, item->sample.cpumode,
			   item->sample.ip);
	rt_location_symbol(&p);
	if (script->objects.count) {
		const char *name = p.object ? rt_object_name(p.object) : NULL;
		const char *base = name ? strrchr(name, '/') : NULL;

		if (!name || !(rt_names_has(&script->objects, name) ||
			       (base && rt_names_has(&script->objects, base + 1))))
			return false;
	}
	if (!script->symbols.count)
		return true;
	if (p.symbol) {
		if (rt_names_has(&script->symbols, p.symbol->name))
			return true;
		snprintf(start, sizeof(start), "0x%llx",
			 (unsigned long long)(p.ip - rt_location_offset(&p)));
		if (rt_names_has(&script->symbols, start))
			return true;
	}
	for (i = 0; p.object && i < script->symbols.count; i++) {
		char *end;
		uint64_t addr = strtoull(script->symbols.list[i], &end, 16);

		if (!*end && (p.ip == addr || (p.ip > addr && p.ip - addr < script->addr_range)))
			return true;
	}
	return false;
}

void rt_printer_item(struct rt_printer *p, const struct rt_item *item, struct rt_text *out)
{
	const struct rt_script *script = p->tools.script;

	if (p->kernel_changes != script->machine.kernel_changes) {
		rt_frames_clear(p->tools.frames);
		rt_callers_clear(p->tools.callers);
		p->kernel_changes = script->machine.kernel_changes;
	}
	if (!wanted(script, item))
		return;
	switch (script->format) {
	case RT_SCRIPT_TEXT:
		rt_line_print(&p->tools, item, out);
		break;
	case RT_SCRIPT_JSON:
		rt_json_print(&p->tools, item, out);
		break;
	case RT_SCRIPT_CSV:
		rt_csv_print(&p->tools, item, out);
		break;
	}
}

/* Make the column with each event's name: right-aligned, followed by ": ". */
static bool make_columns(struct rt_script *script, size_t events)
{
	struct rt_text text;
	int width = 0;
	size_t i;

	for (i = 0; i < events; i++)
		if (width < (int)strlen(script->names[i]))
			width = (int)strlen(script->names[i]);
	script->column_len = (size_t)width + 2;
	script->column_room =
		(script->column_len + RT_BUFFER_BLOCK - 1) & ~(size_t)(RT_BUFFER_BLOCK - 1);
	rt_text_init(&text);
	for (i = 0; i < events; i++) {
		rt_text_str_width(&text, script->names[i], width);
		rt_text_lit(&text, ": ");
		rt_text_fill(&text, ' ', (int)(script->column_room - script->column_len));
	}
	free(script->columns);
	script->columns = text.base;
	return !text.failed;
}

int rt_script_prepare(struct rt_script *script, struct rt_err *err)
{
	const struct rt_perf_events *events = rt_reader_events(script->reader);
	size_t i;

	free(script->names);
	rt_tracefmts_free(script->traces);
	script->names = calloc(events->count + 1, sizeof(*script->names));
	script->traces = rt_tracefmts_new(script->reader);
	if (!script->names || !script->traces)
		return rt_err_set(err, ENOMEM, "out of memory");
	for (i = 0; i < events->count; i++) {
		const char *name = rt_perf_event_name(events->list[i]);

		script->names[i] = name ? name : "[unknown]";
	}
	if (!script->csv_settled)
		script->csv_fields |= rt_csv_fields(script);
	if (!make_columns(script, events->count))
		return rt_err_set(err, ENOMEM, "out of memory");
	rt_stack_settle(&script->stack, script->reader);
	return 0;
}
