// SPDX-License-Identifier: GPL-2.0
/* diff - compare recordings. */
#include <errno.h>
#include <inttypes.h>
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
#include "report/diff_print.h"

#define FILES_MAX 32

struct asked {
	struct rt_diff_options diff;
	struct rt_report_options report;   /* each file gets a copy */
	struct rt_profile_options profile; /* the same */
	struct rt_selection_text want;
	const char *compute, *symbols, *objects, *separator, *percentage;
	bool force, demangle;
};

/* One file and everything that was opened for it. */
struct input {
	struct rt_profile_options profile_options;
	struct rt_report_options report_options;
	struct rt_profile *profile;
	bool opened; /* the report */
};

static const char more[] =
	"For -c: delta-abs (default) and delta print the change of the percentage, ratio the new\n"
	"  period divided by the old one, wdiff:OLD,NEW the difference of the weighted periods.\n"
	"\n"
	"Without files, perf.data.old and perf.data are compared; with one, perf.data.old and it.\n"
	"\n"
	"Examples:\n"
	"  ringtail diff before.data after.data\n"
	"  ringtail diff -c ratio -s comm,dso before.data after.data";

static const struct rt_perf_lacks lacks[] = {
	{ "dump-raw-trace", "D", "'ringtail script -D' prints every record" },
	{ "verbose", "v", "what it adds is in the columns: --formula, --period" },
	{ "modules", "m", "it looks for the symbols of modules in any case" },
	{ "cycles-hist", "", "it does not compare cycles of blocks of code" },
	{ "stream", "", "it compares lines, and not streams of branches" },
	{ NULL, NULL, NULL },
};

static const struct rt_usage usage = {
	.command = "diff",
	.line = "[OPTIONS] [OLD [NEW…]]",
	.about =
		"Compare recordings: the share of each function in the first one, and its change in the others.",
	.more = more,
	.perf_lacks = lacks,
};

static int parse(struct asked *a, int argc, char **argv, struct rt_err *err)
{
	struct rt_diff_options *d = &a->diff;
	struct rt_symbols_options *s = &a->profile.symbols;
	const struct rt_option options[] = {
		RT_OPTION_GROUP("Lines and columns"),
		RT_OPTION_STRING('c', "compute", &a->compute, "WHAT", "what to compute; see below"),
		RT_OPTION_STRING('s', "sort", &a->report.sort, "KEY,…",
				 "one line for each value of these keys (default dso,symbol)"),
		RT_OPTION_UINT('o', "order", &d->order, "N",
			       "sort by the values of file N (default 1); 0: by the baseline"),
		RT_OPTION_SWITCH('b', "baseline-only", &d->baseline_only,
				 "only what the first file and another one have"),
		RT_OPTION_SWITCH('p', "period", &d->show_period, "print the periods"),
		RT_OPTION_SWITCH('F', "formula", &d->show_formula, "print how values are computed"),
		RT_OPTION_STRING('t', "field-separator", &a->separator, "CHAR",
				 "separate columns with this character"),
		RT_OPTION_STRING(0, "percentage", &a->percentage, "relative|absolute",
				 "percentages of the samples that the filters keep, or of all"),
		RT_OPTION_SWITCH(0, "compat", &a->report.compat,
				 "print exactly what perf 6.1 prints"),
		RT_OPTION_GROUP("Which samples"),
		RT_OPTIONS_SELECTION(&a->want, 0, 'C'),
		RT_OPTION_STRING('d', "dsos", &a->objects, "NAME,…",
				 "only samples taken in these objects"),
		RT_OPTION_STRING('S', "symbols", &a->symbols, "SYMBOL,…",
				 "only samples taken in these functions"),
		RT_OPTION_GROUP("Other"),
		RT_OPTIONS_SYMBOL_FILES(s),
		RT_OPTION_FORCE(&a->force),
		RT_OPTION_SWITCH('q', "quiet", &d->quiet, "print only the lines of the tables"),
		RT_OPTION_END,
	};

	return rt_options_parse(options, &usage, argc, argv, 0, err);
}

static int settle_compute(struct rt_diff_options *d, const char *text, struct rt_err *err)
{
	char rest;

	if (!text || !strcmp(text, "delta-abs"))
		d->compute = RT_DIFF_DELTA_ABS;
	else if (!strcmp(text, "delta"))
		d->compute = RT_DIFF_DELTA;
	else if (!strcmp(text, "ratio"))
		d->compute = RT_DIFF_RATIO;
	else if (sscanf(text, "wdiff:%" SCNd64 ",%" SCNd64 "%c", &d->weight_old, &d->weight_new,
			&rest) == 2 &&
		 d->weight_old && d->weight_new)
		d->compute = RT_DIFF_WEIGHTED;
	else
		return rt_err_set(
			err, EINVAL,
			"-c: '%.40s' is unknown; use delta-abs, delta, ratio or wdiff:1,2", text);
	return 0;
}

static int settle(struct asked *a, struct rt_err *err)
{
	struct rt_report_options *r = &a->report;
	int ret;

	ret = settle_compute(&a->diff, a->compute, err);
	if (ret)
		return ret;
	if (a->separator && (strlen(a->separator) != 1 || a->separator[0] == '.'))
		return rt_err_set(err, EINVAL, "-t takes one character, and not '.': '%.40s'",
				  a->separator);
	r->separator = a->separator ? a->separator[0] : 0;
	if (a->percentage && !strcmp(a->percentage, "relative"))
		r->relative = true;
	else if (a->percentage && strcmp(a->percentage, "absolute"))
		return rt_err_set(err, EINVAL,
				  "--percentage: '%.40s' is neither relative nor absolute",
				  a->percentage);
	if (!r->sort)
		r->sort = "dso,sym";
	r->no_branches = true; /* perf compares samples as well */
	a->profile.time = a->want.time;
	a->profile.no_stacks = a->profile.keep_filtered = true;
	a->profile.stack.max = RT_FRAMES_DEFAULT;
	a->profile.stack.compat = a->profile.symbols.perf_only = r->compat;
	if (!ret && a->symbols)
		ret = rt_names_parse(&r->symbols, a->symbols, err);
	if (!ret && a->objects)
		ret = rt_names_parse(&r->objects, a->objects, err);
	return ret;
}

static int open_input(const struct asked *a, const char *path, struct input *in,
		      struct rt_diff_file *file, struct rt_err *err)
{
	int ret;

	in->profile_options = a->profile;
	in->report_options = a->report;
	in->report_options.comms = &in->profile_options.want.comms;
	file->name = path;
	ret = rt_selection_parse(&in->profile_options.want, &a->want, err);
	if (!ret) {
		ret = rt_profile_open(&in->profile_options, path, &in->profile, err);
		if (ret == -ENOENT && access(path, F_OK))
			rt_err_set(
				err, ENOENT,
				"cannot open %s: no such file; name the recordings: ringtail diff "
				"OLD NEW (default perf.data.old and perf.data)",
				path);
	}
	if (!ret) {
		in->opened = true;
		ret = rt_report_open(&file->report, &in->report_options, in->profile, err);
	}
	if (!ret)
		ret = rt_report_read(&file->report, err);
	if (!ret && !a->diff.quiet)
		rt_script_say_losses(rt_profile_reader(in->profile));
	return ret;
}

/* Recordings that have nothing to compare, or nothing that was asked for. */
static void say_empty(const struct asked *a, const struct rt_diff_file *files, size_t count)
{
	const struct rt_perf_events *events = rt_reader_events(files[0].report.reader), *others;
	size_t i;

	for (i = 1; i < count; i++) {
		others = rt_reader_events(files[i].report.reader);
		if (!files[i].matched && events->count && others->count)
			rt_warning(
				"nothing is compared: %s has '%s', and %s has '%s'; record the same "
				"events",
				files[0].name, rt_perf_event_name(events->list[0]), files[i].name,
				rt_perf_event_name(others->list[0]));
	}
	if (!files[0].shown)
		rt_nothing_say(files[0].report.reader,
			       &(struct rt_nothing_options){ .want = &a->want,
							     .symbols = a->symbols,
							     .objects = a->objects });
}

static int run(struct asked *a, const char **paths, size_t count, struct rt_err *err)
{
	struct rt_diff_file *files = calloc(count, sizeof(*files));
	struct input *in = calloc(count, sizeof(*in));
	size_t i;
	int ret = files && in ? 0 : rt_err_set(err, ENOMEM, "out of memory");

	for (i = 0; !ret && i < count; i++)
		ret = open_input(a, paths[i], &in[i], &files[i], err);
	if (!ret)
		ret = rt_diff_print(&a->diff, files, count, stdout, err);
	if (!ret && fflush(stdout))
		ret = rt_err_set(err, errno, "cannot write the output: %s", strerror(errno));
	if (!ret)
		say_empty(a, files, count);
	for (i = 0; files && in && i < count; i++) {
		if (in[i].opened)
			rt_report_close(&files[i].report);
		if (in[i].profile)
			rt_profile_close(in[i].profile);
		rt_selection_free(&in[i].profile_options.want);
	}
	free(files);
	free(in);
	return ret;
}

int rt_cmd_diff(int argc, char **argv)
{
	const char *paths[FILES_MAX] = { "perf.data.old", "perf.data" };
	struct rt_err err = { "" };
	struct asked a;
	size_t count = 2;
	int ret, i, status = RT_EXIT_USAGE;

	memset(&a, 0, sizeof(a));
	a.diff.order = 1;
	ret = parse(&a, argc, argv, &err);
	if (ret == RT_OPTIONS_HELP)
		return RT_EXIT_OK;
	if (ret > FILES_MAX)
		ret = rt_err_set(&err, EINVAL, "diff compares at most %d files", FILES_MAX);
	if (ret == 1) {
		paths[1] = argv[0];
	} else if (ret > 1) {
		for (i = 0; i < ret; i++)
			paths[i] = argv[i];
		count = (size_t)ret;
	}
	if (ret >= 0)
		ret = settle(&a, &err);
	if (!ret && a.diff.order >= count)
		ret = rt_err_set(&err, EINVAL,
				 "-o %u: there are %zu recordings; 0 is the first, %zu the last",
				 a.diff.order, count, count - 1);
	if (!ret) {
		status = RT_EXIT_FAIL;
		ret = run(&a, paths, count, &err);
	}
	if (ret)
		rt_err_print(&err);
	rt_names_free(&a.report.symbols);
	rt_names_free(&a.report.objects);
	return ret ? status : RT_EXIT_OK;
}
