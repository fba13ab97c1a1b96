// SPDX-License-Identifier: GPL-2.0
/*
 * in-pidns COMMAND… - run COMMAND as the first process of a new pid namespace, with its own /proc.
 */
#include <sched.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int status;
	pid_t pid;

	if (argc < 2)
		return 2;
	if (unshare(CLONE_NEWPID | CLONE_NEWNS)) {
		perror("unshare");
		return 2;
	}
	pid = fork();
	if (!pid) {
		if (mount("proc", "/proc", "proc", 0, NULL)) {
			perror("/proc");
			_exit(2);
		}
		execvp(argv[1], argv + 1);
		perror(argv[1]);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return 2;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
