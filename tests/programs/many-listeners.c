// SPDX-License-Identifier: GPL-2.0
/*
 * many-listeners N… - for each number, have so many sessions that are enabled and record nothing but the
 * side-band, and print how many nanoseconds a stranger's mmap(PROT_EXEC) of a file and its munmap() take: the
 * least of some rounds.  A line for each: `N NANOSECONDS`, or `N refused REASON LIMIT` if a session got no
 * rings.  Under `vm: icount=1` a nanosecond is an instruction.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <ringtail.h>

enum { SESSIONS_MAX = 1024, ROUNDS = 20, BATCH = 10 };

static int sessions[SESSIONS_MAX], count;

static void die(const char *what)
{
	perror(what);
	exit(2);
}

/* False: refused. */
static int more(struct rt_refusal *refusal)
{
	struct rt_rings rings = { .size = sizeof(rings),
				  .mode = RT_MODE_OVERWRITE,
				  .subbuf_bytes = 16384,
				  .subbufs = 2,
				  .flags = RT_RINGS_SIDE_OVERWRITE };
	struct rt_switch on = { .size = sizeof(on) };
	int fd = open(RT_DEVICE_PATH, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		die(RT_DEVICE_PATH);
	if (ioctl(fd, RT_IOC_RINGS, &rings)) {
		*refusal = rings.refusal;
		close(fd);
		return 0;
	}
	if (ioctl(fd, RT_IOC_ENABLE, &on))
		die("ENABLE");
	sessions[count++] = fd;
	return 1;
}

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * UINT64_C(1000000000) + t.tv_nsec;
}

static uint64_t cost(int file)
{
	uint64_t least = UINT64_MAX, begun, took;
	void *at;
	int i, j;

	for (i = 0; i < ROUNDS; i++) {
		begun = now();
		for (j = 0; j < BATCH; j++) {
			at = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0);
			if (at == MAP_FAILED || munmap(at, 4096))
				die("mmap");
		}
		took = (now() - begun) / BATCH;
		if (took < least)
			least = took;
	}
	return least;
}

int main(int argc, char **argv)
{
	int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC), i, wanted, refused;
	struct rt_refusal refusal;

	if (file < 0)
		die("/proc/self/exe");
	for (i = 1; i < argc; i++) {
		wanted = atoi(argv[i]);
		refused = 0;
		while (count > wanted)
			close(sessions[--count]);
		while (count < wanted && !refused)
			refused = !more(&refusal);
		if (refused)
			printf("%d refused %u %llu\n", wanted, refusal.reason,
			       (unsigned long long)refusal.detail);
		else
			printf("%d %llu\n", wanted, (unsigned long long)cost(file));
		fflush(stdout);
	}
	return 0;
}
