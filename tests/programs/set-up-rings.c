// SPDX-License-Identifier: GPL-2.0
/*
 * set-up-rings FD [MODULE] - set up rings on the session of an inherited descriptor.  Print `ok` or the
 * error; with MODULE, after `ok` the build-id that the session's anchor has for that module, or `none`
 * if it has none ten seconds later.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <ringtail.h>

enum { TRIES = 100, PAUSE_US = 100000, ANCHOR_MAX = 1 << 20, BLOCK_MAX = 1 << 16 };

static int look(int fd, uint64_t phys, void *to, uint32_t bytes)
{
	struct rt_look look = {
		.size = sizeof(look), .bytes = bytes, .phys = phys, .to = (uintptr_t)to
	};

	return ioctl(fd, RT_IOC_LOOK, &look);
}

static uint64_t modules_of(int fd)
{
	static char room[ANCHOR_MAX];
	struct rt_anchor *anchor = (void *)room;
	uint32_t i;

	if (look(fd, 0, room, sizeof(*anchor)) || anchor->bytes > sizeof(room) ||
	    look(fd, 0, room, anchor->bytes))
		return 0;
	for (i = 0; i < anchor->parts; i++)
		if (anchor->part[i].kind == RT_PART_MODULES)
			return anchor->part[i].phys;
	return 0;
}

static const struct rt_anchor_module *find(const char *room, uint32_t used, const char *name)
{
	const struct rt_anchor_module *m = (const void *)(room + sizeof(struct rt_anchor_table));

	for (; (const char *)(m + 1) <= room + used; m++)
		if (!m->gone && !strcmp(m->name, name))
			return m;
	return NULL;
}

/* Whether the build-id of NAME is there; then print it. */
static int tell(int fd, const char *name)
{
	static char room[BLOCK_MAX];
	const struct rt_anchor_table *head = (const void *)room;
	const struct rt_anchor_module *m;
	uint64_t at = modules_of(fd);
	uint32_t i;

	while (at) {
		if (look(fd, at, room, sizeof(*head)) || head->used > sizeof(room) ||
		    look(fd, at, room, head->used))
			return 0;
		m = find(room, head->used, name);
		if (m && m->build_id_bytes) {
			for (i = 0; i < m->build_id_bytes; i++)
				printf("%02x", m->build_id[i]);
			puts("");
			return 1;
		}
		at = head->next;
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct rt_rings rings = { .size = sizeof(rings), .subbuf_bytes = 65536, .subbufs = 4 };
	int i, fd;

	if (argc < 2)
		return 2;
	fd = atoi(argv[1]);
	if (ioctl(fd, RT_IOC_RINGS, &rings) && errno != EBUSY) {
		puts(errno == EPERM ? "EPERM" : strerror(errno));
		return 1;
	}
	puts("ok");
	for (i = 0; argc > 2 && i < TRIES; i++) {
		if (tell(fd, argv[2]))
			return 0;
		usleep(PAUSE_US);
	}
	if (argc > 2)
		puts("none");
	return 0;
}
