// SPDX-License-Identifier: GPL-2.0
/* show.c - texts in place of the list: help, the header, the output of `ringtail script`. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "browse/pager.h"
#include "browse/view.h"

#define ARGS_MAX 24

static const char help[] =
	"Moving\n"
	"  Up, Down, PageUp, PageDown, Space, Home, End\n"
	"  Right, Left         see more of long lines; Left at the beginning goes back\n"
	"  f                   find a text in the rows;  n, N: the next, the one before\n"
	"\n"
	"Call graphs, and the levels of --hierarchy\n"
	"  +                   open or close what is below the row\n"
	"  e                   the same at every level below it\n"
	"  E, C                open all, close all\n"
	"\n"
	"Parts of the recording\n"
	"  t                   only the thread of the first sample; again: all threads\n"
	"  d                   only samples in the row's object; again: all objects\n"
	"  k                   only samples in the kernel; again: all objects\n"
	"  /                   only lines with a text\n"
	"  Tab, Shift-Tab, v   the next event, the one before, choose from a list\n"
	"  Esc, Left           undo the last of these\n"
	"  F                   percentages of what is shown, or of all samples\n"
	"\n"
	"Other\n"
	"  Enter, m            a menu\n"
	"  s                   sort by a column, or by other sort keys\n"
	"  r                   what ringtail script prints, from the first sample of the row on\n"
	"  P                   write what is shown into a file\n"
	"  i                   the header of the recording\n"
	"  ?, h, F1            this help\n"
	"  q, Ctrl-C           quit\n"
	"\n"
	"ringtail report --help lists the options; --stdio prints text in place of this browser.\n";

void rt_view_help(struct rt_view *v)
{
	rt_pager_show("Keys", help, sizeof(help) - 1);
}

void rt_view_header(struct rt_view *v)
{
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	if (!out)
		return;
	rt_header_print(v->report.reader, true, out);
	if (!fclose(out))
		rt_pager_show("Header of the recording", text, len);
	free(text);
}

/* ---- ringtail script ---------------------------------------------------------------------- */

/* Start the program with its output in a pipe; the descriptor, or a negative errno. */
static int start(char *const *args, pid_t *pid)
{
	posix_spawn_file_actions_t actions;
	int fds[2], ret;

	if (pipe2(fds, O_CLOEXEC))
		return -errno;
	ret = posix_spawn_file_actions_init(&actions);
	if (!ret) {
		posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
		posix_spawn_file_actions_adddup2(&actions, fds[1], STDOUT_FILENO);
		posix_spawn_file_actions_adddup2(&actions, fds[1], STDERR_FILENO);
		ret = posix_spawn(pid, "/proc/self/exe", &actions, NULL, args, environ);
		posix_spawn_file_actions_destroy(&actions);
	}
	close(fds[1]);
	if (ret)
		close(fds[0]);
	return ret ? -ret : fds[0];
}

static void add_option(char **args, int *n, const char *name, const char *value)
{
	if (value && *n + 2 < ARGS_MAX) {
		args[(*n)++] = (char *)name;
		args[(*n)++] = (char *)value;
	}
}

/* The command line: everything from this time on. */
static void make_args(const struct rt_view *v, const char *time, char **args)
{
	const struct rt_symbols_options *symbols = &v->opt->profile->symbols;
	int n = 0;

	args[n++] = (char *)"ringtail";
	args[n++] = (char *)"script";
	add_option(args, &n, "-i", rt_reader_path(v->report.reader));
	add_option(args, &n, "--time", time);
	add_option(args, &n, "--vmlinux", symbols->vmlinux);
	add_option(args, &n, "--kallsyms", symbols->kallsyms);
	add_option(args, &n, "--symfs", symbols->symfs);
	args[n] = NULL;
}

void rt_view_script(struct rt_view *v)
{
	const struct rt_row *row = rt_view_row(v);
	char *args[ARGS_MAX + 1], time[48], title[160];
	const struct rt_sum *sum;
	pid_t pid;
	int fd;

	if (!row)
		return;
	if (rt_reader_is_pipe(v->report.reader)) {
		rt_view_say(v, "the recording came through a pipe and cannot be read again");
		return;
	}
	sum = &v->report.sums.list[v->table.lines[row->line]->where.sum];
	if (sum->time == UINT64_MAX) {
		rt_view_say(v, "the samples have no times; ringtail script prints all of them");
		return;
	}
	snprintf(time, sizeof(time), "%" PRIu64 ".%09" PRIu64 ",", sum->time / 1000000000,
		 sum->time % 1000000000);
	snprintf(title, sizeof(title), "ringtail script --time %s", time);
	make_args(v, time, args);
	fd = start(args, &pid);
	if (fd < 0) {
		rt_view_say(v, "cannot start ringtail script: %s", strerror(-fd));
		return;
	}
	rt_pager_follow(title, fd);
	close(fd);
	kill(pid, SIGTERM);
	waitpid(pid, NULL, 0);
}
