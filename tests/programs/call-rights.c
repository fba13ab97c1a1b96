// SPDX-License-Identifier: GPL-2.0
/*
 * call-rights - make every ioctl of the module twice: as root on a session of its own, and with a descriptor
 * that was passed on to user 1000, as root of user and mount namespaces of its own.  Print a line for each
 * call that the module has, with its number in hexadecimal:
 *
 *	NUMBER allowed|refused allowed|refused
 *
 * With --as-root it does only the first, and no session needs to be set up.  Otherwise the session that was
 * passed on records meanwhile, and the last line says whether it still does:
 *
 *	goes-on|disturbed
 *
 * Refused means EPERM.  The arguments are zeros, which is enough to be asked for rights.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ringtail.h>

enum { NUMBERS = 256, CALLS = 10, USER = 1000 };

enum { NONE, ALLOWED, REFUSED };

static const char *const words[] = { "none", "allowed", "refused" };

static void die(const char *what)
{
	perror(what);
	exit(2);
}

static int open_device(void)
{
	int fd = open(RT_DEVICE_PATH, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		die(RT_DEVICE_PATH);
	return fd;
}

/* With an argument, then without one, as FLUSH and STOP want it. */
static int outcome(int fd, unsigned int number)
{
	uint32_t room[RT_ARGUMENT_MAX / 4] = { sizeof(room) };
	int tries, result = NONE, ret;

	for (tries = 0; tries < 2; tries++) {
		ret = ioctl(fd, _IO(RT_IOC_MAGIC, number), tries ? NULL : room);
		if (ret < 0 && errno == EPERM)
			return REFUSED;
		if (ret >= 0 || errno != ENOTTY)
			result = ALLOWED;
	}
	return result;
}

static void record(int fd)
{
	struct rt_rings rings = { .size = sizeof(rings), .subbuf_bytes = 65536, .subbufs = 4 };
	struct rt_event_add add = { .size = sizeof(add),
				    .kind = RT_KIND_SYSCALL_ENTER,
				    .syscall.number = SYS_getppid };
	struct rt_switch on = { .size = sizeof(on) };

	if (ioctl(fd, RT_IOC_RINGS, &rings) || ioctl(fd, RT_IOC_ADD, &add) ||
	    ioctl(fd, RT_IOC_ENABLE, &on))
		die("cannot record");
}

static uint64_t written(int fd)
{
	struct rt_counts counts = { .size = sizeof(counts), .id = 1, .cpu = RT_COUNTS_ALL };

	if (ioctl(fd, RT_IOC_COUNTS, &counts))
		die("COUNTS");
	return counts.written;
}

static bool goes_on(int fd)
{
	uint64_t before = written(fd);
	int i;

	for (i = 0; i < CALLS; i++)
		syscall(SYS_getppid);
	return written(fd) >= before + CALLS;
}

static void ask_as_user(int fd, char *results)
{
	int i;

	if (setresgid(USER, USER, USER) || setresuid(USER, USER, USER))
		die("setresuid");
	/* Where user namespaces are switched off, the user has even less. */
	if (unshare(CLONE_NEWUSER | CLONE_NEWNS) && errno != EPERM && errno != EINVAL &&
	    errno != ENOSPC)
		die("unshare");
	for (i = 0; i < NUMBERS; i++)
		results[i] = outcome(fd, i);
}

int main(int argc, char **argv)
{
	bool locked = argc > 1 && !strcmp(argv[1], "--as-root");
	char *users =
		mmap(NULL, NUMBERS, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int fd = open_device(), own, i, root, status;
	pid_t pid;

	if (users == MAP_FAILED)
		die("mmap");
	if (!locked) {
		record(fd);
		pid = fork();
		if (!pid) {
			ask_as_user(fd, users);
			return 0;
		}
		if (pid < 0 || waitpid(pid, &status, 0) != pid || status)
			die("the user's process");
	}
	for (i = 0; i < NUMBERS; i++) {
		own = open_device();
		root = outcome(own, i);
		close(own);
		if (root != NONE)
			printf("0x%02x %s %s\n", i, words[root], words[(int)users[i]]);
	}
	if (!locked)
		puts(goes_on(fd) ? "goes-on" : "disturbed");
	return 0;
}
