/* SPDX-License-Identifier: GPL-2.0 */
/*
 * command.h - the table of commands.  A new command is one file in user/cmd/
 * and one line in commands.c.
 *
 * This folder: one file per command; only commands print and choose the exit status.  May use:
 * base, cli, host, arch, abi, uapi, agent, perfdata, perfdata/read, perfdata/text, symbols,
 * process, stack, profile, report, browse, events, types, probe, record, image, flight, raw, script, script/print,
 * buildid, analysis, draw, doctor.
 */
#ifndef RT_CMD_COMMAND_H
#define RT_CMD_COMMAND_H

struct rt_command {
	const char *name;
	const char *summary;		   /* one line for `ringtail help` */
	int (*run)(int argc, char **argv); /* argv[0] is the command's name; the exit status */
};

/* Ends with an entry whose name is NULL. */
extern const struct rt_command rt_commands[];

const struct rt_command *rt_command_find(const char *name);
/* Run the command; returns the exit status, which is not 0 if memory was missing anywhere. */
int rt_command_run(const struct rt_command *c, int argc, char **argv);
/* Print that NAME is not a command, and suggest one; returns the exit status. */
int rt_command_unknown(const char *name);

/* Exit statuses, the same for every command. */
enum {
	RT_EXIT_OK = 0,
	RT_EXIT_FAIL = 1,     /* the job failed, or was done only in part */
	RT_EXIT_USAGE = 2,    /* wrong command line; nothing was started */
	RT_EXIT_SIGNAL = 128, /* plus the number of the signal that ended the recorded command */
};

int rt_cmd_buildid_list(int argc, char **argv);
int rt_cmd_data(int argc, char **argv);
int rt_cmd_diff(int argc, char **argv);
int rt_cmd_doctor(int argc, char **argv);
int rt_cmd_evlist(int argc, char **argv);
int rt_cmd_flamegraph(int argc, char **argv);
int rt_cmd_flight(int argc, char **argv);
int rt_cmd_help(int argc, char **argv);
int rt_cmd_list(int argc, char **argv);
int rt_cmd_probe(int argc, char **argv);
int rt_cmd_record(int argc, char **argv);
int rt_cmd_report(int argc, char **argv);
int rt_cmd_script(int argc, char **argv);

#endif
