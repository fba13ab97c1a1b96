// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "browse/browse.h"
#include "browse/screen.h"
#include "cli/message.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "cmd/command.h"
#include "cmd/input.h"
#include "cmd/nothing.h"
#include "cmd/report_html.h"
#include "cmd/report_options.h"
#include "cmd/script_losses.h"
#include "report/losses.h"
#include "report/tasks.h"
#include "report/thread_counts.h"

/* What to do with records other than samples. */
struct others {
	const struct rt_reader *reader;
	bool features, full;		/* print what is in the header of a file */
	struct rt_thread_counts counts; /* of -T */
	bool counting;
};

/* A pipe has records for what the header of a file holds. */
static void show_feature(const struct others *o, const struct rt_perf_record *rec)
{
	const struct rt_perf_record_feature *f = (const void *)rec->hdr;

	if (rec->hdr->type == RT_PERF_RECORD_HEADER_FEATURE && rec->hdr->size > sizeof(*f) &&
	    f->feature < RT_FEATURE_COUNT &&
	    rt_env_has(rt_reader_env(o->reader), (unsigned int)f->feature))
		rt_header_print_feature(o->reader, (unsigned int)f->feature, o->full, stdout);
}

static void on_other(void *arg, const struct rt_perf_record *rec)
{
	struct others *o = arg;

	if (o->features)
		show_feature(o, rec);
	if (o->counting)
		rt_thread_counts_take(&o->counts, rec);
}

static const char *other_filter(const struct rt_report_asked *a)
{
	return a->report.socket	     ? "--socket-filter" :
	       a->report.symbol_part ? "--symbol-filter" :
	       a->percent_limit	     ? "--percent-limit" :
	       a->report.switch_on   ? "--switch-on" :
				       NULL;
}

static int show(struct rt_report_asked *a, struct rt_profile *profile, struct others *others)
{
	struct rt_err err = { "" };
	const struct rt_reader_stats *stats = rt_reader_stats(rt_profile_reader(profile));
	struct rt_report report;
	int read, ret = 0;
	bool empty;

	ret = rt_report_open(&report, &a->report, profile, &err);
	if (ret) {
		rt_err_print(&err);
		rt_report_close(&report);
		return RT_EXIT_USAGE;
	}
	read = a->tasks ? rt_tasks_print(&report, stdout, &err) : rt_report_read(&report, &err);
	if (read)
		rt_err_print(&err);
	/* What was read before the damage is worth a table. */
	if (a->tasks)
		ret = 0;
	else if (a->stats)
		ret = rt_report_stats(&report, stdout);
	else if (!read && !stats->by_type[RT_PERF_RECORD_SAMPLE])
		rt_error("%s has no samples: no event occurred while it was recorded",
			 rt_reader_path(rt_profile_reader(profile)));
	else
		ret = report.settled ? rt_report_print(&report, stdout, &err) : 0;
	empty = !ret && !read && !a->tasks && !a->stats && report.settled && !report.shown &&
		stats->by_type[RT_PERF_RECORD_SAMPLE];
	if (!ret && !read && others->counting)
		ret = rt_thread_counts_print(&others->counts, stdout, &err);
	if (fflush(stdout) || ferror(stdout))
		ret = -EPIPE;
	else if (ret)
		rt_err_print(&err);
	rt_report_close(&report);
	if (empty)
		rt_nothing_say(rt_profile_reader(profile),
			       &(struct rt_nothing_options){ .want = &a->want,
							     .symbols = a->symbols,
							     .objects = a->objects,
							     .other = other_filter(a) });
	if (ret != -EPIPE)
		rt_script_say_losses(rt_profile_reader(profile));
	return read || ret ? RT_EXIT_FAIL : RT_EXIT_OK;
}

/* The options that only text can show; NULL: none was given. */
static const char *text_option(const struct rt_report_asked *a)
{
	return a->header       ? "--header" :
	       a->header_only  ? "--header-only" :
	       a->stats	       ? "--stats" :
	       a->tasks	       ? "--tasks" :
	       a->threads      ? "-T" :
	       a->html	       ? "--html" :
	       a->separator    ? "-t" :
	       a->report.quiet ? "-q" :
				 NULL;
}

/* Whether to open the browser; negative: the options contradict each other. */
static int wants_browser(const struct rt_report_asked *a, struct rt_err *err)
{
	const char *text = a->stdio ? "--stdio" : text_option(a);

	if (a->tui && text)
		return rt_err_set(err, EINVAL,
				  "--tui and %s exclude each other; leave out one of them", text);
	return a->tui || (!text && isatty(STDOUT_FILENO) && rt_screen_possible());
}

static int browse(struct rt_browse_options *opt, struct rt_profile **profile)
{
	struct rt_err err = { "" };
	int ret = rt_browse(opt, profile, &err);

	if (ret)
		rt_err_print(&err);
	if (*profile) {
		rt_script_say_losses(rt_profile_reader(*profile));
		rt_symbols_print_missing(rt_profile_machine(*profile)->symbols, stderr);
	}
	return !ret ? RT_EXIT_OK : ret == -EINVAL ? RT_EXIT_USAGE : RT_EXIT_FAIL;
}

static int run(struct rt_report_asked *a)
{
	struct rt_browse_options browsing = {
		.profile = &a->profile,
		.report = &a->report,
		.path = a->input,
		.terminal = rt_terminal_stdout(),
	};
	struct rt_err err = { "" };
	struct others others;
	struct rt_profile *profile;
	struct rt_reader *reader;
	const char *warning;
	int ret, browser, status = RT_EXIT_OK;
	size_t i;

	browser = wants_browser(a, &err);
	if (browser < 0) {
		rt_err_print(&err);
		return RT_EXIT_USAGE;
	}
	if (browser)
		rt_browse_prepare(&browsing);
	a->profile.reader.header = a->header_only && !a->html;
	a->profile.progress = isatty(STDOUT_FILENO) ? NULL : stderr;
	ret = rt_profile_open(&a->profile, a->input, &profile, &err);
	if (ret) {
		rt_input_suggest(a->input, ret, &err);
		rt_err_print(&err);
		return RT_EXIT_FAIL;
	}
	reader = rt_profile_reader(profile);
	for (i = 0; (warning = rt_reader_warning(reader, i)); i++)
		rt_warning("%s", warning);
	if (a->html || browser) {
		status = browser ? browse(&browsing, &profile) : rt_report_html(a, profile);
		rt_profile_close(profile);
		return status;
	}
	if (a->header || a->header_only)
		rt_header_print(reader, a->full_info, stdout);
	else if (!a->report.quiet && !a->stats && !a->tasks)
		printf("# To display the perf.data header info, please use --header/--header-only options.\n#\n");
	others = (struct others){ .reader = reader,
				  .features = a->header && rt_reader_is_pipe(reader),
				  .full = a->full_info,
				  .counting = a->threads && !a->stats && !a->tasks };
	if (others.features || others.counting)
		rt_profile_on_record(profile, on_other, &others);
	if (!a->header_only) {
		status = show(a, profile, &others);
		rt_thread_counts_free(&others.counts);
		if (!a->report.quiet && !a->stats && !a->tasks)
			rt_symbols_print_missing(rt_profile_machine(profile)->symbols, stderr);
	}
	if (fflush(stdout))
		status = RT_EXIT_FAIL;
	rt_profile_close(profile);
	return status;
}

int rt_cmd_report(int argc, char **argv)
{
	struct rt_report_asked a;
	struct rt_err err = { "" };
	int ret, status;

	ret = rt_report_options(&a, argc, argv, &err);
	if (ret == RT_OPTIONS_HELP) {
		status = RT_EXIT_OK;
	} else if (ret) {
		rt_err_print(&err);
		status = RT_EXIT_USAGE;
	} else {
		status = run(&a);
	}
	rt_report_options_free(&a);
	return status;
}
