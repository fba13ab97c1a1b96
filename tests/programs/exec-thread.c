// SPDX-License-Identifier: GPL-2.0
/*
 * exec-thread GO - a thread that is not the leader of its process executes another program.
 *
 * Prints "PID TID", where TID is the thread's id, and waits until the fifo GO is opened for
 * writing.  Then the thread executes `exec-thread` without arguments, which calls getppid() ten
 * times.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static char **arguments;

static void *become(void *unused)
{
	char *none[] = { arguments[0], NULL };
	int fd;

	printf("%d %ld\n", getpid(), syscall(SYS_gettid));
	fflush(stdout);
	fd = open(arguments[1], O_RDONLY);
	if (fd < 0)
		return unused;
	close(fd);
	execv("/proc/self/exe", none);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	int i;

	for (i = 0; argc == 1 && i < 10; i++)
		syscall(SYS_getppid);
	if (argc == 1)
		return 0;
	arguments = argv;
	if (pthread_create(&thread, NULL, become, NULL))
		return 1;
	for (;;)
		pause();
}
