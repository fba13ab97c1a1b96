/* SPDX-License-Identifier: GPL-2.0 */
/*
 * command.h - the table of commands.  A new command is one file in user/cmd/
 * and one line in table.c.
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

/* Exit statuses, the same for every command. */
enum {
	RT_EXIT_OK = 0,
	RT_EXIT_FAIL = 1,  /* the job could not be done, or only in part */
	RT_EXIT_USAGE = 2, /* the command line was wrong; nothing was started */
};

int rt_cmd_buildid_list(int argc, char **argv);
int rt_cmd_doctor(int argc, char **argv);
int rt_cmd_evlist(int argc, char **argv);
int rt_cmd_help(int argc, char **argv);
int rt_cmd_record(int argc, char **argv);
int rt_cmd_script(int argc, char **argv);

#endif
