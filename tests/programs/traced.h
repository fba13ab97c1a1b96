/* SPDX-License-Identifier: GPL-2.0 */
/* traced.h - shared by the programs that act as debuggers: a child under ptrace. */
#ifndef RT_TRACED_H
#define RT_TRACED_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

static inline void die(const char *what)
{
	perror(what);
	exit(2);
}

/* Run a command; it is stopped behind its exec. */
static inline pid_t traced_start(char **argv)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		execvp(argv[0], argv);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
		die(argv[0]);
	return pid;
}

#endif
