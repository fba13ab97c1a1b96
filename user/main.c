// SPDX-License-Identifier: GPL-2.0
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cmd/command.h"

int main(int argc, char **argv)
{
	const struct rt_command *c;

	/* A write beyond the limit of the size of files shall fail as one to a full disk does. */
	signal(SIGXFSZ, SIG_IGN);
	if (argc < 2) {
		rt_cmd_help(1, argv);
		return RT_EXIT_USAGE;
	}
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-v")) {
		printf("ringtail %s\n", RT_VERSION);
		return RT_EXIT_OK;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		return rt_cmd_help(1, argv);

	c = rt_command_find(argv[1]);
	if (!c)
		return rt_command_unknown(argv[1]);
	return rt_command_run(c, argc - 1, argv + 1);
}
