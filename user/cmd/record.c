// SPDX-License-Identifier: GPL-2.0
#include "cmd/command.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/message.h"
#include "cli/options.h"
#include "cmd/record_messages.h"
#include "cmd/record_options.h"
#include "record/control.h"
#include "record/ending.h"
#include "record/kernel_env.h"
#include "record/output.h"
#include "record/recording.h"
#include "record/status.h"
#include "record/summary.h"
#include "record/targets.h"
#include "record/workload.h"
#include "types/debuginfod.h"

enum {
	SWEEP_MS = 50, /* between two sweeps of the rings */
	IDLE_MS = 800, /* at most, if the rings were empty */
};

/* --- the recording ---------------------------------------------------------------- */

/* Everything that a running recording consists of. */
struct running {
	const struct rt_record_options *opt;
	struct rt_recording r;
	struct rt_output output;
	struct rt_ending *ending;
	struct rt_status status;
	struct rt_control control;
	bool paused;
	bool stopped; /* by a command */
};

/* --switch-max-files: an old file is still there. */
static void tell_undeleted(struct rt_output *output)
{
	if (*output->undeleted.text)
		rt_warning("record: %s", output->undeleted.text);
	output->undeleted.text[0] = 0;
}

/* Begin another file. */
static int change_files(struct running *run, struct rt_err *err)
{
	int ret = rt_output_switch(&run->output, &run->r, err);

	rt_status_hide(&run->status);
	if (!ret && !run->opt->quiet)
		fprintf(stderr, "[ ringtail: %s is complete ]\n", run->output.last);
	tell_undeleted(&run->output);
	return ret;
}

static int change_full(struct rt_recording *r, struct rt_err *err)
{
	return change_files((struct running *)((char *)r - offsetof(struct running, r)), err);
}

/* Write the rings if the user asks for it, and begin another file if it is time. */
static int look_after_files(struct running *run, struct rt_err *err)
{
	bool asked = rt_ending_dump();
	int ret = 0;

	if (asked && run->opt->overwrite)
		ret = rt_recording_dump(&run->r, err);
	if (ret < 0 || !rt_output_due(&run->output, &run->r, asked))
		return ret < 0 ? ret : 0;
	return change_files(run, err);
}

static int carry_out(struct running *run, enum rt_control_command command, struct rt_err *err)
{
	int ret = 0;

	switch (command) {
	case RT_CONTROL_ENABLE:
		/* After -D -1 the events are armed already. */
		if (run->paused)
			ret = rt_recording_resume(&run->r, err);
		else if (run->opt->delay == -1)
			ret = rt_agent_session_start(&run->r.session, 0, err);
		run->paused = false;
		break;
	case RT_CONTROL_DISABLE:
		if (!run->paused)
			ret = rt_recording_pause(&run->r, err);
		run->paused = true;
		break;
	case RT_CONTROL_SNAPSHOT:
		kill(getpid(), SIGUSR2);
		break;
	case RT_CONTROL_STOP:
		run->stopped = true;
		break;
	case RT_CONTROL_UNKNOWN:
		rt_status_hide(&run->status);
		rt_warning("record: --control: there is no command '%s'; use enable, disable, "
			   "snapshot, ping or stop",
			   run->control.line);
		return 0;
	default:
		break;
	}
	if (!ret)
		rt_control_ack(&run->control);
	return ret;
}

/* Carry out what --control asks for. */
static int obey(struct running *run, struct rt_err *err)
{
	enum rt_control_command command;
	int ret = 0;

	while (!ret && !run->stopped && !rt_ending_came(run->ending) &&
	       (command = rt_control_next(&run->control)) != RT_CONTROL_NONE)
		ret = carry_out(run, command, err);
	return ret;
}

/* Sweep until the recording ends.  Each round takes a few milliseconds at most. */
static int watch(struct running *run, struct rt_err *err)
{
	int ret, timer, wait = SWEEP_MS;

	while (!rt_ending_came(run->ending) && !run->stopped) {
		ret = obey(run, err);
		if (!ret)
			ret = look_after_files(run, err);
		if (!ret)
			ret = rt_recording_sweep(&run->r, err);
		if (ret < 0)
			return ret;
		rt_status_update(&run->status, &run->r);
		if (rt_output_full(&run->output, &run->r)) {
			rt_status_hide(&run->status);
			rt_warning("record: %s has reached --max-size; the recording ends",
				   run->opt->recording.path);
			return 0;
		}
		wait = ret ? SWEEP_MS : wait < IDLE_MS / 2 ? 2 * wait : IDLE_MS;
		timer = rt_output_wait(&run->output);
		rt_ending_wait(run->ending, run->r.session.fd,
			       run->r.more		  ? 0 :
			       timer >= 0 && timer < wait ? timer :
							    wait);
	}
	return 0;
}

/* -D: everything is armed, nothing is recorded yet. */
static int hold(struct running *run, struct rt_err *err)
{
	struct timespec t;
	int64_t until, left;
	int ret;

	clock_gettime(CLOCK_MONOTONIC, &t);
	until = t.tv_sec * 1000LL + t.tv_nsec / 1000000 + run->opt->delay;
	for (left = run->opt->delay; left > 0 && !rt_ending_came(run->ending);
	     left = until - t.tv_sec * 1000LL - t.tv_nsec / 1000000) {
		ret = rt_recording_sweep(&run->r, err);
		if (ret < 0)
			return ret;
		rt_ending_wait(run->ending, -1, left < SWEEP_MS ? (int)left : SWEEP_MS);
		clock_gettime(CLOCK_MONOTONIC, &t);
	}
	return rt_ending_came(run->ending) ? 0 : rt_agent_session_start(&run->r.session, 0, err);
}

static int follow(struct rt_ending *ending, const struct rt_record_options *opt, struct rt_err *err)
{
	int ret = rt_ending_follow(ending, opt->targets.pids, false, err);

	return ret ? ret : rt_ending_follow(ending, opt->targets.tids, true, err);
}

/* Only some kernels lack the clock; INFO tells. */
static int check_clock(const struct rt_record_options *opt, const struct rt_recording *r,
		       struct rt_err *err)
{
	if (!opt->clock || r->session.info.clock == RT_CLOCK_MONOTONIC)
		return 0;
	return rt_err_set(err, EOPNOTSUPP,
			  "-k %s: on this kernel handlers cannot read that clock; leave out -k",
			  opt->clock);
}

/* --dry-run: the module has accepted everything; nothing was armed. */
static int tell_possible(const struct rt_record_options *opt, struct rt_recording *r)
{
	struct rt_err ignored;
	size_t count = r->count;

	rt_tell_left_out("record", &opt->list);
	rt_ending_detach();
	rt_recording_close(r, &ignored);
	if (!opt->quiet)
		fprintf(stderr, "[ ringtail: %zu event%s can be recorded; nothing was ]\n", count,
			count == 1 ? "" : "s");
	return 0;
}

static int run_to_end(struct running *run, bool command, struct rt_err *err)
{
	int ret = run->opt->delay > 0 ? hold(run, err) : 0;

	if (ret)
		return ret;
	rt_ending_limit(run->opt->duration);
	rt_tell_begun(run->opt, command);
	/* A command that writes to the same terminal would tear the line. */
	rt_status_begin(&run->status,
			run->opt->quiet || (command && isatty(STDOUT_FILENO)) ? NULL : stderr);
	ret = watch(run, err);
	rt_status_hide(&run->status);
	return ret;
}

static int record(struct rt_record_options *opt, struct rt_ending *ending, struct rt_workload *w,
		  const char *name, struct rt_err *err)
{
	struct running run = { .opt = opt, .ending = ending, .control = { -1, -1 } };
	struct rt_recording *r = &run.r;
	struct rt_summary summary;
	struct rt_err later;
	unsigned long long missing = 0;
	char several[512];
	const char *path;
	int ret, closed;
	bool began;

	if (opt->control) {
		ret = rt_control_open(&run.control, opt->control, err);
		if (ret)
			return ret;
		ending->also = run.control.commands;
	}
	ret = rt_recording_open(r, &opt->list, opt->filters, &opt->env, &opt->recording, err);
	if (ret) {
		rt_control_close(&run.control);
		return ret;
	}
	rt_ending_attach(&r->session, w->pid);
	if (opt->verbose)
		rt_tell_setup(opt, r);
	rt_summary_start(&summary);
	ret = check_clock(opt, r, err);
	if (!ret)
		ret = rt_target_options_apply(&opt->targets, &r->session, w->pid, err);
	/* A refusal is one line. */
	if (!ret)
		rt_tell_instead("record", r, &opt->list);
	if (!ret && opt->dry_run)
		return tell_possible(opt, r);
	if (!ret)
		ret = follow(ending, opt, err);
	if (!ret)
		ret = rt_recording_start(r, w->pid, opt->delay, err);
	rt_tell_left_out("record", &opt->list);
	rt_tell_perf("record", r);
	if (!ret && rt_ending_came(ending))
		ret = rt_err_set(err, EINTR, "ended before it had begun; nothing was recorded");
	if (!ret && w->pid)
		ret = rt_workload_go(w, name, err);
	if (!ret)
		ret = rt_recording_publish(r, err);
	rt_output_begin(&run.output, &opt->output, r);
	if (opt->output.switch_bytes)
		r->on_full = change_full;
	if (!ret)
		ret = run_to_end(&run, w->pid != 0, err);
	rt_ending_detach();
	ending->also = -1;
	rt_control_close(&run.control);
	if (!ret)
		ret = rt_recording_stop(r, err);
	else
		missing = rt_recording_give_up(r);
	if (missing)
		rt_err_prefix(err, ret, "%llu events are in no file", missing);
	if (!ret)
		rt_writer_flush(r->writer);
	if (!ret && rt_summary_take(&summary, r))
		ret = rt_err_set(err, ENOMEM, "out of memory");
	began = r->began;
	closed = rt_recording_close(r, &later);
	if (!ret && !closed)
		closed = rt_output_end(&run.output, &later);
	tell_undeleted(&run.output);
	path = run.output.last ? run.output.last : opt->recording.path;
	if (run.output.files > 1) {
		snprintf(several, sizeof(several), "%u files, the last is %s", run.output.files,
			 path);
		path = several;
	}
	if (!ret && !opt->quiet)
		rt_summary_print(&summary, path, stderr);
	if (!ret && !opt->quiet && run.output.files > 1)
		fprintf(stderr, "  %u files were written, %u are kept\n", run.output.files,
			run.output.count ? run.output.count : run.output.files);
	if (!ret && opt->verbose)
		rt_tell_done(&summary);
	if (!ret)
		rt_summary_free(&summary);
	rt_output_free(&run.output);
	/* The writer's message is better: it says how many events are missing from which file. */
	if (closed && (!ret || (began && ret == closed))) {
		*err = later;
		ret = closed;
	}
	return ret;
}

/* Record, with everything before and after it; *STATUS is that of the command. */
static int run(struct rt_record_options *opt, char **argv, int *status, struct rt_err *err)
{
	struct rt_workload workload = { 0 };
	struct rt_ending ending;
	int ret, how = 0;

	ret = rt_ending_prepare(&ending, opt->overwrite || opt->output.switches, err);
	if (ret)
		return ret;
	if (argv && !opt->dry_run)
		ret = rt_workload_prepare(&workload, argv, !strcmp(opt->recording.path, "-"), err);
	if (!ret)
		ret = record(opt, &ending, &workload, argv ? argv[0] : NULL, err);
	/*
	 * If the end of the recording terminated the command, that is not a failure of the command.
	 */
	if (rt_workload_ended(&workload, &how) && !rt_ending_asked())
		*status = WIFSIGNALED(how) ? RT_EXIT_SIGNAL + WTERMSIG(how) : WEXITSTATUS(how);
	rt_workload_end(&workload);
	rt_ending_free(&ending);
	return ret;
}

static int stalled(void)
{
	bool first;
	int ret = rt_ending_stalled(&first);

	if (first)
		fprintf(stderr,
			"[ ringtail: recording has ended; waiting for the program that reads "
			"the pipe to take the rest; Ctrl-C gives up ]\n");
	return ret;
}

int rt_cmd_record(int argc, char **argv)
{
	struct rt_record_options opt = {
		.recording = { .path = "perf.data",
			       .stalled = stalled,
			       .interrupted = rt_ending_asked,
			       .messages = stderr },
	};
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
	if (rt_kernel_env(&opt.env)) {
		free(words);
		return RT_EXIT_FAIL;
	}
	rt_debuginfod_show_on(isatty(STDERR_FILENO) ? stderr : NULL);

	left = rt_record_options_parse(&opt, argc, argv, &err);
	if (left == RT_OPTIONS_HELP) {
		ret = 0;
		goto out;
	}
	if (left < 0) {
		rt_error("record: %s", err.text);
		rt_err_point(&err);
		rt_record_options_free(&opt);
		free(words);
		return RT_EXIT_USAGE;
	}
	argv[left] = NULL;
	ret = run(&opt, left ? argv : NULL, &status, &err);
	if (ret)
		rt_error("record: %s", err.text);
out:
	rt_record_options_free(&opt);
	free(words);
	return ret ? RT_EXIT_FAIL : status;
}
