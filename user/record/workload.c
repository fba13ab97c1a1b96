// SPDX-License-Identifier: GPL-2.0
#include "record/workload.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void run_child(int go, int failed, char **argv, bool aside)
{
	void (*hangup)(int) = signal(SIGHUP, SIG_IGN) == SIG_IGN ? SIG_IGN : SIG_DFL;
	char byte;
	int code;

	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	signal(SIGHUP, hangup);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGUSR2, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	if (aside && dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
		_exit(126);
	if (read(go, &byte, 1) != 1)
		_exit(0);
	execvp(argv[0], argv);
	code = errno;
	if (write(failed, &code, sizeof(code)) != sizeof(code))
		_exit(126);
	_exit(127);
}

int rt_workload_prepare(struct rt_workload *w, char **argv, bool aside, struct rt_err *err)
{
	int go[2], failed[2];

	memset(w, 0, sizeof(*w));
	if (pipe2(go, O_CLOEXEC))
		return rt_err_set(err, errno, "cannot make a pipe: %s", strerror(errno));
	if (pipe2(failed, O_CLOEXEC)) {
		close(go[0]);
		close(go[1]);
		return rt_err_set(err, errno, "cannot make a pipe: %s", strerror(errno));
	}
	w->pid = fork();
	if (!w->pid) {
		close(go[1]);
		close(failed[0]);
		run_child(go[0], failed[1], argv, aside);
	}
	close(go[0]);
	close(failed[1]);
	w->go = go[1];
	w->failed = failed[0];
	if (w->pid > 0)
		return 0;
	w->pid = 0;
	close(w->go);
	close(w->failed);
	return rt_err_set(err, errno, "cannot fork: %s", strerror(errno));
}

int rt_workload_go(struct rt_workload *w, const char *name, struct rt_err *err)
{
	int code, status;
	ssize_t n;

	n = write(w->go, "", 1);
	close(w->go);
	w->go = -1;
	/* The child's end of the pipe closes on exec; then read() returns 0. */
	if (n == 1)
		do
			n = read(w->failed, &code, sizeof(code));
		while (n < 0 && errno == EINTR);
	close(w->failed);
	if (n != sizeof(code))
		return 0;
	while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR)
		;
	w->pid = 0;
	return rt_err_set(err, code, "cannot run '%s': %s", name, strerror(code));
}

int rt_workload_ended(struct rt_workload *w, int *status)
{
	if (!w->pid || waitpid(w->pid, status, WNOHANG) != w->pid)
		return 0;
	w->pid = 0;
	return 1;
}

void rt_workload_end(struct rt_workload *w)
{
	int status;

	if (!w->pid)
		return;
	/*
	 * A child that waits for the go byte exits when the pipe closes, even if it misses the
	 * signal.
	 */
	if (w->go >= 0)
		close(w->go);
	w->go = -1;
	kill(w->pid, SIGTERM);
	while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR)
		;
	w->pid = 0;
}
