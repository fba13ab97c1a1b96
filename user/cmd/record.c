// SPDX-License-Identifier: GPL-2.0
#include "cmd/command.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/options.h"
#include "record/kernel_env.h"
#include "record/left_out.h"
#include "record/recording.h"
#include "record/summary.h"
#include "record/targets.h"
#include "record/workload.h"

enum {
	SWEEP_MS = 100, /* a reader looks at the rings at least so often */
};

struct options {
	struct rt_event_env env;
	struct rt_event_list list;
	char **filters; /* one for each event of the list, NULL: none */
	struct rt_targets targets;
	struct rt_recording_options recording;
	double duration; /* seconds; 0: until the command ends, or Ctrl-C */
	bool overwrite;
	bool quiet;
};

static volatile sig_atomic_t interrupted;
static volatile sig_atomic_t wants_dump;

static void on_signal(int number)
{
	interrupted = number;
}

static void on_dump(int number)
{
	wants_dump = 1;
}

/* --- options --------------------------------------------------------------------- */

static int add_event(struct options *opt, const char *value, struct rt_err *err)
{
	size_t before = opt->list.count;
	char **bigger;
	int ret;

	ret = rt_event_parse(&opt->list, value, &opt->env, err);
	if (ret)
		return ret;
	bigger = realloc(opt->filters, opt->list.count * sizeof(*bigger));
	if (!bigger)
		return rt_err_set(err, ENOMEM, "out of memory");
	opt->filters = bigger;
	memset(bigger + before, 0, (opt->list.count - before) * sizeof(*bigger));
	return 0;
}

static int take_event(const struct rt_option *o, const char *value, bool off, struct rt_err *err)
{
	return add_event(o->priv, value, err);
}

/* To the event, or events, of the -e before it. */
static int take_filter(const struct rt_option *o, const char *value, bool off, struct rt_err *err)
{
	struct options *opt = o->priv;
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

static int take_duration(const struct rt_option *o, const char *value, bool off, struct rt_err *err)
{
	struct options *opt = o->priv;
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
	if (!(opt->duration > 0))
		return rt_err_set(err, EINVAL, "--duration must be more than 0, not '%s'", value);
	return 0;
}

static int take_frequency(const struct rt_option *o, const char *value, bool off,
			  struct rt_err *err)
{
	struct options *opt = o->priv;

	return rt_sampling_take_frequency(&opt->recording.sampling, value, err);
}

static int take_period(const struct rt_option *o, const char *value, bool off, struct rt_err *err)
{
	struct options *opt = o->priv;
	char *end;

	errno = 0;
	opt->recording.sampling.period = strtoull(value, &end, 10);
	if (errno || end == value || *end || *value == '-' || !opt->recording.sampling.period)
		return rt_err_set(err, EINVAL, "-c takes a number of events, not '%s'", value);
	return 0;
}

static int take_graph(const struct rt_option *o, const char *value, bool off, struct rt_err *err)
{
	struct options *opt = o->priv;

	opt->recording.stacks = true;
	return rt_sampling_take_graph(&opt->recording.sampling, value, err);
}

static int parse(struct options *opt, int argc, char **argv, struct rt_err *err)
{
	static const struct rt_usage usage = {
		.command = "record",
		.line = "[-e EVENT…] [OPTIONS] [COMMAND [ARGS]]",
		.about = "Records events of the kernel into a file that perf opens.",
		.more = "An EVENT is a counter (cycles, cpu-clock, page-faults, cycles:k), which is\n"
			"sampled, a tracepoint (sched:sched_switch, globs allowed), a probe:\n"
			"  'kprobe:tcp_sendmsg size=%x2'   'kretprobe:vfs_read ret=$retval:s64'\n"
			"  'kprobe:do_sys_openat2 path=+0(%x1):ustring'\n"
			"or a watch on memory: mem:jiffies/8:w   mem:0x7ffc12345678/4:rw with -p\n"
			"Without -e it is cycles, or cpu-clock where there is no cycle counter.\n"
			"'man ringtail-record' has the grammar.",
	};
	const struct rt_option table[] = {
		RT_OPTION_GROUP("what"),
		RT_OPTION_TAKE('e', "event", take_event, opt, "EVENT",
			       "record this event (repeatable)"),
		RT_OPTION_TAKE(0, "filter", take_filter, opt, "EXPR",
			       "only where EXPR holds, for the event before it"),
		RT_OPTION_SWITCH('g', "stacks", &opt->recording.stacks, "with the stacks"),
		RT_OPTION_TAKE(0, "call-graph", take_graph, opt, "HOW",
			       "the user stacks: fp, dwarf or dwarf,SIZE"),
		RT_OPTION_UINT(0, "max-stack", &opt->recording.stack_max, "N",
			       "frames at most (127)"),
		RT_OPTION_UINT(0, "instances", &opt->recording.instances, "N",
			       "calls of a kretprobe's function that may be under way"),
		RT_OPTION_UINT(0, "watch-rate", &opt->recording.watch_rate, "N",
			       "hits of a watch, a second and CPU, that are recorded (200000)"),
		RT_OPTION_TAKE('F', "freq", take_frequency, opt, "N",
			       "samples of a counter a second (4000), or 'max'"),
		RT_OPTION_TAKE('c', "count", take_period, opt, "N", "a sample every N events"),
		RT_OPTION_SWITCH('I', "intr-regs", &opt->recording.registers,
				 "with the registers where the event fired"),
		RT_OPTION_GROUP("where"),
		RT_OPTION_SWITCH('a', "all-cpus", &opt->targets.all, "the whole machine"),
		RT_OPTION_STRING('C', "cpu", &opt->targets.cpus, "LIST", "only these CPUs: 0-3,6"),
		RT_OPTION_STRING('p', "pid", &opt->targets.pids, "LIST", "only these processes"),
		RT_OPTION_STRING('t', "tid", &opt->targets.tids, "LIST", "only these threads"),
		RT_OPTION_SWITCH('i', "no-inherit", &opt->targets.no_inherit,
				 "do not follow children"),
		RT_OPTION_GROUP("how"),
		RT_OPTION_STRING('o', "output", &opt->recording.path, "FILE",
				 "write here (perf.data); '-': to standard output"),
		RT_OPTION_TAKE(0, "duration", take_duration, opt, "TIME",
			       "stop after 10s, 500ms, 2m"),
		RT_OPTION_UINT('m', "subbuffers", &opt->recording.rings.subbufs, "N",
			       "sub-buffers for each CPU, a power of two"),
		RT_OPTION_SWITCH(0, "overwrite", &opt->overwrite,
				 "keep the newest; written at the end, and on SIGUSR2"),
		RT_OPTION_SWITCH('q', "quiet", &opt->quiet, "no closing lines"),
		RT_OPTION_END,
	};

	return rt_options_parse(table, &usage, argc, argv, RT_OPTIONS_STOP_EARLY, err);
}

/* --- the recording ---------------------------------------------------------------- */

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

/* Until the command ends, the time is up, or somebody interrupts. */
static int watch(struct rt_recording *r, struct rt_workload *w, double until, int *status,
		 struct rt_err *err)
{
	struct pollfd ready = { .fd = r->session.fd, .events = POLLIN };
	bool had_command = w->pid != 0;
	int ret;

	while (!interrupted && (!until || now() < until)) {
		if (had_command && rt_workload_ended(w, status))
			break;
		if (wants_dump) {
			wants_dump = 0;
			ret = rt_recording_dump(r, err);
			if (ret < 0)
				return ret;
		}
		ret = rt_recording_sweep(r);
		if (ret < 0)
			return rt_err_set(err, ret, "cannot write: %s", strerror(-ret));
		ret = rt_session_map_new(&r->session, err);
		if (ret < 0)
			return ret;
		poll(&ready, 1, SWEEP_MS);
	}
	return 0;
}

/* What stands in for something that was asked for, or is missing, is never taken in silence. */
static void tell_instead(const struct rt_recording *r, const struct rt_event_list *list)
{
	size_t i = 0;
	char *line;

	while ((line = rt_left_out_line(list, &i))) {
		rt_warning("record: %s", line);
		free(line);
	}
	for (i = 0; i < r->count; i++)
		if (r->events[i].sampling.no_cycles)
			rt_warning("record: no cycle counter here, as in most virtual machines: "
				   "%s is sampled instead",
				   r->events[i].sampling.name);
}

static int record(struct options *opt, struct rt_workload *w, const char *name, int *status,
		  struct rt_err *err)
{
	struct rt_recording r;
	struct rt_err later;
	int ret, closed;

	ret = rt_recording_open(&r, &opt->list, opt->filters, &opt->env, &opt->recording, err);
	if (ret)
		return ret;
	tell_instead(&r, &opt->list);
	ret = rt_targets_apply(&opt->targets, &r.session, w->pid, err);
	if (!ret)
		ret = rt_recording_start(&r, w->pid, err);
	if (!ret && w->pid)
		ret = rt_workload_go(w, name, err);
	if (!ret)
		ret = watch(&r, w, opt->duration ? now() + opt->duration : 0, status, err);
	if (!ret)
		ret = rt_recording_stop(&r, err);
	if (!ret && !opt->quiet)
		rt_summary_print(&r, opt->recording.path);
	closed = rt_recording_close(&r, &later);
	if (!ret && closed) {
		*err = later;
		ret = closed;
	}
	return ret;
}

static void catch_signals(bool overwrite)
{
	struct sigaction action = { .sa_handler = on_signal };
	struct sigaction dump = { .sa_handler = overwrite ? on_dump : SIG_IGN };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGUSR2, &dump, NULL);
	signal(SIGPIPE, SIG_IGN);
}

static void free_options(struct options *opt)
{
	size_t i;

	for (i = 0; i < opt->list.count; i++)
		free(opt->filters[i]);
	free(opt->filters);
	rt_event_list_free(&opt->list);
}

int rt_cmd_record(int argc, char **argv)
{
	struct options opt = { .recording.path = "perf.data" };
	struct rt_workload workload = { 0 };
	const char **words = calloc(argc + 1, sizeof(*words));
	int i, left, status = 0, ret;
	struct rt_err err;

	if (!words)
		return RT_EXIT_FAIL;
	words[0] = "ringtail";
	for (i = 0; i < argc; i++)
		words[i + 1] = argv[i];
	opt.recording.argc = argc + 1;
	opt.recording.argv = words;
	rt_kernel_env(&opt.env);

	left = parse(&opt, argc, argv, &err);
	if (left == RT_OPTIONS_HELP) {
		ret = 0;
		goto out;
	}
	ret = left < 0 || opt.list.count ? 0 : add_event(&opt, "cycles", &err);
	if (ret)
		left = ret;
	ret = left < 0 ? left : rt_targets_check(&opt.targets, left > 0, &err);
	if (ret) {
		rt_error("record: %s", err.text);
		free_options(&opt);
		free(words);
		return RT_EXIT_USAGE;
	}
	argv[left] = NULL;
	opt.recording.rings.mode = opt.overwrite ? RT_MODE_OVERWRITE : RT_MODE_DISCARD;
	catch_signals(opt.overwrite);
	ret = left ? rt_workload_prepare(&workload, argv, &err) : 0;
	if (!ret)
		ret = record(&opt, &workload, left ? argv[0] : NULL, &status, &err);
	rt_workload_end(&workload);
	if (ret)
		rt_error("record: %s", err.text);
out:
	free_options(&opt);
	free(words);
	return ret ? RT_EXIT_FAIL : WIFEXITED(status) ? WEXITSTATUS(status) : RT_EXIT_OK;
}
