// SPDX-License-Identifier: GPL-2.0
/*
 * watched [GO] - a process with a variable to watch.
 *
 * Prints "PID ADDRESS OTHER STORE", where STORE is the address of the store to `value`.  With GO,
 * waits until the fifo of that name is opened for writing.  Then `value` becomes 1 … 10 by
 * write_value(), 11 … 20 in a thread, 21 … 30 in a child (which has its own copy), and
 * 0x4847464544434241 by read(2).  `other`, at another address, is written as often.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Not in .bss, which the kernel clears at exec, partly byte by byte: these would also be writes. */
#define VARIABLE __attribute__((aligned(64), section(".data")))
static volatile long value VARIABLE;
static volatile long other VARIABLE;

/* Hidden, so that no tool takes it for a function. */
extern char store[] __attribute__((visibility("hidden")));
#ifdef __x86_64__
#define STORE "movq %1, %0"
#else
#define STORE "str %1, %0"
#endif

void write_value(long v);
__attribute__((noinline, noclone)) void write_value(long v)
{
	__asm__ volatile(".globl store\n.hidden store\nstore: " STORE : "=m"(value) : "r"(v));
	other = v;
}

static void ten(long from)
{
	long i;

	for (i = 0; i < 10; i++)
		write_value(from + i);
}

static void *in_thread(void *unused)
{
	ten(11);
	return unused;
}

int main(int argc, char **argv)
{
	int fds[2], fd;
	pthread_t thread;
	pid_t child;

	printf("%d %p %p %p\n", getpid(), (void *)&value, (void *)&other, (void *)store);
	fflush(stdout);
	if (argc > 1) {
		fd = open(argv[1], O_RDONLY);
		if (fd < 0)
			return 1;
		close(fd);
	}
	ten(1);
	if (pthread_create(&thread, NULL, in_thread, NULL) || pthread_join(thread, NULL))
		return 1;
	child = fork();
	if (!child) {
		ten(21);
		_exit(0);
	}
	if (waitpid(child, NULL, 0) != child || pipe(fds) || write(fds[1], "ABCDEFGH", 8) != 8 ||
	    read(fds[0], (void *)&value, 8) != 8)
		return 1;
	return 0;
}
