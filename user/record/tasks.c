// SPDX-License-Identifier: GPL-2.0
#include "record/tasks.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { FIRST_ROOM = 1024 };

static struct rt_tasks_slot *find(struct rt_tasks_slot *slots, size_t room, uint32_t tid)
{
	size_t at = tid * 2654435761u & (room - 1);

	while (slots[at].tid && slots[at].tid != tid)
		at = (at + 1) & (room - 1);
	return &slots[at];
}

static int grow(struct rt_tasks *t)
{
	size_t room = t->room ? 2 * t->room : FIRST_ROOM, i;
	struct rt_tasks_slot *slots = calloc(room, sizeof(*slots));

	if (!slots)
		return -ENOMEM;
	for (i = 0; i < t->room; i++)
		if (t->slots[i].tid)
			*find(slots, room, t->slots[i].tid) = t->slots[i];
	free(t->slots);
	t->slots = slots;
	t->room = room;
	return 0;
}

int rt_tasks_set(struct rt_tasks *t, uint32_t tid, uint32_t pid)
{
	struct rt_tasks_slot *slot;

	if (2 * (t->used + 1) > t->room && grow(t))
		return -ENOMEM;
	slot = find(t->slots, t->room, tid);
	t->used += !slot->tid;
	slot->tid = tid;
	slot->pid = pid;
	t->last = *slot;
	return 0;
}

uint32_t rt_tasks_find(struct rt_tasks *t, uint32_t tid)
{
	struct rt_tasks_slot *slot;

	if (!tid || !t->room)
		return tid;
	slot = find(t->slots, t->room, tid);
	t->last.tid = tid;
	t->last.pid = slot->tid ? slot->pid : tid;
	return t->last.pid;
}

static int census_of(struct rt_tasks *t, uint32_t pid)
{
	char path[64];
	struct dirent *d;
	int ret = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%u/task", pid);
	dir = opendir(path);
	if (!dir)
		return 0; /* the task has ended */
	while (!ret && (d = readdir(dir)))
		if (d->d_name[0] >= '1' && d->d_name[0] <= '9')
			ret = rt_tasks_set(t, strtoul(d->d_name, NULL, 10), pid);
	closedir(dir);
	return ret;
}

int rt_tasks_census(struct rt_tasks *t)
{
	DIR *dir = opendir("/proc");
	struct dirent *d;
	int ret = 0;

	if (!dir)
		return -errno;
	while (!ret && (d = readdir(dir)))
		if (d->d_name[0] >= '1' && d->d_name[0] <= '9')
			ret = census_of(t, strtoul(d->d_name, NULL, 10));
	closedir(dir);
	return ret;
}

void rt_tasks_free(struct rt_tasks *t)
{
	free(t->slots);
}
