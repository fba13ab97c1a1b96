// SPDX-License-Identifier: GPL-2.0
#include "cli/message.h"
#include "cmd/command.h"

#include <stdio.h>

static void list_commands(void)
{
	const struct rt_command *c;

	printf("usage: ringtail [--version] [--help] COMMAND [ARGS]\n\n");
	printf("ringtail traces the kernel through its own module and writes files that perf opens.\n\n");
	for (c = rt_commands; c->name; c++)
		printf("  %-14s %s\n", c->name, c->summary);
	printf("\n'ringtail COMMAND --help' explains one command; 'man ringtail' has the whole picture.\n");
}

int rt_cmd_help(int argc, char **argv)
{
	static char help_flag[] = "--help";
	const struct rt_command *c;
	char *args[3] = { NULL, help_flag, NULL };

	if (argc < 2 || argv[1][0] == '-') {
		list_commands();
		return RT_EXIT_OK;
	}
	if (argc > 2) {
		rt_error("help takes one command; '%s' is one too many", argv[2]);
		return RT_EXIT_USAGE;
	}
	c = rt_command_find(argv[1]);
	if (!c)
		return rt_command_unknown(argv[1]);
	if (c->run == rt_cmd_help) {
		list_commands();
		return RT_EXIT_OK;
	}
	args[0] = argv[1];
	return c->run(2, args);
}
