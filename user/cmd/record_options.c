// SPDX-License-Identifier: GPL-2.0
#include "cmd/record_options.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/device.h"
#include "cli/options.h"
#include "cmd/go_return.h"
#include "cmd/record_lacks.h"
#include "cmd/record_raw.h"
#include "record/forbidden.h"
#include "record/kernel_env.h"
#include "record/lanes.h"
#include "record/ring_size.h"

/*
 * Who may not record may often not see events either: then that is the reason, and not what was found out about the
 * event.
 */
static int explain(int ret, struct rt_err *err)
{
	struct rt_err why;
	int fd = rt_device_open(&why);

	if (fd >= 0)
		close(fd);
	if (fd == -EACCES || fd == -EPERM)
		*err = why;
	return ret;
}

int rt_record_add_event(struct rt_record_options *opt, const char *value, struct rt_err *err)
{
	size_t before = opt->list.count;
	char **bigger;
	int ret;

	ret = rt_event_parse(&opt->list, value, &opt->env, err);
	if (ret)
		return explain(ret, err);
	bigger = realloc(opt->filters, opt->list.count * sizeof(*bigger));
	if (!bigger)
		return rt_err_set(err, ENOMEM, "out of memory");
	opt->filters = bigger;
	memset(bigger + before, 0, (opt->list.count - before) * sizeof(*bigger));
	return 0;
}

static int ask(struct rt_record_options *opt, const char *event, const char *filter,
	       struct rt_err *err)
{
	struct rt_record_asked *bigger =
		realloc(opt->asked, (opt->asked_count + 1) * sizeof(*bigger));

	if (!bigger)
		return rt_err_set(err, ENOMEM, "out of memory");
	opt->asked = bigger;
	bigger[opt->asked_count++] = (struct rt_record_asked){ event, filter };
	return 0;
}

int rt_record_take_event(const struct rt_option *o, const char *value, bool off, struct rt_err *err)
{
	return ask(o->priv, value, NULL, err);
}

int rt_record_take_filter(const struct rt_option *o, const char *value, bool off,
			  struct rt_err *err)
{
	return ask(o->priv, NULL, value, err);
}

static int check_forbidden(const struct rt_record_options *opt, struct rt_err *err)
{
	const char **texts = calloc(opt->asked_count + 1, sizeof(*texts));
	size_t i, n = 0;
	int ret;

	if (!texts)
		return rt_err_set(err, ENOMEM, "out of memory");
	for (i = 0; i < opt->asked_count; i++)
		if (opt->asked[i].event)
			texts[n++] = opt->asked[i].event;
	ret = rt_forbidden_check(texts, n, &opt->env, err);
	free(texts);
	return ret;
}

/* Attach the filter to the events of the preceding -e. */
static int add_filter(struct rt_record_options *opt, const char *value, struct rt_err *err)
{
	const char *text;
	size_t i;

	if (!opt->list.count)
		return rt_err_set(err, EINVAL, "--filter stands after the -e that it is for");
	text = opt->list.specs[opt->list.count - 1].text;
	for (i = opt->list.count; i-- > 0 && !strcmp(opt->list.specs[i].text, text);) {
		free(opt->filters[i]);
		opt->filters[i] = strdup(value);
		if (!opt->filters[i])
			return rt_err_set(err, ENOMEM, "out of memory");
	}
	return 0;
}

int rt_record_settle_events(struct rt_record_options *opt, struct rt_err *err)
{
	int ret = check_forbidden(opt, err);
	size_t i;

	for (i = 0; !ret && i < opt->asked_count; i++)
		ret = opt->asked[i].event ? rt_record_add_event(opt, opt->asked[i].event, err) :
					    add_filter(opt, opt->asked[i].filter, err);
	return ret;
}

static int take_positive(const struct rt_option *o, const char *value, bool off, struct rt_err *err)
{
	unsigned int *number = o->priv;
	unsigned long n;
	char *end;

	errno = 0;
	n = strtoul(value, &end, 10);
	if (errno || end == value || *end || *value == '-' || !n || n > UINT_MAX)
		return rt_err_set(err, EINVAL, "--%s takes a number from 1 to %u, not '%s'",
				  o->name, UINT_MAX, value);
	*number = n;
	return 0;
}

/* A year is longer than any recording; nanoseconds of more would not fit where they are counted. */
#define DURATION_MAX (366 * 86400.0)

static int take_duration(const struct rt_option *o, const char *value, bool off, struct rt_err *err)
{
	struct rt_record_options *opt = o->priv;
	char *end;

	opt->duration = strtod(value, &end);
	if (!strcmp(end, "ms"))
		opt->duration /= 1000;
	else if (!strcmp(end, "m"))
		opt->duration *= 60;
	else if (*end && strcmp(end, "s"))
		return rt_err_set(err, EINVAL,
				  "--duration takes a time such as 10s, 500ms or 2m, not '%s'",
				  value);
	if (end == value || !(opt->duration > 0))
		return rt_err_set(err, EINVAL,
				  "--duration takes a time of more than 0, such as 10s, 500ms or "
				  "2m, not '%s'",
				  value);
	if (opt->duration > DURATION_MAX)
		return rt_err_set(err, EINVAL,
				  "--duration %s is longer than a year: leave it out and end the "
				  "recording with Ctrl-C",
				  value);
	return 0;
}

static int take_frequency(const struct rt_option *o, const char *value, bool off,
			  struct rt_err *err)
{
	struct rt_record_options *opt = o->priv;

	return rt_sampling_take_frequency(&opt->recording.sampling, value, err);
}

static int take_period(const struct rt_option *o, const char *value, bool off, struct rt_err *err)
{
	struct rt_record_options *opt = o->priv;
	char *end;

	errno = 0;
	opt->recording.sampling.period = strtoull(value, &end, 10);
	if (errno || end == value || *end || *value == '-' || !opt->recording.sampling.period)
		return rt_err_set(err, EINVAL, "-c takes a number of events, not '%s'", value);
	return 0;
}

static int take_ring(const struct rt_option *o, const char *value, bool off, struct rt_err *err)
{
	struct rt_record_options *opt = o->priv;

	return rt_ring_size_parse(&opt->ring, value, err);
}

static int take_switch(const struct rt_option *o, const char *value, bool off, struct rt_err *err)
{
	struct rt_record_options *opt = o->priv;

	return rt_output_take_switch(&opt->output, value, err);
}

static int take_threads(const struct rt_option *o, const char *value, bool off, struct rt_err *err)
{
	struct rt_record_options *opt = o->priv;

	return rt_lanes_take(&opt->recording.threads, value, err);
}

static int take_max_size(const struct rt_option *o, const char *value, bool off, struct rt_err *err)
{
	struct rt_record_options *opt = o->priv;

	return rt_output_take_size(&opt->output.max_size, value, "--max-size", err);
}

static int take_level(const struct rt_option *o, const char *value, bool off, struct rt_err *err)
{
	struct rt_record_options *opt = o->priv;
	unsigned long level = 1;
	char *end;

	if (value) {
		level = strtoul(value, &end, 10);
		if (end == value || *end || *value == '-' || level < 1 || level > 22)
			return rt_err_set(err, EINVAL, "-z takes a level from 1 to 22, not '%s'",
					  value);
	}
	opt->recording.level = level;
	return 0;
}

static int take_graph(const struct rt_option *o, const char *value, bool off, struct rt_err *err)
{
	struct rt_record_options *opt = o->priv;

	opt->recording.stacks = true;
	return rt_sampling_take_graph(&opt->recording.sampling, value, err);
}

static int take_registers(const struct rt_option *o, const char *value, bool off,
			  struct rt_err *err)
{
	struct rt_record_options *opt = o->priv;

	return rt_sampling_take_registers(&opt->recording.sampling, opt->env.arch, value, err);
}

static int parse(struct rt_record_options *opt, int argc, char **argv, struct rt_err *err)
{
#if defined(__x86_64__)
#define SECOND "%si"
#define THIRD  "%dx"
#else
#define SECOND "%x1"
#define THIRD  "%x2"
#endif
	char text[1024];
	const struct rt_usage usage = {
		.command = "record",
		.line = "[-e EVENT…] [OPTIONS] [COMMAND [ARGS]]",
		.about = "Record events of the kernel into a file that perf opens.",
		.more = text,
		.perf_lacks = rt_record_lacks(&opt->env),
	};
	const struct rt_option table[] = {
		RT_OPTION_GROUP("What to record"),
		RT_OPTION_TAKE('e', "event", rt_record_take_event, opt, "EVENT",
			       "record this event (repeatable)"),
		RT_OPTION_TAKE(0, "filter", rt_record_take_filter, opt, "EXPR",
			       "record the event before it only if EXPR is true"),
		RT_OPTION_SWITCH('g', "stacks", &opt->recording.stacks,
				 "record the kernel and user stacks"),
		RT_OPTION_TAKE(0, "call-graph", take_graph, opt, "HOW",
			       "how to record user stacks: fp, dwarf or dwarf,SIZE"),
		RT_OPTION_TAKE(0, "max-stack", take_positive, &opt->recording.stack_max, "N",
			       "record at most N frames per stack (default 127)"),
		RT_OPTION_TAKE(0, "instances", take_positive, &opt->recording.instances, "N",
			       "trace at most N calls of a kretprobe's function at the same time"),
		RT_OPTION_TAKE(0, "watch-rate", take_positive, &opt->recording.watch_rate, "N",
			       "record at most N watch hits per second per CPU (default 200000)"),
		RT_OPTION_TAKE('F', "freq", take_frequency, opt, "N",
			       "take N samples per second of a counter (default 4000), or 'max'"),
		RT_OPTION_TAKE('c', "count", take_period, opt, "N",
			       "take a sample every N events of a counter"),
		RT_OPTION_SWITCH('I', "intr-regs", &opt->recording.registers,
				 "record the registers where the event fired"),
		RT_OPTION_MAYBE(0, "user-regs", take_registers, opt, "LIST",
				"record the registers of the user side, all or those of the LIST"),
		RT_OPTION_SWITCH('d', "data", &opt->recording.addresses,
				 "record the addresses of data: of page faults, of watches"),
		RT_OPTION_SWITCH(0, "all-kernel", &opt->recording.sampling.all_kernel,
				 "sample counters in the kernel only"),
		RT_OPTION_SWITCH(0, "all-user", &opt->recording.sampling.all_user,
				 "sample counters in user code only"),
		RT_OPTION_SWITCH(0, "strict", &opt->recording.strict,
				 "refuse a glob if one of its events cannot be recorded"),
		RT_OPTION_SWITCH(0, "force", &opt->force,
				 "allow uretprobes in Go programs, which may crash them"),
		RT_OPTION_GROUP("Where to record"),
		RT_OPTION_SWITCH('a', "all-cpus", &opt->targets.all, "record the whole machine"),
		RT_OPTION_STRING('C', "cpu", &opt->targets.cpus, "LIST",
				 "record only on these CPUs, such as 0-3,6"),
		RT_OPTION_STRING('p', "pid", &opt->targets.pids, "LIST",
				 "record only these processes"),
		RT_OPTION_STRING('t', "tid", &opt->targets.tids, "LIST",
				 "record only these threads"),
		RT_OPTION_STRING('u', "uid", &opt->targets.user, "USER",
				 "record only the processes that this user runs now"),
		RT_OPTION_STRING('G', "cgroup", &opt->targets.cgroup, "CGROUP",
				 "record only the tasks of this cgroup and of those below it"),
		RT_OPTION_SWITCH('i', "no-inherit", &opt->targets.no_inherit,
				 "do not record new threads and children of the targets"),
		RT_OPTION_GROUP("How to record"),
		RT_OPTION_STRING('o', "output", &opt->recording.path, "FILE",
				 "write to FILE (default perf.data); '-' is standard output"),
		RT_OPTION_TAKE(0, "duration", take_duration, opt, "TIME",
			       "stop after this time, such as 10s, 500ms, 2m"),
		RT_OPTION_INT('D', "delay", &opt->delay, "MS",
			      "begin to record this many milliseconds after the command; with "
			      "--control -1: when 'enable' comes"),
		RT_OPTION_STRING(0, "control", &opt->control, "WHERE",
				 "take commands from fifo:PATH[,ACK] or fd:N[,ACK]"),
		RT_OPTION_MAYBE(
			0, "switch-output", take_switch, opt, "WHEN",
			"write several files: another one on SIGUSR2, at a size (=10M) or time (=30s)"),
		RT_OPTION_TAKE(0, "switch-max-files", take_positive, &opt->output.keep, "N",
			       "with --switch-output: keep the last N files"),
		RT_OPTION_TAKE(0, "max-files", take_positive, &opt->output.keep, "N",
			       "the same as --switch-max-files"),
		RT_OPTION_SWITCH(0, "timestamp-filename", &opt->output.timestamp,
				 "put the time into the name of the file"),
		RT_OPTION_TAKE(0, "max-size", take_max_size, opt, "SIZE",
			       "stop when the file has this size, such as 500K, 10M, 1G"),
		RT_OPTION_TAKE('m', "mmap-pages", take_ring, opt, "SIZE",
			       "size of each CPU's ring: pages, or bytes such as 512K, 8M"),
		RT_OPTION_TAKE(0, "subbuffers", take_positive, &opt->recording.rings.subbufs, "N",
			       "the same as a number of 32 KB sub-buffers, a power of two"),
		RT_OPTION_MAYBE(
			0, "threads", take_threads, opt, "N",
			"let at most N threads read the rings (default: one per three CPUs, up to 8)"),
		RT_OPTION_SWITCH(0, "overwrite", &opt->overwrite,
				 "keep the newest events; write them at the end and on SIGUSR2"),
		RT_OPTION_SWITCH(0, "raw", &opt->recording.raw,
				 "write the rings as they are, in a fifth of the time; "
				 "'ringtail data' makes a perf.data of it"),
		RT_OPTION_MAYBE('z', "compression-level", take_level, opt, "N",
				"compress the records (zstd), level 1 (default) to 22"),
		RT_OPTION_SWITCH(
			0, "sync", &opt->recording.sync,
			"flush to disk twice per second, so that the file survives a power loss"),
		RT_OPTION_SWITCH('s', "stat", &opt->recording.count_threads,
				 "also write how often each thread had each event, for report -T"),
		RT_OPTION_SWITCH('B', "no-buildid", &opt->recording.no_build_ids,
				 "do not read the build-ids of programs and libraries"),
		RT_OPTION_SWITCH(0, "sample-identifier", &opt->recording.identifiers,
				 "number each sample's event, also where there is only one"),
		RT_OPTION_STRING('k', "clockid", &opt->clock, "CLOCK",
				 "the clock of all times: monotonic, the only one"),
		RT_OPTION_SWITCH(0, "dry-run", &opt->dry_run,
				 "only check that all this can be recorded"),
		RT_OPTION_COUNT('v', "verbose", &opt->verbose,
				"say which events, rings and targets are set up"),
		RT_OPTION_SWITCH('q', "quiet", &opt->quiet, "do not print the summary at the end"),
		RT_OPTION_GROUP("Of perf, without effect: ringtail always does this"),
		RT_OPTION_SWITCH('R', "raw-samples", &opt->ignored, "record all fields of events"),
		RT_OPTION_SWITCH('T', "timestamp", &opt->ignored, "record times"),
		RT_OPTION_SWITCH('P', "period", &opt->ignored, "record periods"),
		RT_OPTION_SWITCH(0, "sample-cpu", &opt->ignored, "record CPU numbers"),
		RT_OPTION_SWITCH(0, "strict-freq", &opt->ignored,
				 "refuse a frequency that the kernel does not allow"),
		RT_OPTION_SWITCH(0, "timestamp-boundary", &opt->ignored,
				 "record the first and the last time in the header"),
		RT_OPTION_SWITCH(0, "buildid-all", &opt->ignored,
				 "record the build-ids of all mapped files"),
		RT_OPTION_SWITCH('N', "no-buildid-cache", &opt->ignored,
				 "leave perf's cache of build-ids alone"),
		RT_OPTION_SWITCH(0, "per-thread", &opt->ignored,
				 "record the threads of -t or -p on every CPU"),
		RT_OPTION_END,
	};

	snprintf(
		text, sizeof(text),
		"An EVENT is a counter that is sampled (cycles, cpu-clock, page-faults, cycles:k),\n"
		"a tracepoint (sched:sched_switch, globs allowed; later:xfs:* also for modules that\n"
		"are loaded later), a probe:\n"
		"  'kprobe:tcp_sendmsg size=%s'   'kretprobe:vfs_read ret=$retval:s64'\n"
		"  'kprobe:do_sys_openat2 path=+0(%s):ustring'   'kprobe:tcp_*'\n"
		"  'uprobe:/bin/bash:readline'   'uretprobe:/bin/bash:readline line=+0($retval):string'\n"
		"or a watch on memory: mem:jiffies/8:w   mem:0x7ffc12345678/4:rw with -p\n"
		"Registers of this machine (%s): %s.\n"
		"Without -e, record samples cycles, or cpu-clock if there is no cycle counter.\n"
		"'man ringtail-record' explains the grammar.",
		THIRD, SECOND, rt_arch_name(opt->env.arch), rt_register_names(opt->env.arch));
	return rt_options_parse(table, &usage, argc, argv, RT_OPTIONS_STOP_EARLY, err);
}

/* Refuse options that cannot be combined. */
static int check_options(struct rt_record_options *opt, struct rt_err *err)
{
	const struct rt_sampling_options *s = &opt->recording.sampling;

	if (s->period && s->frequency)
		return rt_err_set(
			err, EINVAL,
			"-F sets the samples per second, -c the events per sample: use one of them");
	if (!*opt->recording.path)
		return rt_err_set(err, EINVAL, "-o takes the name of a file");
	if (!strcmp(opt->recording.path, "-") && isatty(STDOUT_FILENO))
		return rt_err_set(err, EINVAL,
				  "-o - writes to standard output, which is a terminal: "
				  "pipe it into a program");
	if (!strcmp(opt->recording.path, "-") && opt->recording.level)
		return rt_err_set(err, EINVAL,
				  "-z compresses files: with -o - pipe the output through zstd");
	if (s->all_kernel && s->all_user)
		return rt_err_set(err, EINVAL,
				  "--all-kernel and --all-user leave nothing: use one of them");
	if (opt->clock && strcmp(opt->clock, "monotonic") && strcmp(opt->clock, "mono") &&
	    strcmp(opt->clock, "CLOCK_MONOTONIC"))
		return rt_err_set(err, EINVAL,
				  "-k %s: ringtail's times are those of CLOCK_MONOTONIC; "
				  "leave out -k, or write -k monotonic",
				  opt->clock);
	if (opt->delay < 0 && !(opt->delay == -1 && opt->control))
		return rt_err_set(err, EINVAL,
				  "-D takes milliseconds, or with --control -1: record when "
				  "'enable' comes");
	if (opt->ring && opt->recording.rings.subbufs)
		return rt_err_set(
			err, EINVAL,
			"-m and --subbuffers both set the size of the rings: use one of them");
	if (opt->ring)
		rt_ring_size_apply(opt->ring,
				   rt_sampling_most_bytes(&opt->list, opt->recording.stacks, s),
				   &opt->recording.rings);
	return 0;
}

/* Options whose value must be attached, and a word behind them that looks like one. */
static int check_detached(const struct rt_record_options *opt, const char *name, struct rt_err *err)
{
	const char *option =
		opt->output.switches && !opt->output.switch_bytes && !opt->output.switch_ns ?
			"--switch-output=" :
		opt->recording.level ? "-z" :
				       NULL;

	if (!option || (!isdigit((unsigned char)name[0]) && strcmp(name, "signal")) ||
	    strspn(name, "0123456789BKMGsmhdignal") != strlen(name))
		return 0;
	return rt_err_set(
		err, EINVAL,
		"'%s' stands where the command begins: write %s%s (a command of this name is "
		"./%s)",
		name, option, name, name);
}

/* -g takes no value, as perf's: a style behind it would be the command. */
static int check_command(const char *name, struct rt_err *err)
{
	static const char *const styles[] = { "fp", "dwarf", "lbr" };
	size_t i;

	for (i = 0; i < sizeof(styles) / sizeof(*styles); i++)
		if (!strcmp(name, styles[i]))
			return rt_err_set(
				err, EINVAL,
				"'%s' stands where the command begins: -g takes no value, write "
				"--call-graph %s (a command of this name is ./%s)",
				name, name, name);
	return 0;
}

int rt_record_options_parse(struct rt_record_options *opt, int argc, char **argv,
			    struct rt_err *err)
{
	int left, ret = 0;

	left = parse(opt, argc, argv, err);
	if (left == RT_OPTIONS_HELP || left < 0)
		return left;
	ret = rt_record_settle_events(opt, err);
	if (!ret && !opt->list.count)
		ret = rt_record_add_event(opt, "cycles", err);
	if (!ret)
		ret = rt_target_options_check(&opt->targets, left > 0, err);
	if (!ret && left > 0)
		ret = check_command(argv[0], err);
	if (!ret && left > 0)
		ret = check_detached(opt, argv[0], err);
	if (!ret)
		ret = check_options(opt, err);
	opt->output.path = opt->recording.path;
	if (!ret)
		ret = rt_output_check(&opt->output, err);
	if (!ret)
		ret = rt_record_raw_check(&opt->recording, &opt->list, err);
	if (!ret)
		ret = opt->force ? 0 :
				   rt_go_return_check(&opt->list, opt->env.arch,
						      "; --force takes the risk", err);
	if (ret)
		return ret;
	opt->recording.rings.mode = opt->overwrite ? RT_MODE_OVERWRITE : RT_MODE_DISCARD;
	return left;
}

void rt_record_options_free(struct rt_record_options *opt)
{
	size_t i;

	for (i = 0; i < opt->list.count; i++)
		free(opt->filters[i]);
	free(opt->filters);
	free(opt->asked);
	rt_event_list_free(&opt->list);
	rt_kernel_env_free(&opt->env);
}
