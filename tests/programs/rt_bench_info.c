// SPDX-License-Identifier: GPL-2.0
/*
 * Guest instructions of one INFO ioctl, compared with those of the cheapest system call.
 *
 * Under -icount one nanosecond of guest time is one instruction, so the clock is the instruction
 * counter.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "ringtail.h"

enum { ROUNDS = 1000 };

static long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static long long best(long long (*once)(int fd), int fd)
{
	long long t, least = once(fd);
	int i;

	for (i = 0; i < ROUNDS; i++) {
		t = once(fd);
		if (t < least)
			least = t;
	}
	return least;
}

static long long nothing(int fd)
{
	long long t = now();

	return now() - t;
}

static long long getppid_once(int fd)
{
	long long t = now();

	syscall(SYS_getppid);
	return now() - t;
}

static long long info_once(int fd)
{
	struct rt_info info = { .size = sizeof(info) };
	long long t = now();

	if (ioctl(fd, RT_IOC_INFO, &info) < 0)
		perror("INFO");
	return now() - t;
}

int main(void)
{
	int fd = open(RT_DEVICE_PATH, O_RDWR);
	long long clock, floor;

	if (fd < 0) {
		perror(RT_DEVICE_PATH);
		return 1;
	}
	clock = best(nothing, fd);
	floor = best(getppid_once, fd) - clock;
	printf("floor %lld info %lld\n", floor, best(info_once, fd) - clock);
	return 0;
}
