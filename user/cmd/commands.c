// SPDX-License-Identifier: GPL-2.0
#include "cmd/command.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/nearest.h"
#include "cli/message.h"
#include "cli/terminal.h"
#include "cmd/input.h"

const struct rt_command rt_commands[] = {
	{ "buildid-list", "list the build-ids in a recording or of the kernel",
	  rt_cmd_buildid_list },
	{ "data", "make a perf.data file of a raw recording", rt_cmd_data },
	{ "diff", "compare recordings: what takes more, what less", rt_cmd_diff },
	{ "doctor", "say what works on this machine, and what is missing", rt_cmd_doctor },
	{ "evlist", "list the events of a perf.data file", rt_cmd_evlist },
	{ "flamegraph", "draw the stacks of a recording as a flame graph", rt_cmd_flamegraph },
	{ "flight", "keep a recording in the kernel's memory, and read it there or in a crash dump",
	  rt_cmd_flight },
	{ "help", "show the commands, or the help of one", rt_cmd_help },
	{ "list", "list the events of this machine and the markers (USDT) of files", rt_cmd_list },
	{ "probe", "define probes by the names of functions and variables", rt_cmd_probe },
	{ "record", "record events of the kernel into a file that perf opens", rt_cmd_record },
	{ "report", "print tables of a recording, with call graphs", rt_cmd_report },
	{ "script", "print the events of a recording", rt_cmd_script },
	{ NULL, NULL, NULL },
};

const struct rt_command *rt_command_find(const char *name)
{
	const struct rt_command *c;

	for (c = rt_commands; c->name; c++)
		if (!strcmp(c->name, name))
			return c;
	return NULL;
}

int rt_command_run(const struct rt_command *c, int argc, char **argv)
{
	int status;

	rt_terminal_guard();
	rt_input_prepare();
	status = c->run(argc, argv);
	if (status != RT_EXIT_OK || !rt_memory_failed())
		return status;
	rt_error("out of memory: the result is not complete");
	return RT_EXIT_FAIL;
}

/* Commands that users of perf may try.  The message does not promise those that may come later. */
static bool is_perfs(const char *name)
{
	static const char *const names[] = { "annotate", "archive", "bench",  "buildid-cache",
					     "c2c",	 "config",  "ftrace", "inject",
					     "kmem",	 "kvm",	    "lock",   "mem",
					     "sched",	 "stat",    "test",   "timechart",
					     "top",	 "trace" };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

int rt_command_unknown(const char *name)
{
	const struct rt_command *c;
	struct rt_nearest near;
	char text[256];

	rt_nearest_begin(&near, name);
	for (c = rt_commands; c->name; c++)
		rt_nearest_offer(&near, c->name);
	if (is_perfs(name))
		rt_error("'%s' is a command of perf, which reads ringtail's files, too; "
			 "'ringtail help' lists ringtail's own",
			 name);
	else
		rt_error("'%s' is not a ringtail command; 'ringtail help' lists them%s", name,
			 rt_nearest_text(&near, text, sizeof(text)));
	return RT_EXIT_USAGE;
}
