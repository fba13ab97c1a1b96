// SPDX-License-Identifier: GPL-2.0
/*
 * A small dump of one session: the module copies each part, so nothing in it is torn, and the writers
 * go on meanwhile.  What they overwrite before it is copied is missing, as it is for any later reader.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/pins.h"
#include "flight/internal.h"
#include "flight/live.h"

struct capture {
	int fd;	  /* of the session */
	int file; /* the dump */
	uint64_t at;
	struct rt_extents *extents;
	void *room;
	size_t room_bytes;
};

static int make_room(struct capture *c, size_t bytes)
{
	void *grown;

	if (bytes <= c->room_bytes)
		return 0;
	grown = realloc(c->room, bytes);
	if (!grown)
		return -ENOMEM;
	c->room = grown;
	c->room_bytes = bytes;
	return 0;
}

/* Append the room's first BYTES, which lie at PHYS. */
static int append(struct capture *c, uint64_t phys, size_t bytes)
{
	size_t done = 0;
	ssize_t wrote;

	while (done < bytes) {
		wrote = pwrite(c->file, (char *)c->room + done, bytes - done, c->at + done);
		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote <= 0)
			return wrote < 0 ? -errno : -EIO;
		done += wrote;
	}
	c->at += bytes;
	return rt_extents_add(c->extents, phys, c->at - bytes, bytes, bytes);
}

/* Copy what lies at PHYS; it stays in the room. */
static int take(struct capture *c, uint64_t phys, size_t bytes)
{
	int ret = make_room(c, bytes);

	if (!ret)
		ret = rt_agent_look(c->fd, phys, c->room, bytes);
	return ret ? ret : append(c, phys, bytes);
}

static int take_table(struct capture *c, uint64_t phys)
{
	struct rt_anchor_table head;
	int ret = 0;

	while (!ret && phys) {
		/* First what is used, then the entries: those are complete. */
		ret = rt_agent_look(c->fd, phys, &head, sizeof(head));
		if (!ret)
			ret = take(c, phys, head.used);
		phys = head.next;
	}
	return ret;
}

/* The newest sub-buffer, which stays in the room.  The writers may go round the ring before it is copied. */
static int take_newest(struct capture *c, struct rt_copy *copy)
{
	uint64_t before;
	int ret, tries = 1000;

	do {
		before = copy->seq;
		copy->to = 0;
		ret = rt_agent_copy(c->fd, copy);
		if (ret)
			return ret;
		if (copy->newest < copy->oldest || (before && copy->newest == before))
			return -ENOENT;
		copy->seq = copy->newest;
		copy->to = (uintptr_t)c->room;
		ret = rt_agent_copy(c->fd, copy);
	} while (ret == -ENOENT && --tries);
	return ret;
}

/* From the newest back: the writers overwrite the oldest first, so no gap is left between those taken. */
static int take_ring(struct capture *c, uint32_t cpu, uint32_t ring, uint32_t bytes)
{
	struct rt_copy copy = { .cpu = cpu, .ring = ring, .bytes = bytes };
	uint64_t seq, oldest;
	int ret = make_room(c, bytes);

	if (!ret)
		ret = take_newest(c, &copy);
	oldest = copy.oldest;
	seq = copy.seq;
	for (;;) {
		if (!ret)
			ret = append(c, ((const struct rt_subbuf *)c->room)->phys, bytes);
		else if (ret == -ENOENT)
			ret = 0;
		if (ret || seq <= oldest)
			return ret;
		copy.seq = --seq;
		ret = rt_agent_copy(c->fd, &copy);
	}
}

static int take_status(struct capture *c, const struct rt_anchor_part *part)
{
	const struct rt_ring_status *status;
	int ret;

	if (part->bytes < sizeof(*status))
		return -EINVAL;
	ret = take(c, part->phys, part->bytes);
	status = c->room;
	return ret ? ret :
		     take_ring(c, part->cpu,
			       part->kind == RT_PART_SIDE_STATUS ? RT_RING_SIDE : RT_RING_EVENTS,
			       status->subbuf_bytes);
}

static int take_part(struct capture *c, const struct rt_anchor_part *part)
{
	if (!part->phys)
		return 0;
	switch (part->kind) {
	case RT_PART_STATUS:
	case RT_PART_SIDE_STATUS:
		return take_status(c, part);
	case RT_PART_EVENTS:
	case RT_PART_MODULES:
		return take_table(c, part->phys);
	default:
		return 0; /* inside the anchor */
	}
}

int rt_flight_anchor(int fd, struct rt_anchor **out)
{
	struct rt_anchor head, *anchor;
	int ret = rt_agent_look(fd, 0, &head, sizeof(head));

	if (ret)
		return ret;
	anchor = malloc(head.bytes);
	if (!anchor)
		return -ENOMEM;
	ret = rt_agent_look(fd, 0, anchor, head.bytes);
	if (ret)
		free(anchor);
	else
		*out = anchor;
	return ret;
}

/* The events first: a record must find its event. */
static int take_all(struct capture *c)
{
	struct rt_anchor *anchor;
	uint32_t i;
	int ret = rt_flight_anchor(c->fd, &anchor);

	if (ret)
		return ret;
	ret = take(c, anchor->phys, anchor->bytes);
	for (i = anchor->parts; !ret && i-- > 0;)
		ret = take_part(c, &anchor->part[i]);
	free(anchor);
	return ret;
}

/* A file that has no name, where the result will be: there is room for it. */
static int open_unnamed(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *name;
	int fd;

	if (asprintf(&name, "%.*s.ringtail-XXXXXX", slash ? (int)(slash - path + 1) : 0, path) < 0)
		return -ENOMEM;
	fd = mkostemp(name, O_CLOEXEC);
	if (fd < 0)
		fd = -errno;
	else
		unlink(name);
	free(name);
	return fd;
}

int rt_flight_capture(int fd, const char *path, struct rt_memory **out, struct rt_err *err)
{
	struct capture c = { .fd = fd };
	struct rt_bytes *bytes;
	int ret;

	c.file = open_unnamed(path);
	if (c.file < 0)
		return rt_err_set(err, -c.file, "cannot make a file next to '%s': %s", path,
				  strerror(-c.file));
	bytes = rt_bytes_of(c.file);
	c.extents = bytes ? rt_extents_new(bytes, "running session") : NULL;
	if (!c.extents) {
		if (bytes)
			bytes->close(bytes);
		else
			close(c.file);
		return rt_err_set(err, ENOMEM, "out of memory");
	}
	ret = take_all(&c);
	free(c.room);
	*out = rt_extents_memory(c.extents);
	if (!ret)
		return 0;
	(*out)->ops->close(*out);
	return rt_err_set(err, -ret, "cannot copy the rings: %s",
			  ret == -EPERM ? "the kernel is locked down" : strerror(-ret));
}
