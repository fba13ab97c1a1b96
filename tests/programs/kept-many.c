// SPDX-License-Identifier: GPL-2.0
/*
 * kept-many SUBBUFS [kept]: what rings of so many sub-buffers take to make and to free, in ordinary memory or in
 * memory that the next boot leaves alone, in microseconds: `MAKE FREE`.
 */
#include <time.h>

#include "limits.h"

static long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000LL + t.tv_nsec / 1000;
}

int main(int argc, char **argv)
{
	struct rt_rings rings = { .size = sizeof(rings) };
	long long t[3];

	if (argc < 2)
		return 2;
	rings.mode = RT_MODE_OVERWRITE;
	rings.subbufs = atoi(argv[1]);
	rings.subbuf_bytes = sysconf(_SC_PAGESIZE);
	rings.flags = argc > 2 ? RT_RINGS_KEPT : 0;
	open_device();
	t[0] = now();
	if (ioctl(fd, RT_IOC_RINGS, &rings)) {
		fprintf(stderr, "RINGS: %s, reason %u, detail %llu\n", strerror(errno),
			rings.refusal.reason, (unsigned long long)rings.refusal.detail);
		return 1;
	}
	t[1] = now();
	close(fd);
	t[2] = now();
	printf("%lld %lld\n", t[1] - t[0], t[2] - t[1]);
	return 0;
}
