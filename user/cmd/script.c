// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/options.h"
#include "cmd/command.h"
#include "script/records.h"
#include "script/run.h"

/* As many frames as the kernel records unless told otherwise. */
#define MAX_STACK 127

struct asked {
	struct rt_script script;
	struct rt_script_run run;
	struct rt_symbols_options symbols;
	const char *input, *time;
	const char *cpus, *pids, *tids, *comms, *syms, *objects, *stop_at;
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

static const struct rt_usage usage = {
	.command = "script",
	.line = "[OPTIONS]",
	.about =
		"Print the events of a recording, one a line with its stack below, as perf script does.",
	.more = more,
};

/* The options as a table over one struct. */
static int parse(struct asked *a, int argc, char **argv, struct rt_err *err)
{
	struct rt_script *s = &a->script;
	struct rt_script_run *r = &a->run;
	const struct rt_option options[] = {
		RT_OPTION_GROUP("What is read"),
		RT_OPTION_STRING('i', "input", &a->input, "FILE",
				 "the recording; - for standard input (default: perf.data)"),
		RT_OPTION_SWITCH('f', "force", &a->force,
				 "accepted for perf's sake; files of any owner are read"),
		RT_OPTION_GROUP("What is printed"),
		RT_OPTION_TAKE(
			'F', "fields", take_fields, &s->fields, "LIST",
			"these fields, or +field and -field to change the default; a type in front (sw:ip,sym) limits it"),
		RT_OPTION_SWITCH('G', "hide-call-graph", &s->fields.no_callchain,
				 "no stacks: the sampled address on the line itself"),
		RT_OPTION_UINT(0, "max-stack", &s->max_stack, "N",
			       "at most N frames of a stack (default: 127)"),
		RT_OPTION_STRING(0, "stop-bt", &a->stop_at, "SYMBOL,…",
				 "show no callers of these functions"),
		RT_OPTION_TAKE0(
			0, "inline", take_inline, s,
			"show inlined functions in every stack; --no-inline in none (default: in unwound stacks, as perf 6.1)"),
		RT_OPTION_SWITCH(0, "full-source-path", &s->full_source_path,
				 "source files with their directories"),
		RT_OPTION_SWITCH(
			0, "demangle", &a->demangle,
			"C++ and Rust names as they were written (default); --no-demangle as in the file"),
		RT_OPTION_SWITCH(0, "demangle-kernel", &a->symbols.demangle_kernel,
				 "those of the kernel too"),
		RT_OPTION_SWITCH(0, "show-kernel-path", &s->kernel_path,
				 "the file the kernel's symbols came from, instead of its name"),
		RT_OPTION_SWITCH(0, "ns", &s->nanoseconds, "times to the nanosecond"),
		RT_OPTION_SWITCH(0, "reltime", &r->relative_time,
				 "times counted from the first sample"),
		RT_OPTION_SWITCH(0, "deltatime", &r->delta_time,
				 "times counted from the previous line"),
		RT_OPTION_SWITCH('L', "Latency", &s->latency, "narrow columns for task and CPU"),
		RT_OPTION_SWITCH(0, "header", &a->header,
				 "first what is known of the machine and the recording"),
		RT_OPTION_SWITCH(0, "header-only", &a->header_only, "and nothing else"),
		RT_OPTION_SWITCH('I', "show-info", &a->full_info, "with --header: more of it"),
		RT_OPTION_SWITCH('D', "dump-raw-trace", &r->dump,
				 "every record, byte by byte and decoded"),
		RT_OPTION_SWITCH(0, "dump-unsorted-raw-trace", &a->unordered,
				 "the same in the order of the file"),
		RT_OPTION_SWITCH(0, "json", &a->json, "one JSON object for each event"),
		RT_OPTION_SWITCH(0, "csv", &a->csv, "comma-separated values with a line of names"),
		RT_OPTION_SWITCH(0, "compat", &s->compat,
				 "nothing that perf 6.1 would print differently"),
		RT_OPTION_GROUP("Which events"),
		RT_OPTION_STRING(
			0, "time", &a->time, "START,STOP",
			"only this stretch, in seconds (either may be empty), or 10%/2, or 0%-10%"),
		RT_OPTION_STRING('C', "cpu", &a->cpus, "LIST", "only of these CPUs, such as 0-3,6"),
		RT_OPTION_STRING(0, "pid", &a->pids, "PID,…", "only of these processes"),
		RT_OPTION_STRING(0, "tid", &a->tids, "TID,…", "only of these threads"),
		RT_OPTION_STRING('c', "comms", &a->comms, "NAME,…",
				 "only of tasks with these names"),
		RT_OPTION_STRING('S', "symbols", &a->syms, "SYMBOL,…",
				 "only those sampled in these functions or at these addresses"),
		RT_OPTION_UINT(0, "addr-range", &s->addr_range, "N",
			       "with -S ADDRESS: up to N bytes behind it"),
		RT_OPTION_STRING(0, "dsos", &a->objects, "NAME,…",
				 "only those sampled in these objects"),
		RT_OPTION_STRING(0, "switch-on", &r->switch_on, "EVENT", "only from this event on"),
		RT_OPTION_STRING(0, "switch-off", &r->switch_off, "EVENT", "only up to this event"),
		RT_OPTION_SWITCH(0, "show-on-off-events", &r->show_switch_events,
				 "and those two themselves"),
		RT_OPTION_SWITCH(0, "show-task-events", &a->tasks,
				 "fork, exec, exit and comm records too"),
		RT_OPTION_SWITCH(0, "show-mmap-events", &a->mmaps, "mappings too"),
		RT_OPTION_SWITCH(0, "show-switch-events", &a->switches,
				 "context switches too, if recorded"),
		RT_OPTION_SWITCH(0, "show-namespace-events", &a->namespaces,
				 "changes of namespaces too"),
		RT_OPTION_SWITCH(0, "show-cgroup-events", &a->cgroups, "cgroups too"),
		RT_OPTION_SWITCH(0, "show-lost-events", &a->lost,
				 "losses too, where they happened"),
		RT_OPTION_SWITCH(0, "show-round-events", &a->rounds,
				 "ends of rounds too, in the order of the file"),
		RT_OPTION_SWITCH(0, "show-bpf-events", &a->bpf,
				 "BPF programs coming and going too"),
		RT_OPTION_SWITCH(0, "show-text-poke-events", &a->text_pokes,
				 "changes of the kernel's code too"),
		RT_OPTION_GROUP("Where symbols come from"),
		RT_OPTION_STRING('k', "vmlinux", &a->symbols.vmlinux, "FILE",
				 "the kernel's, with its symbols"),
		RT_OPTION_STRING(0, "kallsyms", &a->symbols.kallsyms, "FILE",
				 "a copy of /proc/kallsyms of the traced machine"),
		RT_OPTION_STRING(0, "symfs", &a->symbols.symfs, "DIR",
				 "objects are looked for below this directory"),
		RT_OPTION_GROUP("How it is done"),
		RT_OPTION_UINT(0, "threads", &r->threads, "N",
			       "threads that format (default: one for each processor)"),
		RT_OPTION_SWITCH('q', "quiet", &a->quiet,
				 "do not list the objects without symbols at the end"),
		RT_OPTION_END,
	};

	return rt_options_parse(options, &usage, argc, argv, 0, err);
}

static int settle_lists(struct asked *a, struct rt_err *err)
{
	int ret = 0;

	if (a->cpus)
		ret = rt_numbers_parse(&a->run.cpus, "cpu", a->cpus, err);
	if (!ret && a->pids)
		ret = rt_numbers_parse(&a->run.pids, "pid", a->pids, err);
	if (!ret && a->tids)
		ret = rt_numbers_parse(&a->run.tids, "tid", a->tids, err);
	if (!ret && a->comms)
		ret = rt_names_parse(&a->run.comms, a->comms, err);
	if (!ret && a->syms)
		ret = rt_names_parse(&a->script.symbols, a->syms, err);
	if (!ret && a->objects)
		ret = rt_names_parse(&a->script.objects, a->objects, err);
	if (!ret && a->stop_at)
		ret = rt_names_parse(&a->script.stop_at, a->stop_at, err);
	return ret;
}

/* What the options mean together. */
static int settle(struct asked *a, int words, char **argv, struct rt_err *err)
{
	if (words > 0)
		return rt_err_set(err, EINVAL, "'%s' is no option; to read a file use -i FILE",
				  argv[0]);
	if (a->run.relative_time && a->run.delta_time)
		return rt_err_set(err, EINVAL, "--reltime and --deltatime do not go together");
	if (a->json && a->csv)
		return rt_err_set(err, EINVAL, "--json and --csv do not go together");
	a->script.format = a->json ? RT_SCRIPT_JSON : a->csv ? RT_SCRIPT_CSV : RT_SCRIPT_TEXT;
	a->symbols.no_demangle = !a->demangle;
	a->symbols.perf_only = a->script.compat;
	a->symbols.addr2line_files = a->symbols.addr2line_order = a->script.compat;
	if (a->script.compat && a->script.inlines == RT_INLINES_ALL)
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

/* --cpu makes sense only when samples say where they were taken. */
static int check_cpus(const struct asked *a, struct rt_err *err)
{
	const struct rt_events *events = rt_reader_events(a->script.reader);
	size_t i;

	for (i = 0; a->cpus && i < events->count; i++)
		if (!rt_event_has(events->list[i], RT_SAMPLE_CPU))
			return rt_err_set(
				err, EINVAL,
				"event '%s' was recorded without CPU numbers: leave --cpu out, or record with -a or --sample-cpu",
				rt_event_name(events->list[i]));
	return 0;
}

static int open_all(struct asked *a, struct rt_err *err)
{
	struct rt_script *s = &a->script;
	struct rt_reader_options how = { .unordered = a->unordered };
	const struct rt_env *env;
	int ret;

	ret = rt_reader_open(a->input, &how, &s->reader, err);
	if (ret)
		return ret;
	env = rt_reader_env(s->reader);
	s->symtab = rt_symbols_open(&a->symbols, err);
	if (!s->symtab)
		return -ENOMEM;
	ret = rt_machine_open(&s->machine, s->symtab, env, err);
	if (!ret)
		ret = rt_fields_check(&s->fields, s->reader, err);
	if (!ret)
		ret = check_cpus(a, err);
	if (!ret && a->time)
		ret = rt_timespans_parse(&a->run.times, a->time, env->sample_time_first,
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
	if (s->symtab)
		rt_symbols_close(s->symtab);
	if (s->reader)
		rt_reader_close(s->reader);
	rt_timespans_free(&a->run.times);
	rt_numbers_free(&a->run.cpus);
	rt_numbers_free(&a->run.pids);
	rt_numbers_free(&a->run.tids);
	rt_names_free(&a->run.comms);
	rt_names_free(&s->symbols);
	rt_names_free(&s->objects);
	rt_names_free(&s->stop_at);
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
	a.script.max_stack = MAX_STACK;
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
		status = rt_script_run(&a.run);
		if (!a.quiet)
			rt_symbols_print_missing(a.script.symtab, stderr);
	}
	close_all(&a);
	return status;
}
