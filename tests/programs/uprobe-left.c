// SPDX-License-Identifier: GPL-2.0
/*
 * uprobe-left - a breakpoint that the kernel cannot remove, in TAP: the program has set the semaphore of
 * its probe to 0, and the kernel refuses to count it below.
 *
 *	uprobe-left toggle ROUNDS	a program that changes its semaphore all the time; prints
 *					"left N told M" at the end: breakpoints that were left, and
 *					how many of them the kernel's log names
 *	uprobe-left stay		leave one and wait for a line of input, then have it removed;
 *					prints "PID OFFSET" before it waits
 */
#include <sys/klog.h>
#include <sys/prctl.h>

#include "breakpoints.h"

enum { SEMAPHORE = BP_BYTES - BP_STEP };

static volatile uint16_t *semaphore; /* of the bystander */

/* Written by this program, read by the bystander: what it does with its semaphore. */
enum { COUNT, ZERO, TOGGLE, RESTORE };
static volatile int *order, *obeyed;

static void obey(void)
{
	int now;

	for (;;) {
		now = *order;
		if (now == ZERO)
			*semaphore = 0;
		else if (now == RESTORE)
			*semaphore = 1;
		else if (now == TOGGLE)
			*semaphore = !*semaphore;
		*obeyed = now;
		if (now != TOGGLE)
			usleep(1000);
	}
}

static void tell(int what)
{
	*order = what;
	while (*obeyed != what)
		usleep(1000);
}

static pid_t bystand(void)
{
	int fd = open(bp_path, O_RDONLY | O_CLOEXEC);
	char *data;
	pid_t pid;

	order = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	obeyed = order + 1;
	data = mmap(NULL, BP_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	if (fd < 0 || order == MAP_FAILED || data == MAP_FAILED)
		err(1, "mmap");
	semaphore = (uint16_t *)(data + SEMAPHORE);
	*obeyed = -1;
	pid = fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		*semaphore = 0;
		obey();
	}
	/* Only the bystander has a semaphore. */
	munmap(data, BP_BYTES);
	close(fd);
	tell(COUNT);
	return pid;
}

static void add(int fd, uint64_t offset)
{
	struct rt_event_add add = { .size = sizeof(add), .kind = RT_KIND_UPROBE };

	add.uprobe.file = open(bp_path, O_RDONLY | O_CLOEXEC);
	add.uprobe.offset = offset;
	add.uprobe.semaphore = SEMAPHORE;
	if (ioctl(fd, RT_IOC_ADD, &add))
		err(1, "ADD, reason %u", add.refusal.reason);
	close(add.uprobe.file);
}

static int told(uint64_t offset)
{
	static char log[1 << 20];
	char line[64];
	int got = klogctl(3, log, sizeof(log) - 1);

	log[got > 0 ? got : 0] = 0;
	snprintf(line, sizeof(line), "user probe at %s+0x%llx is", bp_path,
		 (unsigned long long)offset);
	return !!strstr(log, line);
}

static void toggle(pid_t pid, int rounds)
{
	int i, fd, now, before = 0, left = 0, named = 0;

	for (i = 0; i < rounds; i++) {
		fd = bp_open();
		add(fd, i * BP_STEP);
		tell(COUNT);
		if (bp_switch(fd, RT_IOC_ENABLE))
			err(1, "ENABLE");
		tell(TOGGLE);
		bp_switch(fd, RT_IOC_DISABLE);
		close(fd);
		now = bp_count_in(pid);
		if (now > before) {
			left++;
			named += told(i * BP_STEP);
		}
		before = now;
	}
	printf("left %d told %d\n", left, named);
}

static int armed(void)
{
	int fd = bp_open();

	add(fd, BP_STEP);
	if (bp_switch(fd, RT_IOC_ENABLE))
		err(1, "ENABLE");
	return fd;
}

static void stay(pid_t pid)
{
	int fd = armed();
	char line[16];

	printf("armed %d\n", bp_count_in(pid));
	tell(ZERO);
	bp_switch(fd, RT_IOC_DISABLE);
	close(fd);
	printf("left %d told %d\n%d %x\n", bp_count_in(pid), told(BP_STEP), pid, BP_STEP);
	fflush(stdout);
	if (!fgets(line, sizeof(line), stdin))
		return;
	tell(RESTORE);
	/* The place is registered once more, and unregistered. */
	close(armed());
	printf("left %d\n", bp_count_in(pid));
}

int main(int argc, char **argv)
{
	pid_t pid;

	if (argc < 2)
		return 2;
	bp_make_file();
	bp_map();
	pid = bystand();
	if (!strcmp(argv[1], "toggle"))
		toggle(pid, argc > 2 ? atoi(argv[2]) : 100);
	else
		stay(pid);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	unlink(bp_path);
	return 0;
}
