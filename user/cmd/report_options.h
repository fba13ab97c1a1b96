/* SPDX-License-Identifier: GPL-2.0 */
/* report_options.h - the command line of `ringtail report`. */
#ifndef RT_CMD_REPORT_OPTIONS_H
#define RT_CMD_REPORT_OPTIONS_H

#include "profile/profile.h"
#include "report/report.h"

struct rt_report_asked {
	struct rt_profile_options profile;
	struct rt_report_options report;
	struct rt_selection_text want;
	char *joined; /* -g with its value */
	const char *input, *symbols, *objects, *separator, *percent_limit, *percentage, *quantum,
		*html;
	bool header, header_only, full_info, force, demangle, children, inline_given;
	bool tasks, threads, order_given, graph_given, stdio, tui, inverted, skip_empty, stats;
};

/* 0, RT_OPTIONS_HELP, or a negative errno with the sentence. */
int rt_report_options(struct rt_report_asked *a, int argc, char **argv, struct rt_err *err);
void rt_report_options_free(struct rt_report_asked *a);

#endif
