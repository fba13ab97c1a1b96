// SPDX-License-Identifier: GPL-2.0
/*
 * evlist - the events of a perf.data file.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <traceevent/event-parse.h>

#include "base/text.h"
#include "cli/options.h"
#include "cli/message.h"
#include "cmd/command.h"
#include "cmd/input.h"
#include "perfdata/text/attr.h"
#include "perfdata/read/reader.h"

struct details {
	bool verbose, freq, group, fields;
};

static const struct rt_usage usage = {
	.command = "evlist",
	.line = "[-i FILE] [-v | -F | -g]",
	.about = "List the events of a perf.data file.",
};

/* Names in a file may contain anything. */
static void print_name(const char *name)
{
	struct rt_text text;

	rt_text_init(&text);
	rt_text_visible(&text, name, strlen(name), 0);
	if (text.len)
		fwrite(text.base, 1, text.len, stdout);
	rt_text_free(&text);
}

static void print_group(const struct rt_perf_events *ev, const struct rt_perf_event *e)
{
	size_t i;

	if (!rt_perf_event_is_leader(e))
		return;
	if (e->members > 1) {
		print_name(e->group_name ? e->group_name : "");
		putchar('{');
	}
	print_name(rt_perf_event_name(e));
	for (i = 0; i < ev->count; i++)
		if (ev->list[i] != e && ev->list[i]->leader == e) {
			putchar(',');
			print_name(rt_perf_event_name(ev->list[i]));
		}
	puts(e->members > 1 ? "}" : "");
}

static void print_fields(const struct rt_perf_event *e, bool first)
{
	const struct tep_format_field *field;

	fputc(first ? ':' : ',', stdout);
	if (e->attr.type != RT_TYPE_TRACEPOINT) {
		fputs(" (not a tracepoint)", stdout);
		return;
	}
	field = e->format ? e->format->format.fields : NULL;
	if (!field)
		fputs(" (no trace field)", stdout);
	else
		fputs(" trace_fields: ", stdout);
	for (; field; field = field->next) {
		print_name(field->name);
		if (field->next)
			putchar(',');
	}
}

static void print_event(const struct rt_perf_event *e, const struct details *d)
{
	print_name(rt_perf_event_name(e));
	if (d->verbose)
		rt_attr_print(&e->attr, ": ", ", ", ": ", stdout);
	else if (d->freq)
		printf(": %s=%" PRIu64,
		       e->attr.flags & RT_ATTR_FREQ ? "sample_freq" : "sample_period",
		       e->attr.sample_period);
	if (d->fields)
		print_fields(e, !d->verbose && !d->freq);
	putchar('\n');
}

/* A pipe sends its events, their names and groups as records before the first sample. */
static int read_events(struct rt_reader *r, struct rt_err *err)
{
	struct rt_perf_record rec;
	int ret = 1;

	if (!rt_reader_is_pipe(r))
		return 0;
	while ((ret = rt_reader_next(r, &rec, err)) > 0)
		if (rec.hdr->type == RT_PERF_RECORD_SAMPLE ||
		    rec.hdr->type == RT_PERF_RECORD_FINISHED_ROUND ||
		    rec.hdr->type == RT_PERF_RECORD_FINISHED_INIT)
			return 0;
	return ret;
}

static void print_events(const struct rt_perf_events *ev, const struct details *d)
{
	bool tracepoint = false;
	size_t i;

	for (i = 0; i < ev->count; i++) {
		if (d->group)
			print_group(ev, ev->list[i]);
		else
			print_event(ev->list[i], d);
		tracepoint |= ev->list[i]->attr.type == RT_TYPE_TRACEPOINT;
	}
	if (tracepoint && !d->fields)
		puts("# Tip: use 'ringtail evlist --trace-fields' to show fields for tracepoint events");
}

int rt_cmd_evlist(int argc, char **argv)
{
	const char *input = NULL;
	struct details d = { false };
	bool force = false;
	const struct rt_option options[] = {
		RT_OPTION_STRING('i', "input", &input, "FILE",
				 "the file to read (default perf.data)"),
		RT_OPTION_SWITCH('v', "verbose", &d.verbose,
				 "print every attribute that is not zero"),
		RT_OPTION_SWITCH('F', "freq", &d.freq, "print the sampling frequency or period"),
		RT_OPTION_SWITCH('g', "group", &d.group, "print the events of a group together"),
		RT_OPTION_SWITCH(0, "trace-fields", &d.fields, "print the fields of tracepoints"),
		RT_OPTION_SWITCH('f', "force", &force, "ignored: files of any owner are read"),
		RT_OPTION_END,
	};
	const struct rt_reader_options how = { .header = true };
	const char *warning;
	struct rt_reader *r;
	struct rt_err err;
	size_t i;
	int ret;

	ret = rt_options_parse(options, &usage, argc, argv, 0, &err);
	if (ret == RT_OPTIONS_HELP)
		return RT_EXIT_OK;
	if (!ret && d.group && (d.verbose || d.freq))
		ret = rt_err_set(&err, 1, "evlist: -g cannot be combined with -v or -F");
	else if (ret > 0)
		ret = rt_err_set(&err, 1, "evlist takes no argument '%s'; name a file with -i",
				 argv[0]);
	if (ret) {
		rt_err_print(&err);
		return RT_EXIT_USAGE;
	}
	ret = rt_reader_open(input, &how, &r, &err);
	if (ret)
		rt_input_suggest(input, ret, &err);
	if (!ret) {
		for (i = 0; (warning = rt_reader_warning(r, i)); i++)
			rt_warning("%s", warning);
		ret = read_events(r, &err);
		print_events(rt_reader_events(r), &d);
		rt_reader_close(r);
	}
	if (!ret && (fflush(stdout) || ferror(stdout)))
		ret = rt_err_set(&err, EIO, "cannot write the output");
	if (ret)
		rt_err_print(&err);
	return ret ? RT_EXIT_FAIL : RT_EXIT_OK;
}
