// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/message.h"
#include "cli/options.h"
#include "cmd/command.h"
#include "cmd/input.h"
#include "cmd/nothing.h"
#include "cmd/reading_options.h"
#include "cmd/script_losses.h"
#include "script/print/records.h"
#include "script/run.h"

struct asked {
	struct rt_script script;
	struct rt_script_run run;
	struct rt_symbols_options symbols;
	struct rt_selection_text want;
	const char *input, *syms, *objects, *stop_at;
	bool header, header_only, full_info, quiet, unordered, force, json, csv;
	bool demangle, tasks, mmaps, switches, namespaces, cgroups, lost, rounds, bpf, text_pokes;
};

static int take_fields(const struct rt_option *o, const char *value, bool off, struct rt_err *err)
{
	return rt_fields_parse(o->priv, value, err);
}

static int take_inline(const struct rt_option *o, const char *value, bool off, struct rt_err *err)
{
	struct rt_script *s = o->priv;

	s->inlines = off ? RT_INLINES_NONE : RT_INLINES_ALL;
	return 0;
}

static const char more[] =
	"Fields for -F, alone or with a type in front (hw: sw: trace: raw: break: synth:):\n"
	"  comm tid pid time cpu event trace ip sym dso addr symoff srcline period iregs uregs\n"
	"  brstack brstacksym brstackoff data_src weight bpf-output insn insnlen phys_addr misc\n"
	"  tod data_page_size code_page_size ins_lat flags\n"
	"\n"
	"Examples:\n"
	"  ringtail script                            print perf.data\n"
	"  ringtail script -F comm,tid,time,ip,sym    only these fields\n"
	"  ringtail script -F +srcline --time 10.5,11 with source lines, half a second of it\n"
	"  ringtail script --json | jq .comm          for programs";

static const struct rt_perf_lacks lacks[] = {
	{ "script gen-script list", "sgl",
	  "it runs no scripts; --json prints events for programs" },
	{ "dlfilter dlarg list-dlfilters", "",
	  "it loads no filters; --json prints events for programs" },
	{ "all-cpus", "a", "it records nothing: 'ringtail record -a' does" },
	{ "verbose", "v", "it has nothing to add to what its options print" },
	{ "debug-mode", "d", "it always tells what is lost or damaged" },
	{ "itrace insn-trace call-trace call-ret-trace graph-function xed disasm", "",
	  "it does not decode traces of processors (Intel PT, Arm CoreSight)" },
	{ "max-blocks stitch-lbr", "", "it makes no code or stacks from branch records" },
	{ "merge-callchains", "", "it prints each stack with its own event" },
	{ "addr2line addr2line-style", "", "it reads source lines itself" },
	{ "unwind-style", "", "it has one way to unwind" },
	{ "per-event-dump", "", "it prints all events to one output" },
	{ "guest-code guestkallsyms guestmodules guestmount guestvmlinux", "",
	  "it names no functions of guests" },
	{ NULL, NULL, NULL },
};

static const struct rt_usage usage = {
	.command = "script",
	.line = "[OPTIONS]",
	.about =
		"Print the events of a recording, one a line with its stack below, as perf script does.",
	.more = more,
	.perf_lacks = lacks,
};

/* Parse the options with a table over one struct. */
static int parse(struct asked *a, int argc, char **argv, struct rt_err *err)
{
	struct rt_script *s = &a->script;
	struct rt_script_run *r = &a->run;
	const struct rt_option options[] = {
		RT_OPTION_GROUP("Input"),
		RT_OPTION_INPUT(&a->input),
		RT_OPTION_FORCE(&a->force),
		RT_OPTION_GROUP("What to print"),
		RT_OPTION_TAKE(
			'F', "fields", take_fields, &s->fields, "LIST",
			"print these fields, or change the default with +field and -field; a type before the list (sw:ip,sym) limits it to events of that type"),
		RT_OPTION_SWITCH('G', "hide-call-graph", &s->fields.no_callchain,
				 "print no stacks; print the sampled address on the line itself"),
		RT_OPTION_UINT(0, "max-stack", &s->stack.max, "N",
			       "print at most N frames of a stack (default 127)"),
		RT_OPTION_STRING(0, "stop-bt", &a->stop_at, "SYMBOL,…",
				 "stop each stack at these functions"),
		RT_OPTION_TAKE0(
			0, "inline", take_inline, s,
			"print inlined functions in every stack; --no-inline: in none (default: in unwound stacks only, as perf 6.1)"),
		RT_OPTION_SWITCH(0, "full-source-path", &s->full_source_path,
				 "print source files with their directories"),
		RT_OPTION_DEMANGLE(&a->demangle),
		RT_OPTION_DEMANGLE_KERNEL(&a->symbols),
		RT_OPTION_SWITCH(
			0, "show-kernel-path", &s->kernel_path,
			"print the file that the kernel's symbols came from instead of [kernel.kallsyms]"),
		RT_OPTION_SWITCH(0, "ns", &s->nanoseconds, "print times in nanoseconds"),
		RT_OPTION_SWITCH(0, "reltime", &r->relative_time,
				 "print times relative to the first sample"),
		RT_OPTION_SWITCH(0, "deltatime", &r->delta_time,
				 "print times relative to the previous line"),
		RT_OPTION_SWITCH('L', "Latency", &s->latency,
				 "print narrow columns for task and CPU"),
		RT_OPTIONS_HEADER(&a->header, &a->header_only, &a->full_info),
		RT_OPTION_SWITCH('D', "dump-raw-trace", &r->dump,
				 "print every record, raw and decoded"),
		RT_OPTION_SWITCH(0, "dump-unsorted-raw-trace", &a->unordered,
				 "the same, in the order of the file"),
		RT_OPTION_SWITCH(0, "json", &a->json, "print one JSON object per event and line"),
		RT_OPTION_SWITCH(0, "csv", &a->csv,
				 "print comma-separated values after a line of names"),
		RT_OPTION_SWITCH(0, "compat", &s->stack.compat,
				 "print exactly what perf 6.1 prints"),
		RT_OPTION_GROUP("Which events to print"),
		RT_OPTIONS_SELECTION(&a->want, 'C', 'c'),
		RT_OPTION_STRING('S', "symbols", &a->syms, "SYMBOL,…",
				 "only events sampled in these functions or at these addresses"),
		RT_OPTION_UINT(0, "addr-range", &s->addr_range, "N",
			       "with -S ADDRESS: also the N bytes after it"),
		RT_OPTION_STRING(0, "dsos", &a->objects, "NAME,…",
				 "only events sampled in these objects"),
		RT_OPTION_STRING(0, "switch-on", &r->switch_on, "EVENT",
				 "start printing at this event"),
		RT_OPTION_STRING(0, "switch-off", &r->switch_off, "EVENT",
				 "stop printing at this event"),
		RT_OPTION_SWITCH(0, "show-on-off-events", &r->show_switch_events,
				 "print the events of --switch-on and --switch-off too"),
		RT_OPTION_SWITCH(0, "show-task-events", &a->tasks,
				 "print fork, exec, exit and comm records too"),
		RT_OPTION_SWITCH(0, "show-mmap-events", &a->mmaps, "print mappings too"),
		RT_OPTION_SWITCH(0, "show-switch-events", &a->switches,
				 "print context switches too, if they were recorded"),
		RT_OPTION_SWITCH(0, "show-namespace-events", &a->namespaces,
				 "print changes of namespaces too"),
		RT_OPTION_SWITCH(0, "show-cgroup-events", &a->cgroups, "print cgroups too"),
		RT_OPTION_SWITCH(0, "show-lost-events", &a->lost,
				 "print losses too, at the time they happened"),
		RT_OPTION_SWITCH(0, "show-round-events", &a->rounds,
				 "print ends of rounds too, in the order of the file"),
		RT_OPTION_SWITCH(0, "show-bpf-events", &a->bpf,
				 "print loading and unloading of BPF programs too"),
		RT_OPTION_SWITCH(0, "show-text-poke-events", &a->text_pokes,
				 "print changes of the kernel's code too"),
		RT_OPTION_GROUP("Where symbols come from"),
		RT_OPTION_VMLINUX(&a->symbols),
		RT_OPTIONS_SYMBOL_FILES(&a->symbols),
		RT_OPTION_GROUP("Other"),
		RT_OPTION_UINT(0, "threads", &r->threads, "N",
			       "format with N threads (default: one per processor)"),
		RT_OPTION_SWITCH('q', "quiet", &a->quiet,
				 "do not list the objects without symbols at the end"),
		RT_OPTION_END,
	};

	return rt_options_parse(options, &usage, argc, argv, 0, err);
}

static int settle_lists(struct asked *a, struct rt_err *err)
{
	int ret = rt_selection_parse(&a->run.want, &a->want, err);

	if (!ret && a->syms)
		ret = rt_names_parse(&a->script.symbols, a->syms, err);
	if (!ret && a->objects)
		ret = rt_names_parse(&a->script.objects, a->objects, err);
	if (!ret && a->stop_at)
		ret = rt_names_parse(&a->script.stop_at, a->stop_at, err);
	return ret;
}

/* Check and apply the options that depend on each other. */
static int settle(struct asked *a, int words, char **argv, struct rt_err *err)
{
	if (words > 0)
		return rt_input_word(argv[0], err);
	if (a->run.relative_time && a->run.delta_time)
		return rt_err_set(err, EINVAL, "--reltime and --deltatime do not go together");
	if (a->script.addr_range && !a->syms)
		return rt_err_set(err, EINVAL,
				  "--addr-range is for addresses of -S: give -S ADDRESS, too");
	if (a->json && a->csv)
		return rt_err_set(err, EINVAL, "--json and --csv do not go together");
	a->script.format = a->json ? RT_SCRIPT_JSON : a->csv ? RT_SCRIPT_CSV : RT_SCRIPT_TEXT;
	if (a->script.format != RT_SCRIPT_TEXT)
		rt_fields_add_context(&a->script.fields);
	a->symbols.no_demangle = !a->demangle;
	a->symbols.perf_only = a->script.stack.compat;
	a->symbols.no_lines =
		!a->script.stack.compat && !rt_fields_has(&a->script.fields, RT_COLUMN_SRCLINE);
	a->symbols.addr2line_files = a->symbols.addr2line_order = a->script.stack.compat;
	if (a->script.stack.compat && a->script.inlines == RT_INLINES_ALL)
		a->script.inlines = RT_INLINES_PERF;
	a->run.dump |= a->unordered;
	a->unordered |= a->rounds;
	a->run.show = (a->tasks ? RT_SHOW_TASKS : 0) | (a->mmaps ? RT_SHOW_MMAPS : 0) |
		      (a->switches ? RT_SHOW_SWITCHES : 0) |
		      (a->namespaces ? RT_SHOW_NAMESPACES : 0) |
		      (a->cgroups ? RT_SHOW_CGROUPS : 0) | (a->lost ? RT_SHOW_LOST : 0) |
		      (a->rounds ? RT_SHOW_ROUNDS : 0) | (a->bpf ? RT_SHOW_BPF : 0) |
		      (a->text_pokes ? RT_SHOW_TEXT_POKES : 0);
	return settle_lists(a, err);
}

/* Lines of the code that accessed watched memory are printed without being asked for.  A pipe may announce a watch later. */
static bool wants_lines(const struct asked *a)
{
	const struct rt_perf_events *events = rt_reader_events(a->script.reader);
	size_t i;

	if (a->script.stack.compat)
		return false;
	for (i = 0; i < events->count; i++)
		if (rt_perf_event_is_watch(events->list[i]))
			return true;
	return rt_reader_is_pipe(a->script.reader);
}

static int open_all(struct asked *a, struct rt_err *err)
{
	struct rt_script *s = &a->script;
	struct rt_reader_options how = { .unordered = a->unordered, .header = a->header_only };
	const struct rt_env *env;
	int ret;

	ret = rt_reader_open(a->input, &how, &s->reader, err);
	if (ret)
		return rt_input_suggest(a->input, ret, err);
	env = rt_reader_env(s->reader);
	a->symbols.no_lines = a->symbols.no_lines && !wants_lines(a);
	s->stack.symbols = rt_symbols_open(&a->symbols, err);
	if (!s->stack.symbols)
		return -ENOMEM;
	ret = rt_machine_open(&s->machine, s->stack.symbols, env, err);
	if (!ret)
		ret = rt_fields_check(&s->fields, s->reader, err);
	if (!ret)
		ret = rt_selection_check_cpus(&a->run.want, s->reader, 0, err);
	if (!ret && a->want.time)
		ret = rt_timespans_parse(&a->run.want.times, a->want.time, env->sample_time_first,
					 env->sample_time_last, a->run.relative_time, err);
	return ret;
}

static void close_all(struct asked *a)
{
	struct rt_script *s = &a->script;

	rt_machine_close(&s->machine);
	rt_tracefmts_free(s->traces);
	free(s->names);
	free(s->columns);
	if (s->stack.symbols)
		rt_symbols_close(s->stack.symbols);
	if (s->reader)
		rt_reader_close(s->reader);
	rt_selection_free(&a->run.want);
	rt_names_free(&s->symbols);
	rt_names_free(&s->objects);
	rt_names_free(&s->stop_at);
}

static const char *switches(const struct asked *a)
{
	return a->run.switch_on ? "--switch-on" : a->run.switch_off ? "--switch-off" : NULL;
}

static int run(struct asked *a)
{
	struct rt_err err = { "" };
	int ret;

	a->run.out = stdout;
	/* If the lines go to the terminal, they already show the progress. */
	a->run.progress = isatty(STDOUT_FILENO) ? NULL : stderr;
	ret = rt_script_run(&a->run, &err);
	if (ret == -EPIPE)
		return RT_EXIT_FAIL; /* the reader of the output is gone: print nothing */
	if (ret)
		rt_err_print(&err);
	if (!ret && !a->run.printed && !a->run.dump && !a->run.show)
		rt_nothing_say(a->script.reader,
			       &(struct rt_nothing_options){ .want = &a->want,
							     .symbols = a->syms,
							     .objects = a->objects,
							     .other = switches(a) });
	if (!a->run.cut_short)
		rt_script_say_losses(a->script.reader);
	return ret ? RT_EXIT_FAIL : RT_EXIT_OK;
}

int rt_cmd_script(int argc, char **argv)
{
	struct asked a;
	struct rt_err err = { "" };
	const char *warning;
	int ret, status;
	size_t i;

	memset(&a, 0, sizeof(a));
	a.run.script = &a.script;
	a.script.stack.max = RT_FRAMES_DEFAULT;
	a.demangle = true;
	rt_fields_init(&a.script.fields);
	ret = parse(&a, argc, argv, &err);
	if (ret == RT_OPTIONS_HELP)
		return RT_EXIT_OK;
	if (ret >= 0)
		ret = settle(&a, ret, argv, &err);
	status = RT_EXIT_USAGE;
	if (!ret) {
		ret = open_all(&a, &err);
		status = RT_EXIT_FAIL;
	}
	if (ret) {
		rt_err_print(&err);
		close_all(&a);
		return status;
	}
	for (i = 0; (warning = rt_reader_warning(a.script.reader, i)); i++)
		rt_warning("%s", warning);
	if (a.header || a.header_only)
		rt_header_print(a.script.reader, a.full_info, stdout);
	a.run.features = a.header || a.full_info;
	a.run.full_features = a.full_info;
	if (a.header_only) {
		status = fflush(stdout) ? RT_EXIT_FAIL : RT_EXIT_OK;
	} else {
		status = run(&a);
		if (!a.quiet)
			rt_symbols_print_missing(a.script.stack.symbols, stderr);
	}
	close_all(&a);
	return status;
}
