// SPDX-License-Identifier: GPL-2.0
/*
 * hand-over UID [CAPABILITY-NUMBER…] - open a session as root, pass the descriptor to a process of
 * UID with exactly these capabilities, and print the results when that process adds an event and a
 * target: `ADD TARGET`, each `ok` or the name of the error.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ringtail.h>

static void die(const char *what)
{
	perror(what);
	exit(2);
}

static void become(uid_t uid, const unsigned int *kept)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = {
		{ .permitted = kept[0], .effective = kept[0] },
		{ .permitted = kept[1], .effective = kept[1] },
	};

	if (prctl(PR_SET_KEEPCAPS, 1) || setresuid(uid, uid, uid))
		die("setresuid");
	if (syscall(__NR_capset, &header, data))
		die("capset");
}

static const char *outcome(int ret)
{
	return ret >= 0	       ? "ok" :
	       errno == EPERM  ? "EPERM" :
	       errno == EACCES ? "EACCES" :
				 strerror(errno);
}

static void use(int fd)
{
	struct rt_event_add add = { .size = sizeof(add),
				    .kind = RT_KIND_SYSCALL_ENTER,
				    .syscall.number = SYS_getppid };
	struct rt_target target = { .size = sizeof(target), .what = RT_TARGET_CPU };

	printf("%s ", outcome(ioctl(fd, RT_IOC_ADD, &add)));
	puts(outcome(ioctl(fd, RT_IOC_TARGET, &target)));
}

int main(int argc, char **argv)
{
	unsigned int kept[2] = { 0, 0 };
	int i, fd, status;
	pid_t pid;

	if (argc < 2)
		return 2;
	for (i = 2; i < argc; i++)
		kept[atoi(argv[i]) / 32] |= 1U << atoi(argv[i]) % 32;
	fd = open(RT_DEVICE_PATH, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		die(RT_DEVICE_PATH);
	pid = fork();
	if (!pid) {
		become(atoi(argv[1]), kept);
		use(fd);
		return 0;
	}
	return pid > 0 && waitpid(pid, &status, 0) == pid && !status ? 0 : 1;
}
