// SPDX-License-Identifier: GPL-2.0
/*
 * close-beside MEGABYTES - one thread sets up rings of at most so many megabytes for each CPU.  Meanwhile another one
 * opens a session, sets up small rings and closes it, again and again.  Print `during N`: how many times that was
 * begun and ended before the large rings were there.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <ringtail.h>

enum { SUBBUF = 64 << 10, SUBBUFS_PER_MB = (1 << 20) / SUBBUF };

static int state; /* 1: RINGS is about to be called; 2: it has returned */
static uint32_t subbufs;

static int set_up(int fd, uint32_t count)
{
	struct rt_rings rings = { .size = sizeof(rings), .subbuf_bytes = SUBBUF, .subbufs = count };

	if (!ioctl(fd, RT_IOC_RINGS, &rings))
		return 0;
	fprintf(stderr, "RINGS of %u: %s, reason %u, detail %llu\n", count, strerror(errno),
		rings.refusal.reason, (unsigned long long)rings.refusal.detail);
	return -1;
}

static int open_device(void)
{
	int fd = open(RT_DEVICE_PATH, O_RDWR | O_CLOEXEC);

	if (fd >= 0)
		return fd;
	perror(RT_DEVICE_PATH);
	exit(2);
}

static void *large(void *unused)
{
	int fd = open_device(), ret;

	(void)unused;
	__atomic_store_n(&state, 1, __ATOMIC_SEQ_CST);
	ret = set_up(fd, subbufs);
	__atomic_store_n(&state, 2, __ATOMIC_SEQ_CST);
	if (ret)
		exit(1);
	close(fd);
	return NULL;
}

int main(int argc, char **argv)
{
	unsigned int during = 0, most = argc == 2 ? atoi(argv[1]) * SUBBUFS_PER_MB : 0;
	pthread_t thread;
	int fd;

	for (subbufs = 2; subbufs * 2 <= most && subbufs < RT_SUBBUFS_MAX; subbufs *= 2)
		;
	if (most < 2 || pthread_create(&thread, NULL, large, NULL))
		return 2;
	while (!__atomic_load_n(&state, __ATOMIC_SEQ_CST))
		;
	/* The first one may still have come before the other thread's call. */
	while (__atomic_load_n(&state, __ATOMIC_SEQ_CST) == 1) {
		fd = open_device();
		if (set_up(fd, 2))
			return 1;
		close(fd);
		during += __atomic_load_n(&state, __ATOMIC_SEQ_CST) == 1;
	}
	pthread_join(thread, NULL);
	printf("during %u\n", during);
	return 0;
}
