// SPDX-License-Identifier: GPL-2.0
#include "cmd/command.h"

#include <stddef.h>
#include <string.h>

const struct rt_command rt_commands[] = {
	{ "buildid-list", "list the build-ids in a recording or of the kernel",
	  rt_cmd_buildid_list },
	{ "doctor", "say what works on this machine, and what is missing", rt_cmd_doctor },
	{ "evlist", "list the events of a perf.data file", rt_cmd_evlist },
	{ "help", "show the commands, or the help of one", rt_cmd_help },
	{ "record", "record events of the kernel into a file that perf opens", rt_cmd_record },
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
