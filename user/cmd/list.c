// SPDX-License-Identifier: GPL-2.0
/* list - name the events of this machine, and the markers (USDT) of programs and libraries. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/message.h"
#include "cli/options.h"
#include "cmd/command.h"
#include "cmd/list_events.h"
#include "record/user_markers.h"

static const struct rt_usage usage = {
	.command = "list",
	.line = "[OPTIONS] [KIND|GLOB|WORD…] | sdt PATH…",
	.about = "List the events of this machine with their kind, as 'record -e' takes them.",
	.more = "A KIND is hw, sw, cache, pmu, tracepoint, probe (defined in tracefs) or mem.  A GLOB\n"
		"such as 'sched:*' matches the whole name, a WORD a part of it.\n"
		"With 'sdt': one line for each place of a marker (USDT) of these files: the event, then\n"
		"its arguments as the file describes them. For the files of a container put\n"
		"/proc/PID/root before the path.",
};

struct listing {
	const char *path;
	size_t count;
};

static int print_marker(void *arg, const struct rt_user_marker *marker)
{
	struct listing *listing = arg;

	listing->count++;
	printf("usdt:%s:%s:%s%s%s\n", listing->path, marker->provider, marker->name,
	       *marker->args ? "  " : "", marker->args);
	return 0;
}

static int list_markers(const char *path)
{
	struct listing listing = { .path = path };
	struct rt_err err;

	if (rt_user_markers(path, print_marker, &listing, &err)) {
		rt_error("list: %s", err.text);
		return RT_EXIT_FAIL;
	}
	if (!listing.count)
		rt_warning("list: %s has no markers (no section .note.stapsdt)", path);
	return RT_EXIT_OK;
}

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
	int i, left, status = RT_EXIT_OK;
	struct rt_err err;

	left = rt_options_parse(options, &usage, argc, argv, 0, &err);
	if (left == RT_OPTIONS_HELP)
		return RT_EXIT_OK;
	if (left == 1 && !strcmp(argv[0], "sdt"))
		left = rt_err_set(&err, EINVAL,
				  "of which file? name programs or libraries: list sdt PATH…");
	if (left < 0) {
		rt_error("list: %s", err.text);
		return RT_EXIT_USAGE;
	}
	if (left == 0 || strcmp(argv[0], "sdt")) {
		if (!rt_list_events(argv, left, &opt, &err))
			return RT_EXIT_OK;
		rt_error("list: %s", err.text);
		return RT_EXIT_FAIL;
	}
	for (i = 1; i < left; i++)
		if (list_markers(argv[i]))
			status = RT_EXIT_FAIL;
	return status;
}
