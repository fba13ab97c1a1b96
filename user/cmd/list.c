// SPDX-License-Identifier: GPL-2.0
/* list - name the events of this machine, and the markers (USDT) of programs and libraries. */
#include <string.h>

#include "cli/message.h"
#include "cli/options.h"
#include "cmd/command.h"
#include "cmd/list_events.h"
#include "cmd/list_markers.h"

static const struct rt_usage usage = {
	.command = "list",
	.line = "[OPTIONS] [KIND|GLOB|WORD…] | sdt [PATH…]",
	.about = "List the events of this machine with their kind, as 'record -e' takes them.",
	.more = "A KIND is hw, sw, cache, pmu, tracepoint, probe (kept by\n"
		"'ringtail probe' or defined in tracefs) or mem.  A GLOB\n"
		"such as 'sched:*' matches the whole name, a WORD a part of it.\n"
		"With 'sdt': one line for each place of a marker (USDT) of these files: the event, then\n"
		"its arguments as the file describes them. Without a PATH: of the libraries in the usual\n"
		"directories, the programs in PATH, and the files that processes run. For the files of\n"
		"a container put /proc/PID/root before the path.",
};

int rt_cmd_list(int argc, char **argv)
{
	struct rt_list_options opt = { false };
	const struct rt_option options[] = {
		RT_OPTION_SWITCH('v', "verbose", &opt.verbose,
				 "also print fields, types, print formats, and how each event "
				 "would be recorded here"),
		RT_OPTION_SWITCH('j', "json", &opt.json, "print one JSON array"),
		RT_OPTION_END,
	};
	struct rt_err err;
	int left;

	left = rt_options_parse(options, &usage, argc, argv, 0, &err);
	if (left == RT_OPTIONS_HELP)
		return RT_EXIT_OK;
	if (left < 0) {
		rt_error("list: %s", err.text);
		return RT_EXIT_USAGE;
	}
	if (left > 0 && !strcmp(argv[0], "sdt"))
		return rt_list_markers(argv + 1, left - 1);
	if (!rt_list_events(argv, left, &opt, &err))
		return RT_EXIT_OK;
	rt_error("list: %s", err.text);
	return RT_EXIT_FAIL;
}
