// SPDX-License-Identifier: GPL-2.0
/*
 * open-as UID [--userns] [CAPABILITY-NUMBER…]: become UID with exactly these capabilities, open the
 * device, and print `ok` or the name of the error.  With --userns, do it as root of a new user
 * namespace, with every capability there.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <ringtail.h>

static void die(const char *what)
{
	perror(what);
	exit(2);
}

static void enter_userns(void)
{
	int fd;

	if (unshare(CLONE_NEWUSER))
		die("unshare");
	fd = open("/proc/self/uid_map", O_WRONLY);
	if (fd < 0 || write(fd, "0 0 1\n", 6) != 6)
		die("uid_map");
	close(fd);
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

int main(int argc, char **argv)
{
	unsigned int kept[2] = { 0, 0 };
	int i, fd;

	if (argc < 2)
		return 2;
	if (argc > 2 && !strcmp(argv[2], "--userns")) {
		enter_userns();
	} else {
		for (i = 2; i < argc; i++)
			kept[atoi(argv[i]) / 32] |= 1U << atoi(argv[i]) % 32;
		become(atoi(argv[1]), kept);
	}
	fd = open(RT_DEVICE_PATH, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		puts(errno == EPERM ? "EPERM" : errno == EACCES ? "EACCES" : strerror(errno));
	else
		puts("ok");
	return 0;
}
