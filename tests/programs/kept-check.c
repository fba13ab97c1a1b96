// SPDX-License-Identifier: GPL-2.0
/*
 * kept-check: in the third boot, where both halves of the memory of recover= hold something, a session takes the older one while a
 * thread reads it, and its rings do not fit.  Prints "ok", or what is wrong.
 *
 * Each read gives what the earlier boot left, or nothing: no page that was erased meanwhile.  The anchor of the session lists
 * no ring that was freed again.
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

#define PAGE   4096
#define AREAS  8	 /* sub-buffers of a ring that takes half of a half, and a spare one */
#define ANCHOR (1 << 16) /* bytes, at least */

static char *left; /* what the earlier boot left */
static unsigned int half;
static uint64_t length;
static volatile int passes, different, wrong;

static int open_device(void)
{
	int fd = open(RT_DEVICE_PATH, O_RDWR | O_CLOEXEC);

	if (fd >= 0)
		return fd;
	printf("%s: %s\n", RT_DEVICE_PATH, strerror(errno));
	exit(1);
}

static int ask(int fd, unsigned int which, struct rt_kept *kept)
{
	memset(kept, 0, sizeof(*kept));
	kept->size = sizeof(*kept);
	kept->half = which;
	return ioctl(fd, RT_IOC_KEPT, kept);
}

static int read_at(int fd, uint64_t at, void *to, uint64_t bytes)
{
	struct rt_kept kept = { .size = sizeof(kept), .half = half };

	kept.offset = at;
	kept.to = (uintptr_t)to;
	kept.bytes = bytes;
	return ioctl(fd, RT_IOC_KEPT, &kept) ? errno : 0;
}

/* Until the half is taken. */
static void *read_on(void *unused)
{
	char page[PAGE];
	int fd = open_device(), why = 0;
	uint64_t at;

	while (!why) {
		for (at = 0; !why && at < length; at += PAGE) {
			why = read_at(fd, at, page, PAGE);
			different += !why && memcmp(page, left + at, PAGE);
		}
		passes++;
	}
	wrong = why != ENODATA ? why : 0;
	close(fd);
	return NULL;
}

/* The ring of the first CPU fits, that of the second does not. */
static const char *take_half(int fd)
{
	struct rt_rings rings = { .size = sizeof(rings),
				  .mode = RT_MODE_OVERWRITE,
				  .flags = RT_RINGS_KEPT | RT_RINGS_SIDE_OVERWRITE,
				  .subbufs = AREAS };

	rings.subbuf_bytes = length / 2 / AREAS;
	if (!ioctl(fd, RT_IOC_RINGS, &rings))
		return "rings that do not fit were made";
	return rings.refusal.reason == RT_REFUSED_KEPT_ROOM ? NULL : strerror(errno);
}

static const char *look_at_anchor(int fd)
{
	static char room[ANCHOR];
	struct rt_anchor *anchor = (void *)room;
	struct rt_look look = { .size = sizeof(look),
				.bytes = sizeof(*anchor),
				.to = (uintptr_t)room };
	uint32_t i;

	if (ioctl(fd, RT_IOC_LOOK, &look))
		return "LOOK does not find the anchor";
	look.bytes = anchor->bytes;
	if (look.bytes > sizeof(room) || ioctl(fd, RT_IOC_LOOK, &look))
		return "LOOK does not read the anchor";
	for (i = 0; i < anchor->parts; i++)
		if (anchor->part[i].phys && (anchor->part[i].kind == RT_PART_STATUS ||
					     anchor->part[i].kind == RT_PART_SIDE_STATUS))
			return "the anchor lists rings that were freed";
	return NULL;
}

static const char *check(int fd)
{
	struct rt_kept kept[2];
	const char *why;
	pthread_t thread;

	if (ask(fd, 0, &kept[0]) || ask(fd, 1, &kept[1]))
		return strerror(errno);
	if (kept[0].state != RT_KEPT_EARLIER || kept[1].state != RT_KEPT_EARLIER)
		return "not both halves are of earlier boots";
	half = kept[1].head.generation < kept[0].head.generation;
	length = kept[half].length;
	left = malloc(length);
	if (!left || read_at(fd, 0, left, length))
		return "the older half cannot be read";
	if (pthread_create(&thread, NULL, read_on, NULL))
		return "no thread";
	while (!passes)
		usleep(1000);
	why = take_half(fd);
	pthread_join(thread, NULL);
	if (why)
		return why;
	if (wrong)
		return strerror(wrong);
	if (different)
		return "pages were read that the new flight had erased";
	return look_at_anchor(fd);
}

int main(void)
{
	int fd = open_device();
	const char *why = check(fd);

	puts(why ? why : "ok");
	close(fd);
	free(left);
	return !!why;
}
