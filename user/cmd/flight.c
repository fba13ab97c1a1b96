// SPDX-License-Identifier: GPL-2.0
/*
 * flight - the recorder that is still there after the crash.
 */
#include <stdio.h>
#include <string.h>

#include "cli/message.h"
#include "cmd/command.h"
#include "cmd/flight.h"

static const struct {
	const char *name, *line, *about;
	int (*run)(int argc, char **argv);
} commands[] = {
	{ "start", "[NAME] -e EVENT | --preset crash", "record until 'flight stop', whatever ends",
	  rt_flight_cmd_start },
	{ "status", "", "list the flights that run", rt_flight_cmd_status },
	{ "snapshot", "[NAME] [-o FILE]", "write what a flight holds; it goes on",
	  rt_flight_cmd_snapshot },
	{ "stop", "[NAME]", "end a flight", rt_flight_cmd_stop },
	{ "extract", "DUMP [-o FILE]", "write what a crashed machine's memory dump holds",
	  rt_flight_cmd_extract },
	{ "recover", "[-o FILE]", "write what the boot before a warm reboot left",
	  rt_flight_cmd_recover },
	{ "boot", "", "start the flights of 'flight start --boot'", rt_flight_cmd_boot },
};
enum { COMMANDS = sizeof(commands) / sizeof(commands[0]) };

static int help(void)
{
	size_t i;

	puts("usage: ringtail flight COMMAND …\n\n"
	     "A recorder in the kernel's memory that is still there after the crash.\n");
	for (i = 0; i < COMMANDS; i++)
		printf("  ringtail flight %-8s %-36s %s\n", commands[i].name, commands[i].line,
		       commands[i].about);
	puts("\n'ringtail flight COMMAND --help' has the options, 'man ringtail-flight' the rest.");
	return RT_EXIT_OK;
}

int rt_cmd_flight(int argc, char **argv)
{
	size_t i;

	for (i = 0; argc > 1 && i < COMMANDS; i++)
		if (!strcmp(argv[1], commands[i].name))
			return commands[i].run(argc - 1, argv + 1);
	if (argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")))
		return help();
	if (argc > 1)
		rt_error("flight: '%s' is not one of its commands: start, status, snapshot, stop, "
			 "extract, recover, boot",
			 argv[1]);
	else
		rt_error(
			"flight needs a command: start, status, snapshot, stop, extract, recover or boot");
	return RT_EXIT_USAGE;
}
