/* SPDX-License-Identifier: GPL-2.0 */
/*
 * limits.h - shared by the programs that test the limits of the uapi header: sessions, events that
 * the module must accept or refuse, and TAP.
 */
#ifndef LIMITS_H
#define LIMITS_H

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <ringtail.h>

static int tests, failed, fd;

static int check(int good, const char *what)
{
	printf("%sok %d - %s\n", good ? "" : "not ", ++tests, what);
	fflush(stdout);
	failed += !good;
	return good;
}

static void die(const char *what)
{
	perror(what);
	exit(1);
}

/* --- sessions -------------------------------------------------------------------- */

static int set_up(uint32_t subbuf_bytes, uint32_t subbufs, struct rt_refusal *refusal)
{
	struct rt_rings rings = { .size = sizeof(rings),
				  .subbuf_bytes = subbuf_bytes,
				  .subbufs = subbufs };
	int ret = ioctl(fd, RT_IOC_RINGS, &rings);

	*refusal = rings.refusal;
	return ret;
}

static void open_device(void)
{
	fd = open(RT_DEVICE_PATH, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		die(RT_DEVICE_PATH);
}

static void open_session(void)
{
	struct rt_refusal refusal;

	open_device();
	if (set_up(65536, 16, &refusal))
		die("RINGS");
}

static int add(struct rt_event_add *event)
{
	event->size = sizeof(*event);
	return ioctl(fd, RT_IOC_ADD, event);
}

static int toggle(unsigned long number)
{
	struct rt_switch onoff = { .size = sizeof(onoff) };
	int ret = ioctl(fd, number, &onoff);

	if (ret)
		printf("# %s, reason %u, detail %llu\n", strerror(errno), onoff.refusal.reason,
		       (unsigned long long)onoff.refusal.detail);
	return ret;
}

static struct rt_counts counts_of(uint32_t id)
{
	struct rt_counts counts = { .size = sizeof(counts), .id = id, .cpu = RT_COUNTS_ALL };

	if (ioctl(fd, RT_IOC_COUNTS, &counts))
		die("COUNTS");
	return counts;
}

static void accept(struct rt_event_add event, const char *what)
{
	if (!check(!add(&event), what))
		printf("# reason %u, detail %llu\n", event.refusal.reason,
		       (unsigned long long)event.refusal.detail);
}

static __attribute__((unused)) void refuse(struct rt_event_add event, uint32_t reason,
					   const char *what)
{
	int ret = add(&event);

	if (!check(ret && event.refusal.reason == reason, what))
		printf("# returned %d, reason %u, detail %llu\n", ret, event.refusal.reason,
		       (unsigned long long)event.refusal.detail);
}

#endif
