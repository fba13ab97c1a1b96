// SPDX-License-Identifier: GPL-2.0
/*
 * rt-known - a known piece of work, for tests that record it: the same system calls,
 * wake-ups, signals, names and children each time.
 *
 *	rt-known [PATH…]		opens each PATH at the end; "-" means a bad pointer
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 20, CHILDREN = 3 };

static int to[2], back[2];

static void *echo(void *unused)
{
	char byte;

	prctl(PR_SET_NAME, "rt-known-echo");
	while (read(to[0], &byte, 1) == 1)
		if (write(back[1], &byte, 1) != 1)
			err(1, "write");
	return unused;
}

static void ping_pong(void)
{
	pthread_t thread;
	char byte = 0;
	int i;

	if (pipe(to) || pipe(back) || pthread_create(&thread, NULL, echo, NULL))
		err(1, "pipe, thread");
	for (i = 0; i < ROUNDS; i++)
		if (write(to[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1)
			err(1, "ping");
	close(to[1]);
	pthread_join(thread, NULL);
}

static void on_signal(int number)
{
	(void)number;
}

static void signals(void)
{
	int i;

	signal(SIGUSR1, on_signal);
	for (i = 0; i < ROUNDS; i++)
		raise(SIGUSR1);
}

static void children(const char *self)
{
	int i, status;
	pid_t pid;

	for (i = 0; i < CHILDREN; i++) {
		pid = fork();
		if (pid < 0)
			err(1, "fork");
		if (!pid) {
			prctl(PR_SET_NAME, "rt-known-child");
			execlp(self, self, "--child", (char *)NULL);
			_exit(127);
		}
		if (waitpid(pid, &status, 0) != pid || status)
			errx(1, "a child failed");
	}
}

int main(int argc, char **argv)
{
	const struct timespec moment = { 0, 1000000 };
	int i;

	if (argc > 1 && argv[1][0] == '-' && argv[1][1])
		return 0;
	ping_pong();
	signals();
	children(argv[0]);
	for (i = 0; i < ROUNDS; i++) {
		nanosleep(&moment, NULL);
		/* A value that is negative when it comes back. */
		if (close(-1) != -1 || errno != EBADF)
			errx(1, "close");
	}
	for (i = 1; i < argc; i++)
		syscall(SYS_openat, AT_FDCWD, argv[i][0] == '-' ? (char *)8 : argv[i], O_RDONLY, 0);
	return 0;
}
