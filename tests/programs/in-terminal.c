// SPDX-License-Identifier: GPL-2.0
/*
 * in-terminal COMMAND…: run it with a terminal of 80 columns as its standard error, and copy what it
 * writes there to standard output.  Its exit status is that of the command.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

static int fail(const char *what)
{
	perror(what);
	return 99;
}

int main(int argc, char **argv)
{
	struct winsize size = { .ws_row = 24, .ws_col = 80 };
	int terminal = posix_openpt(O_RDWR | O_NOCTTY), other, status;
	char buffer[4096];
	ssize_t n;
	pid_t pid;

	if (argc < 2 || terminal < 0 || grantpt(terminal) || unlockpt(terminal))
		return fail("in-terminal");
	other = open(ptsname(terminal), O_RDWR | O_NOCTTY);
	if (other < 0 || ioctl(other, TIOCSWINSZ, &size))
		return fail("in-terminal: the other end");
	pid = fork();
	if (pid < 0)
		return fail("fork");
	if (!pid) {
		dup2(other, STDERR_FILENO);
		close(other);
		close(terminal);
		execvp(argv[1], argv + 1);
		_exit(98);
	}
	close(other);
	while ((n = read(terminal, buffer, sizeof(buffer))) > 0 || (n < 0 && errno == EINTR))
		if (n > 0 && write(STDOUT_FILENO, buffer, n) != n)
			return fail("write");
	if (waitpid(pid, &status, 0) != pid)
		return fail("waitpid");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 97;
}
