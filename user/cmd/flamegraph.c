// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/message.h"
#include "cli/options.h"
#include "cmd/command.h"
#include "cmd/input.h"
#include "cmd/nothing.h"
#include "cmd/reading_options.h"
#include "cmd/script_losses.h"
#include "draw/caption.h"
#include "draw/collect.h"
#include "draw/folded.h"
#include "draw/svg.h"

#define DEFAULT_OUTPUT "flamegraph.svg"
#define WIDTH_MIN      300
#define WIDTH_MAX      20000

struct asked {
	struct rt_selection_text select;
	struct rt_profile_options profile, before;
	struct rt_collect_how how;
	struct rt_flame_picture picture;
	const char *input, *diff, *output, *by, *title, *min_width;
	bool folded, off_cpu, period, quiet, force, demangle;
};

/* What was drawn, for the texts of the picture. */
struct drawing {
	struct rt_flame flame;
	struct rt_collect_stats now, before;
	struct rt_caption caption;
	bool damaged;
	bool stackless; /* no event has stacks */
};

static const char more[] =
	"Examples:\n"
	"  ringtail flamegraph                          draw perf.data as flamegraph.svg\n"
	"  ringtail flamegraph -e cycles --by cpu       one event, a tower for each CPU\n"
	"  ringtail flamegraph --diff old.data          what became more (red) and less (blue)\n"
	"  ringtail record -a -g -e sched:sched_switch -- sleep 10\n"
	"  ringtail flamegraph --off-cpu                where tasks waited, and for how long\n"
	"  ringtail flamegraph --folded | sort -k2 -n   for other tools";

static const struct rt_usage usage = {
	.command = "flamegraph",
	.line = "[OPTIONS]",
	.about =
		"Draw the stacks of a recording as a flame graph: one SVG file that any browser opens, "
		"with zoom, search and keys, and that needs no network.",
	.more = more,
};

static int parse(struct asked *a, int argc, char **argv, struct rt_err *err)
{
	const struct rt_option options[] = {
		RT_OPTION_GROUP("Input"),
		RT_OPTION_INPUT(&a->input),
		RT_OPTION_STRING(0, "diff", &a->diff, "FILE",
				 "compare with this earlier recording and draw the differences"),
		RT_OPTION_FORCE(&a->force),
		RT_OPTION_GROUP("What to draw"),
		RT_OPTION_STRING(
			0, "by", &a->by, "LIST",
			"stand the stacks on these, in this order: event, comm, pid, tid, cpu (default comm; event,comm if there are several events)"),
		RT_OPTION_SWITCH(
			0, "off-cpu", &a->off_cpu,
			"draw how long tasks did not run, from the sched:sched_switch events"),
		RT_OPTION_SWITCH(0, "period", &a->period,
				 "weigh samples by their period (default: each counts one)"),
		RT_OPTION_UINT(0, "max-stack", &a->profile.stack.max, "N",
			       "draw at most N frames of a stack (default 127)"),
		RT_OPTION_SWITCH(0, "inline", &a->profile.all_inlines,
				 "draw inlined functions in every stack (default: in unwound ones)"),
		RT_OPTION_DEMANGLE(&a->demangle),
		RT_OPTION_GROUP("Output"),
		RT_OPTION_STRING(
			'o', "output", &a->output, "FILE",
			"write this file; - is standard output (default flamegraph.svg if standard output is a terminal)"),
		RT_OPTION_SWITCH(0, "folded", &a->folded,
				 "print one line per stack, \"comm;outer;inner COUNT\", no picture"),
		RT_OPTION_SWITCH(0, "icicle", &a->picture.icicle,
				 "draw the outermost frames on top"),
		RT_OPTION_STRING(0, "title", &a->title, "TEXT", "the title of the picture"),
		RT_OPTION_UINT(
			0, "width", &a->picture.width, "PIXELS",
			"the width without a browser, which fits it to its window (default 1200)"),
		RT_OPTION_STRING(0, "min-width", &a->min_width, "PIXELS",
				 "leave out narrower frames (default 0.3)"),
		RT_OPTION_GROUP("Which samples to draw"),
		RT_OPTION_STRING('e', "event", &a->how.event, "EVENT",
				 "only samples of this event"),
		RT_OPTIONS_SELECTION(&a->select, 'C', 'c'),
		RT_OPTION_GROUP("Where symbols come from"),
		RT_OPTION_VMLINUX(&a->profile.symbols),
		RT_OPTIONS_SYMBOL_FILES(&a->profile.symbols),
		RT_OPTION_GROUP("Other"),
		RT_OPTION_SWITCH('q', "quiet", &a->quiet, "print no summary"),
		RT_OPTION_END,
	};

	return rt_options_parse(options, &usage, argc, argv, 0, err);
}

static int settle_picture(struct asked *a, struct rt_err *err)
{
	char *end;

	if (a->picture.width < WIDTH_MIN || a->picture.width > WIDTH_MAX)
		return rt_err_set(err, EINVAL, "--width %u: choose from %u to %u pixels",
				  a->picture.width, WIDTH_MIN, WIDTH_MAX);
	a->picture.min_width = 0.3;
	if (!a->min_width)
		return 0;
	a->picture.min_width = strtod(a->min_width, &end);
	if (end == a->min_width || *end || !(a->picture.min_width >= 0) ||
	    a->picture.min_width > a->picture.width)
		return rt_err_set(err, EINVAL,
				  "--min-width %s: give a number of pixels, such as 0.5",
				  a->min_width);
	return 0;
}

/* Check and apply the options that depend on each other. */
static int settle(struct asked *a, int words, char **argv, struct rt_err *err)
{
	int ret;

	if (words > 0)
		return rt_input_word(argv[0], err);
	if (a->folded && (a->picture.icicle || a->title || a->min_width))
		return rt_err_set(err, EINVAL, "--folded draws no picture: leave out %s",
				  a->picture.icicle ? "--icicle" :
				  a->title	    ? "--title" :
						      "--min-width");
	if (a->off_cpu && a->period)
		return rt_err_set(err, EINVAL, "--off-cpu and --period do not go together");
	if (a->off_cpu && a->select.cpus)
		return rt_err_set(err, EINVAL,
				  "--off-cpu and --cpu do not go together: "
				  "a task may return on another CPU");
	if (a->off_cpu && a->how.event)
		return rt_err_set(err, EINVAL,
				  "--off-cpu and --event do not go together: "
				  "--off-cpu takes sched:sched_switch");
	a->how.weight = a->off_cpu ? RT_COLLECT_OFF_CPU :
			a->period  ? RT_COLLECT_PERIOD :
				     RT_COLLECT_SAMPLES;
	a->picture.unit = a->off_cpu ? RT_FLAME_NANOSECONDS : RT_FLAME_COUNT;
	a->picture.unit_name = a->period ? "periods" : "samples";
	a->picture.differential = a->diff;
	a->profile.symbols.no_demangle = !a->demangle;
	a->profile.keep_filtered = a->off_cpu;
	a->profile.progress = stderr;
	a->profile.time = a->select.time;
	ret = settle_picture(a, err);
	if (!ret && a->by)
		ret = rt_collect_levels(&a->how, a->by, err);
	if (!ret)
		ret = rt_selection_parse(&a->profile.want, &a->select, err);
	return ret;
}

/* Without --by: tasks; with several events to draw, tasks of each event. */
static void default_levels(struct asked *a, const struct rt_perf_events *events)
{
	if (a->by)
		return;
	a->how.level_count = 0;
	if (rt_perf_events_sampled(events) > 1 && !a->how.event && !a->off_cpu)
		a->how.levels[a->how.level_count++] = RT_COLLECT_EVENT;
	a->how.levels[a->how.level_count++] = RT_COLLECT_COMM;
}

static int check_event(const struct asked *a, const struct rt_reader *reader, struct rt_err *err)
{
	const struct rt_perf_events *events = rt_reader_events(reader);

	/* A pipe announces its events later. */
	if (!a->how.event || rt_reader_is_pipe(reader) || rt_perf_events_find(events, a->how.event))
		return 0;
	return rt_err_set(err, ENOENT, "%s has no event '%s'; 'ringtail evlist -i %s' lists them",
			  rt_reader_path(reader), a->how.event, rt_reader_path(reader));
}

static void say_warnings(const struct rt_reader *reader)
{
	const char *warning;
	size_t i;

	for (i = 0; (warning = rt_reader_warning(reader, i)); i++)
		rt_warning("%s", warning);
}

static void describe(const struct asked *a, struct drawing *d, const struct rt_reader *reader)
{
	struct rt_caption *c = &d->caption;

	if (a->title)
		rt_text_str(&c->title, a->title);
	else if (a->off_cpu)
		rt_text_lit(&c->title, "off-CPU time");
	else if (a->how.event)
		rt_text_str(&c->title, a->how.event);
	else
		rt_caption_events(c, reader);
	if (!a->title && a->diff)
		rt_text_printf(&c->title, ": %s compared with %s", rt_reader_path(reader), a->diff);
	rt_caption_machine(c, reader);
	rt_caption_amount(c, &d->now, a->off_cpu ? "waits" : "samples");
}

/* Read one recording into one side of the tree. */
static int collect(struct asked *a, struct drawing *d, int side, struct rt_err *err)
{
	const char *path = side == RT_FLAME_BEFORE ? a->diff : a->input;
	struct rt_profile_options *opt = side == RT_FLAME_BEFORE ? &a->before : &a->profile;
	struct rt_collect_stats *stats = side == RT_FLAME_BEFORE ? &d->before : &d->now;
	struct rt_profile *profile;
	struct rt_reader *reader;
	int ret;

	ret = rt_profile_open(opt, path, &profile, err);
	if (ret)
		return rt_input_suggest(path, ret, err);
	reader = rt_profile_reader(profile);
	say_warnings(reader);
	ret = check_event(a, reader, err);
	if (!ret) {
		if (side == RT_FLAME_NOW)
			default_levels(a, rt_reader_events(reader));
		ret = rt_collect(profile, &a->how, &d->flame, side, stats, err);
		/* Draw what came before the damage. */
		if (ret && ret != -ENOMEM && stats->samples) {
			rt_err_print(err);
			d->damaged = true;
			ret = 0;
		}
		rt_script_say_losses(reader);
		rt_caption_losses(&d->caption, reader, d->damaged);
	}
	if (!ret && !stats->samples && !a->off_cpu) {
		rt_nothing_explain(reader,
				   &(struct rt_nothing_options){ .want = &a->select,
								 .other = a->how.event ? "-e" :
											 NULL },
				   err);
		ret = -ENODATA;
	}
	if (!ret && !stats->samples)
		ret = rt_err_set(
			err, ENODATA,
			!stats->switches ?
				"%s has no sched:sched_switch events; record them with "
				"'ringtail record -a -g -e sched:sched_switch'" :
				"%s shows no task that left its CPU and returned; record all "
				"tasks with 'ringtail record -a -g -e sched:sched_switch'",
			rt_reader_path(reader));
	if (!ret && side == RT_FLAME_NOW)
		describe(a, d, reader);
	if (!ret && !a->off_cpu && side == RT_FLAME_NOW)
		d->stackless = rt_nothing_of_stacks(reader, a->how.event);
	rt_profile_close(profile);
	return ret;
}

static int write_out(const struct asked *a, const struct rt_text *out, struct rt_err *err)
{
	const char *path = a->output;
	int ret;

	if (!path)
		path = a->folded || !isatty(STDOUT_FILENO) ? "-" : DEFAULT_OUTPUT;
	if (!strcmp(path, "-"))
		ret = rt_text_write(out, STDOUT_FILENO);
	else
		ret = rt_file_write(path, out->base, out->len);
	if (ret == -EPIPE)
		return ret; /* the reader of the output is gone: print nothing */
	if (ret)
		return rt_err_set(err, -ret, "cannot write %s: %s",
				  strcmp(path, "-") ? path : "the output", strerror(-ret));
	if (!a->quiet && strcmp(path, "-"))
		fprintf(stderr, "wrote %s\n", path);
	return 0;
}

static int draw(struct asked *a, struct drawing *d, struct rt_err *err)
{
	struct rt_text out;
	int ret;

	if (!rt_caption_end(&d->caption))
		return rt_err_set(err, ENOMEM, "out of memory");
	a->picture.title = d->caption.title.base;
	a->picture.subtitle = d->caption.subtitle.base;
	a->picture.warning = d->caption.warning.len ? d->caption.warning.base : NULL;
	rt_flame_finish(&d->flame);
	rt_text_init(&out);
	if (a->folded)
		rt_flame_folded(&d->flame, a->diff, &out);
	else
		rt_flame_svg(&d->flame, &a->picture, &out);
	if (out.failed)
		ret = rt_err_set(err, ENOMEM, "out of memory");
	else
		ret = write_out(a, &out, err);
	if (!ret && d->stackless)
		rt_warning(
			"%s was recorded without stacks: each sample is only the function it was "
			"taken in; record with -g",
			a->input ? a->input : "perf.data");
	rt_text_free(&out);
	return ret;
}

static int run(struct asked *a, struct drawing *d, struct rt_err *err)
{
	int ret;

	a->before = a->profile;
	rt_flame_init(&d->flame);
	ret = collect(a, d, RT_FLAME_NOW, err);
	if (!ret && a->diff) {
		ret = collect(a, d, RT_FLAME_BEFORE, err);
		rt_text_lit(&d->caption.subtitle, ", before:");
		rt_caption_amount(&d->caption, &d->before, "samples");
	}
	if (!ret && a->off_cpu && d->now.unknown_waits && !a->quiet)
		rt_warning("%llu waits are not drawn: their end was not recorded",
			   (unsigned long long)d->now.unknown_waits);
	return ret ? ret : draw(a, d, err);
}

int rt_cmd_flamegraph(int argc, char **argv)
{
	struct asked a;
	struct drawing d;
	struct rt_err err = { "" };
	int ret, status = RT_EXIT_USAGE;

	memset(&a, 0, sizeof(a));
	memset(&d, 0, sizeof(d));
	a.profile.stack.max = RT_FRAMES_DEFAULT;
	a.picture.width = 1200;
	a.demangle = true;
	ret = parse(&a, argc, argv, &err);
	if (ret == RT_OPTIONS_HELP)
		return RT_EXIT_OK;
	if (ret >= 0)
		ret = settle(&a, ret, argv, &err);
	if (!ret) {
		ret = run(&a, &d, &err);
		status = RT_EXIT_FAIL;
	}
	if (ret && *err.text)
		rt_err_print(&err);
	rt_flame_free(&d.flame);
	rt_caption_free(&d.caption);
	rt_selection_free(&a.profile.want);
	rt_timespans_free(&a.before.want.times);
	if (ret)
		return status;
	return d.damaged ? RT_EXIT_FAIL : RT_EXIT_OK;
}
