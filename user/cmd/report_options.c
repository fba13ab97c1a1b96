// SPDX-License-Identifier: GPL-2.0
#include "cmd/report_options.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"
#include "cmd/input.h"
#include "cmd/reading_options.h"

#define TIME_QUANTUM 100000000 /* nanoseconds */

/* One word of -g; perf takes the beginning of a word. */
static bool is(const char *word, const char *name)
{
	return *word && !strncmp(name, word, strlen(word));
}

static int take_graph_word(struct rt_report_asked *a, const char *word, bool *percent_given,
			   struct rt_err *err)
{
	struct rt_graph_options *g = &a->report.graph;
	char *end;
	double number = strtod(word, &end);

	if (end != word && !*end) {
		if (!(number >= 0 && number < 1e9))
			return rt_err_set(err, EINVAL, "-g: '%.40s' is no percentage", word);
		if (*percent_given)
			g->print_limit = (unsigned int)number;
		else
			g->min_percent = number;
		*percent_given = true;
	} else if (is(word, "graph")) {
		g->style = RT_GRAPH_ABSOLUTE;
	} else if (is(word, "fractal")) {
		g->style = RT_GRAPH_RELATIVE;
	} else if (is(word, "flat")) {
		g->style = RT_GRAPH_FLAT;
	} else if (is(word, "folded")) {
		g->style = RT_GRAPH_FOLDED;
	} else if (is(word, "none")) {
		g->style = RT_GRAPH_NONE;
	} else if (is(word, "caller")) {
		g->caller = a->order_given = true;
	} else if (is(word, "callee")) {
		g->caller = false;
		a->order_given = true;
	} else if (is(word, "function")) {
		g->lines = false;
	} else if (is(word, "address") || is(word, "srcline")) {
		g->lines = true;
	} else if (is(word, "percent")) {
		g->value = RT_GRAPH_PERCENT;
	} else if (is(word, "period")) {
		g->value = RT_GRAPH_PERIOD;
	} else if (is(word, "count")) {
		g->value = RT_GRAPH_COUNT;
	} else {
		return rt_err_set(
			err, EINVAL,
			"-g: '%.40s' is unknown; it takes graph, fractal, flat, folded, none, caller, callee, function, address, percent, period, count and numbers",
			word);
	}
	return 0;
}

static int take_graph(const struct rt_option *o, const char *value, bool off, struct rt_err *err)
{
	struct rt_report_asked *a = o->priv;
	bool percent_given = false;
	char word[64];
	int ret = 0;

	a->graph_given = !off;
	if (off)
		a->report.graph.style = RT_GRAPH_NONE;
	while (!ret && value && *value) {
		size_t len = strcspn(value, ", ");

		if (len >= sizeof(word))
			return rt_err_set(err, EINVAL, "-g: '%.40s…' is unknown", value);
		memcpy(word, value, len);
		word[len] = '\0';
		if (len)
			ret = take_graph_word(a, word, &percent_given, err);
		value += len;
		value += strspn(value, ", ");
	}
	return ret;
}

static int take_group(const struct rt_option *o, const char *value, bool off, struct rt_err *err)
{
	struct rt_report_asked *a = o->priv;

	a->report.group = a->report.group_all = !off;
	return 0;
}

static int take_inline(const struct rt_option *o, const char *value, bool off, struct rt_err *err)
{
	struct rt_report_asked *a = o->priv;

	a->profile.no_inlines = off;
	a->profile.all_inlines = !off;
	return 0;
}

static int take_branches(const struct rt_option *o, const char *value, bool off, struct rt_err *err)
{
	struct rt_report_asked *a = o->priv;

	a->report.branches = !off;
	a->report.no_branches = off;
	return 0;
}

static const char more[] =
	"Sort keys for -s: comm tid dso symbol cpu socket srcline srcfile time trace local_weight\n"
	"  weight symbol_size code_page_size addr parent cgroup transaction ins_lat local_ins_lat; the\n"
	"  name of a field of a tracepoint or probe, or EVENT.FIELD, or trace_fields for all; columns:\n"
	"  overhead overhead_children overhead_sys overhead_us sample period; of branches: dso_from\n"
	"  dso_to symbol_from symbol_to srcline_from srcline_to mispredict in_tx abort cycles; with\n"
	"  --mem-mode: mem snoop tlb locked blocked symbol_daddr dso_daddr symbol_iaddr phys_daddr\n"
	"  data_page_size\n"
	"\n"
	"Call graphs for -g, separated by commas: graph, fractal, flat, folded or none; the least\n"
	"  percentage to show (default 0.5); the most entries to show; caller or callee; function or\n"
	"  address; percent, period or count\n"
	"\n"
	"Examples:\n"
	"  ringtail report                            functions by time, with their callees'\n"
	"  ringtail report --no-children -g callee    functions by their own time, with callers\n"
	"  ringtail report -s comm,dso                which programs and libraries\n"
	"  ringtail report -s prev_comm,prev_state    count the values of a tracepoint's fields";

static const struct rt_perf_lacks lacks[] = {
	{ "dump-raw-trace", "D", "'ringtail script -D' prints every record" },
	{ "verbose", "v",
	  "what it adds has options of its own: -s addr,symbol_size,srcline, and 'ringtail buildid-list' for the files" },
	{ "pretty", "", "it prints the table of -T in one way" },
	{ "mmaps", "", "'ringtail script --show-mmap-events' prints the mappings" },
	{ "modules", "m", "it looks for the symbols of modules in any case" },
	{ "ignore-vmlinux", "",
	  "it takes only a vmlinux with the recorded build-id; --kallsyms FILE takes symbols from elsewhere" },
	{ "asm-raw disassembler-style objdump percent-type prefix prefix-strip source", "M",
	  "it does not show instructions; 'perf annotate' does, also for recordings of ringtail" },
	{ "branch-history", "",
	  "it shows branches as lines (-b) or stacks as call graphs, not both as one stack" },
	{ "total-cycles", "",
	  "it sums cycles by branch and not by block of code: -b -s symbol_from,symbol_to,cycles" },
	{ "itrace", "", "it does not decode traces of processors (Intel PT, Arm CoreSight)" },
	{ "stitch-lbr", "", "it does not make stacks from branch records" },
	{ "disable-order", "",
	  "it puts records into the order of their times while it reads them" },
	{ "group-sort-idx", "",
	  "it sorts a group by its first event; --no-group prints a table for each event" },
	{ "ignore-callees", "",
	  "it does not cut stacks; --parent REGEX tells lines apart by a caller, and --max-stack N shortens stacks" },
	{ "show-ref-call-graph", "", "it shows the stacks of an event only if they were recorded" },
	{ "addr2line addr2line-style", "", "it reads source lines itself" },
	{ "unwind-style", "", "it has one way to unwind" },
	{ "latency parallelism", "", "it does not count how many tasks run at the same time" },
	{ "samples", "", "the browser shows all samples of a row: r" },
	{ "stdio-color", "", "its text has no colours; the browser has" },
	{ "gtk", "", "it opens no window; --html FILE writes a page for any browser" },
	{ NULL, NULL, NULL },
};

static const struct rt_usage usage = {
	.command = "report",
	.line = "[OPTIONS]",
	.about =
		"Print tables of a recording: what took how much, with call graphs, as perf report does.",
	.more = more,
	.perf_lacks = lacks,
};

static int parse(struct rt_report_asked *a, int argc, char **argv, struct rt_err *err)
{
	struct rt_report_options *r = &a->report;
	struct rt_profile_options *p = &a->profile;
	const struct rt_option options[] = {
		RT_OPTION_GROUP("Input"),
		RT_OPTION_INPUT(&a->input),
		RT_OPTION_FORCE(&a->force),
		RT_OPTION_GROUP("Lines and columns"),
		RT_OPTION_SWITCH(0, "stdio", &a->stdio,
				 "print text (default, if the output is not a terminal)"),
		RT_OPTION_SWITCH(0, "tui", &a->tui,
				 "open the browser (default on a terminal); ? lists its keys"),
		RT_OPTION_STRING(
			0, "html", &a->html, "FILE",
			"write one HTML page: tables, flame graphs, timeline, values, latencies; - is standard output"),
		RT_OPTION_STRING(
			's', "sort", &r->sort, "KEY,…",
			"one line for each value of these keys (default comm,dso,symbol; trace if all events are tracepoints, and not all are watches)"),
		RT_OPTION_STRING('F', "fields", &r->fields, "KEY,…", "print only these columns"),
		RT_OPTION_SWITCH(
			0, "children", &a->children,
			"add the time of its callees to each function (default, if there are stacks)"),
		RT_OPTION_STRING(
			'p', "parent", &r->parent, "REGEX",
			"tell lines apart by the caller that matches, as -s parent (default ^sys_|^do_page_fault)"),
		RT_OPTION_SWITCH('x', "exclude-other", &r->exclude_other,
				 "with -p: leave out lines without such a caller"),
		RT_OPTION_SWITCH(
			0, "mem-mode", &r->memory,
			"count accesses to data with their weights; sort keys for them are below"),
		RT_OPTION_TAKE0(
			'b', "branch-stack", take_branches, a,
			"count the branches of samples (default, if there are); --no-branch-stack: count the samples"),
		RT_OPTION_SWITCH('n', "show-nr-samples", &r->show_count,
				 "print numbers of samples"),
		RT_OPTION_SWITCH(0, "show-total-period", &r->show_period, "print sums of periods"),
		RT_OPTION_SWITCH(0, "show-cpu-utilization", &r->show_modes,
				 "print the parts spent in the kernel and in user code"),
		RT_OPTION_STRING(0, "percent-limit", &a->percent_limit, "PERCENT",
				 "leave out lines below this percentage"),
		RT_OPTION_STRING(
			0, "percentage", &a->percentage, "relative|absolute",
			"percentages of the samples that the filters keep, or of all (default)"),
		RT_OPTION_TAKE0(
			0, "group", take_group, a,
			"print the events of a group side by side (default); given, of a recording without groups all events"),
		RT_OPTION_SWITCH(0, "hierarchy", &r->hierarchy,
				 "print the values of each sort key below those of the one before"),
		RT_OPTION_SWITCH(0, "skip-empty", &a->skip_empty,
				 "leave out events without samples (default)"),
		RT_OPTION_STRING('t', "field-separator", &a->separator, "CHAR",
				 "separate columns with this character"),
		RT_OPTION_STRING('w', "column-widths", &r->widths, "N,…", "use these widths"),
		RT_OPTION_SWITCH(0, "raw-trace", &r->raw_trace,
				 "print the fields of tracepoints, not their text"),
		RT_OPTION_STRING(0, "time-quantum", &a->quantum, "TIME",
				 "for -s time: round times down to this (default 100ms)"),
		RT_OPTION_SWITCH(0, "ns", &r->nanoseconds, "print times in nanoseconds"),
		RT_OPTION_SWITCH(0, "full-source-path", &r->full_source_path,
				 "print source files with their directories"),
		RT_OPTION_SWITCH(0, "stats", &a->stats,
				 "print only how many records and samples there are"),
		RT_OPTION_SWITCH('T', "threads", &a->threads,
				 "also print how often each thread had each event (record -s)"),
		RT_OPTION_SWITCH(0, "tasks", &a->tasks, "print only the tasks, as a tree"),
		RT_OPTIONS_HEADER(&a->header, &a->header_only, &a->full_info),
		RT_OPTION_SWITCH(0, "compat", &r->compat, "print exactly what perf 6.1 prints"),
		RT_OPTION_GROUP("Call graphs"),
		RT_OPTION_MAYBE(
			'g', "call-graph", take_graph, a, "STYLE,…",
			"how to print call graphs (default graph,0.5,caller,function,percent)"),
		RT_OPTION_SWITCH('G', "inverted", &a->inverted,
				 "call graphs from callers to callees"),
		RT_OPTION_UINT(0, "max-stack", &p->stack.max, "N",
			       "use at most N frames of a stack (default 127)"),
		RT_OPTION_TAKE0(
			0, "inline", take_inline, a,
			"inlined functions in every stack; --no-inline: in none (default: in unwound stacks only)"),
		RT_OPTION_GROUP("Which samples"),
		RT_OPTIONS_SELECTION(&a->want, 'C', 'c'),
		RT_OPTION_STRING('d', "dsos", &a->objects, "NAME,…",
				 "only samples taken in these objects"),
		RT_OPTION_STRING('S', "symbols", &a->symbols, "SYMBOL,…",
				 "only samples taken in these functions"),
		RT_OPTION_STRING(0, "symbol-filter", &r->symbol_part, "TEXT",
				 "only lines of functions with this text in their names"),
		RT_OPTION_STRING(0, "socket-filter", &r->socket, "N",
				 "only samples taken on this processor socket"),
		RT_OPTION_STRING(
			0, "switch-on", &r->switch_on, "EVENT",
			"only samples after this event; --switch-off EVENT: until that event, again and again"),
		RT_OPTION_STRING(0, "switch-off", &r->switch_off, "EVENT",
				 "only samples before this event"),
		RT_OPTION_SWITCH(0, "show-on-off-events", &r->show_switches,
				 "with these: count the events themselves, too"),
		RT_OPTION_SWITCH('U', "hide-unresolved", &r->hide_unresolved,
				 "leave out samples without a symbol"),
		RT_OPTION_GROUP("Where symbols come from"),
		RT_OPTION_VMLINUX(&p->symbols),
		RT_OPTIONS_SYMBOL_FILES(&p->symbols),
		RT_OPTION_DEMANGLE(&a->demangle),
		RT_OPTION_DEMANGLE_KERNEL(&p->symbols),
		RT_OPTION_GROUP("Other"),
		RT_OPTION_SWITCH('q', "quiet", &r->quiet, "print only the lines of the tables"),
		RT_OPTION_END,
	};

	return rt_options_parse(options, &usage, argc, argv, 0, err);
}

static int settle_numbers(struct rt_report_asked *a, struct rt_err *err)
{
	struct rt_report_options *r = &a->report;
	char *end;

	if (a->percent_limit) {
		r->percent_limit = strtod(a->percent_limit, &end);
		if (end == a->percent_limit || *end || !(r->percent_limit >= 0))
			return rt_err_set(err, EINVAL,
					  "--percent-limit: '%.40s' is no percentage; try 0.5",
					  a->percent_limit);
		/* perf applies it to call graphs as well. */
		r->graph.min_percent = r->percent_limit;
	}
	if (r->socket && (!*r->socket || strlen(r->socket) > 6 ||
			  strspn(r->socket, "0123456789") != strlen(r->socket)))
		return rt_err_set(err, EINVAL, "--socket-filter: '%.40s' is no number; try 0",
				  r->socket);
	if ((r->sort && !*r->sort) || (r->fields && !*r->fields))
		return rt_err_set(err, EINVAL, "%s: the list is empty; try comm,dso,symbol",
				  r->sort && !*r->sort ? "--sort" : "--fields");
	if (r->widths && (!*r->widths || strspn(r->widths, "0123456789,") != strlen(r->widths)))
		return rt_err_set(err, EINVAL,
				  "--column-widths: '%.40s' is no list of numbers; try 10,20,40",
				  r->widths);
	if (a->percentage && !strcmp(a->percentage, "relative"))
		r->relative = true;
	else if (a->percentage && strcmp(a->percentage, "absolute"))
		return rt_err_set(err, EINVAL,
				  "--percentage: '%.40s' is neither relative nor absolute",
				  a->percentage);
	r->time_quantum = TIME_QUANTUM;
	if (a->quantum) {
		double number = strtod(a->quantum, &end), unit = 0;

		unit = !strcmp(end, "ns") ? 1 :
		       !strcmp(end, "us") ? 1e3 :
		       !strcmp(end, "ms") ? 1e6 :
		       !strcmp(end, "s")  ? 1e9 :
					    0;
		if (end == a->quantum || !unit || !(number * unit >= 1) || number * unit > 1e18)
			return rt_err_set(err, EINVAL,
					  "--time-quantum: '%.40s' is no time; try 10ms",
					  a->quantum);
		r->time_quantum = (uint64_t)(number * unit);
	}
	return 0;
}

static int settle(struct rt_report_asked *a, int words, char **argv, struct rt_err *err)
{
	struct rt_report_options *r = &a->report;
	struct rt_profile_options *p = &a->profile;
	int ret;

	if (words > 0)
		return rt_input_word(argv[0], err);
	if (a->separator) {
		r->separator = a->separator[0];
		if (!strcmp(a->separator, "\\t"))
			r->separator = '\t';
		else if (strlen(a->separator) != 1 || r->separator == '.')
			return rt_err_set(err, EINVAL,
					  "-t takes one character, and not '.': '%.40s'",
					  a->separator);
	}
	ret = settle_numbers(a, err);
	if (ret)
		return ret;
	if (a->html && a->threads)
		return rt_err_set(err, EINVAL,
				  "--html shows samples; leave -T out, or print text with --stdio");
	if (a->html && r->memory)
		return rt_err_set(
			err, EINVAL,
			"--html shows samples; leave --mem-mode out, or print text with --stdio");
	if (a->html)
		r->no_branches = true;
	if (a->html && r->branches)
		return rt_err_set(
			err, EINVAL,
			"--html shows samples; leave --branch-stack out, or print text with --stdio");
	r->graph_asked = a->graph_given && r->graph.style != RT_GRAPH_NONE;
	r->children = a->children && !r->hierarchy;
	r->stacks = r->children || r->graph.style != RT_GRAPH_NONE;
	if (a->inverted)
		r->graph.caller = true;
	else if (!a->order_given)
		r->graph.caller = a->children; /* also if --hierarchy prints none */
	r->show_empty = !a->skip_empty;
	r->time = p->time = a->want.time;
	p->keep_filtered = true;
	p->hide_unresolved = r->hide_unresolved;
	r->comms = &p->want.comms;
	p->no_stacks = !r->stacks && !r->parent && !(r->sort && strstr(r->sort, "parent")) &&
		       !(r->fields && strstr(r->fields, "parent"));
	p->by_address = r->graph.lines;
	p->stack.compat = r->compat;
	p->stack.outermost = r->graph.caller;
	p->symbols.no_demangle = !a->demangle;
	p->symbols.perf_only = r->compat;
	p->symbols.addr2line_files = p->symbols.addr2line_order = r->compat;
	if (r->compat)
		p->all_inlines = false;
	ret = rt_selection_parse(&p->want, &a->want, err);
	if (!ret && a->symbols)
		ret = rt_names_parse(&r->symbols, a->symbols, err);
	if (!ret && a->objects)
		ret = rt_names_parse(&r->objects, a->objects, err);
	return ret;
}

/*
 * Like perf, take the word behind -g as its value even if a blank is between, unless it begins with
 * a dash: "-g caller" becomes "-gcaller".  The new words live as long as `a`.
 */
static int join_graph(struct rt_report_asked *a, int argc, char **argv, struct rt_err *err)
{
	int i, n = 1;

	for (i = 1; i < argc; i++, n++) {
		bool letter = !strcmp(argv[i], "-g"), name = !strcmp(argv[i], "--call-graph");

		argv[n] = argv[i];
		if (!strcmp(argv[i], "--")) {
			while (i < argc)
				argv[n++] = argv[i++];
			return n;
		}
		if ((!letter && !name) || i + 1 == argc || argv[i + 1][0] == '-')
			continue;
		free(a->joined);
		if (asprintf(&a->joined, "%s%s%s", argv[i], letter ? "" : "=", argv[i + 1]) < 0) {
			a->joined = NULL;
			return rt_err_set(err, ENOMEM, "out of memory");
		}
		argv[n] = a->joined;
		i++;
	}
	return n;
}

int rt_report_options(struct rt_report_asked *a, int argc, char **argv, struct rt_err *err)
{
	int ret;

	memset(a, 0, sizeof(*a));
	a->demangle = a->children = a->skip_empty = true;
	a->report.group = true;
	a->report.graph =
		(struct rt_graph_options){ .style = RT_GRAPH_ABSOLUTE, .min_percent = 0.5 };
	a->profile.stack.max = RT_FRAMES_DEFAULT;
	ret = join_graph(a, argc, argv, err);
	if (ret > 0)
		ret = parse(a, ret, argv, err);
	return ret < 0 ? ret : settle(a, ret, argv, err);
}

void rt_report_options_free(struct rt_report_asked *a)
{
	free(a->joined);
	rt_selection_free(&a->profile.want);
	rt_names_free(&a->report.symbols);
	rt_names_free(&a->report.objects);
}
