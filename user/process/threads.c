// SPDX-License-Identifier: GPL-2.0
#include "process/threads.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_BUCKETS 256 /* a power of two, like all later sizes */

/* One copy of each name. */
struct name {
	struct name *next;
	char text[];
};

struct rt_threads {
	struct rt_thread **buckets;
	size_t size, count;
	struct name **names;
	size_t name_size, name_count;
	struct rt_thread *last; /* samples come in runs of one thread */
};

static size_t tid_slot(int32_t tid, size_t size)
{
	return ((uint32_t)tid * 2654435761u >> 8) & (size - 1);
}

static size_t name_slot(const char *s, size_t size)
{
	uint32_t h = 2166136261u;

	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * 16777619u;
	return h & (size - 1);
}

static void grow_names(struct rt_threads *t)
{
	size_t size = t->name_size * 2, i;
	struct name **names = calloc(size, sizeof(*names)), *n, *next;

	if (!names)
		return; /* slower, but still correct */
	for (i = 0; i < t->name_size; i++) {
		for (n = t->names[i]; n; n = next) {
			size_t slot = name_slot(n->text, size);

			next = n->next;
			n->next = names[slot];
			names[slot] = n;
		}
	}
	free(t->names);
	t->names = names;
	t->name_size = size;
}

static const char *intern(struct rt_threads *t, const char *text)
{
	size_t slot = name_slot(text, t->name_size), len = strlen(text) + 1;
	struct name *n;

	for (n = t->names[slot]; n; n = n->next)
		if (!strcmp(n->text, text))
			return n->text;
	n = malloc(sizeof(*n) + len);
	if (!n)
		return NULL;
	memcpy(n->text, text, len);
	n->next = t->names[slot];
	t->names[slot] = n;
	if (++t->name_count > t->name_size)
		grow_names(t);
	return n->text;
}

static struct rt_space *space_new(void)
{
	struct rt_space *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->refs = 1;
	s->maps = rt_maps_new();
	if (!s->maps) {
		free(s);
		return NULL;
	}
	return s;
}

static void space_drop(struct rt_space *s)
{
	if (s && !--s->refs) {
		rt_maps_drop(s->maps);
		free(s);
	}
}

static struct rt_space *space_hold(struct rt_space *s)
{
	s->refs++;
	return s;
}

struct rt_threads *rt_threads_new(void)
{
	struct rt_threads *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->size = t->name_size = FIRST_BUCKETS;
	t->buckets = calloc(t->size, sizeof(*t->buckets));
	t->names = calloc(t->name_size, sizeof(*t->names));
	if (!t->buckets || !t->names) {
		rt_threads_free(t);
		return NULL;
	}
	return t;
}

void rt_threads_free(struct rt_threads *t)
{
	size_t i;

	if (!t)
		return;
	for (i = 0; t->buckets && i < t->size; i++) {
		struct rt_thread *th, *next;

		for (th = t->buckets[i]; th; th = next) {
			next = th->next;
			space_drop(th->space);
			free(th);
		}
	}
	for (i = 0; t->names && i < t->name_size; i++) {
		struct name *n, *next;

		for (n = t->names[i]; n; n = next) {
			next = n->next;
			free(n);
		}
	}
	free(t->buckets);
	free(t->names);
	free(t);
}

static void grow_buckets(struct rt_threads *t)
{
	size_t size = t->size * 2, i;
	struct rt_thread **buckets = calloc(size, sizeof(*buckets)), *th, *next;

	if (!buckets)
		return;
	for (i = 0; i < t->size; i++) {
		for (th = t->buckets[i]; th; th = next) {
			size_t slot = tid_slot(th->tid, size);

			next = th->next;
			th->next = buckets[slot];
			buckets[slot] = th;
		}
	}
	free(t->buckets);
	t->buckets = buckets;
	t->size = size;
}

/* Move `th` to the space of the process to which it turned out to belong. */
static void join_leader(struct rt_threads *t, struct rt_thread *th)
{
	struct rt_thread *leader = rt_threads_get(t, th->pid, th->pid);

	if (leader && leader->space != th->space) {
		space_drop(th->space);
		th->space = space_hold(leader->space);
	}
}

static struct rt_thread *lookup(struct rt_threads *t, int32_t tid)
{
	struct rt_thread *th = t->last;

	if (th && th->tid == tid)
		return th;
	for (th = t->buckets[tid_slot(tid, t->size)]; th; th = th->next) {
		if (th->tid == tid) {
			t->last = th;
			return th;
		}
	}
	return NULL;
}

struct rt_thread *rt_threads_find(struct rt_threads *t, int32_t pid, int32_t tid)
{
	struct rt_thread *th = lookup(t, tid);

	if (th && th->pid == -1 && pid != -1) {
		th->pid = pid;
		if (pid != tid)
			join_leader(t, th);
	}
	return th;
}

struct rt_thread *rt_threads_get(struct rt_threads *t, int32_t pid, int32_t tid)
{
	struct rt_thread *th = rt_threads_find(t, pid, tid), *leader;
	char name[16];
	size_t slot;

	if (th)
		return th;
	th = calloc(1, sizeof(*th));
	if (!th)
		return NULL;
	th->pid = pid;
	th->tid = tid;
	snprintf(name, sizeof(name), ":%d", tid);
	th->comm = intern(t, name);
	if (pid == tid || pid == -1) {
		th->space = space_new();
	} else {
		leader = rt_threads_get(t, pid, pid);
		th->space = leader ? space_hold(leader->space) : NULL;
	}
	if (!th->comm || !th->space) {
		space_drop(th->space);
		free(th);
		return NULL;
	}
	if (++t->count > t->size)
		grow_buckets(t);
	slot = tid_slot(tid, t->size);
	th->next = t->buckets[slot];
	t->buckets[slot] = th;
	t->last = th;
	return th;
}

static void forget(struct rt_threads *t, struct rt_thread *th)
{
	struct rt_thread **p = &t->buckets[tid_slot(th->tid, t->size)];

	while (*p != th)
		p = &(*p)->next;
	*p = th->next;
	t->count--;
	if (t->last == th)
		t->last = NULL;
	space_drop(th->space);
	free(th);
}

int rt_threads_comm(struct rt_threads *t, int32_t pid, int32_t tid, const char *comm)
{
	struct rt_thread *th = rt_threads_get(t, pid, tid);
	const char *name = th ? intern(t, comm) : NULL;

	if (!name)
		return -ENOMEM;
	th->comm = name;
	th->named = true;
	return 0;
}

static int clone_maps_into(struct rt_space *to, const struct rt_space *from)
{
	size_t i;
	int ret;

	if (!to->maps->count) {
		rt_maps_drop(to->maps);
		to->maps = rt_maps_hold(from->maps);
		return 0;
	}
	for (i = 0; i < from->maps->count; i++) {
		ret = rt_maps_insert(&to->maps, &from->maps->list[i]);
		if (ret)
			return ret;
	}
	return 0;
}

int rt_threads_fork(struct rt_threads *t, int32_t pid, int32_t tid, int32_t ppid, int32_t ptid,
		    bool clone_maps)
{
	struct rt_thread *th, *parent = rt_threads_get(t, ppid, ptid);

	/* A record was lost: the tid now belongs to another process. */
	if (parent && parent->pid != ppid) {
		forget(t, parent);
		parent = rt_threads_get(t, ppid, ptid);
	}
	th = rt_threads_find(t, pid, tid);
	if (th && th != parent)
		forget(t, th);
	th = rt_threads_get(t, pid, tid);
	/* Creating the child may also create its leader, but never moves the parent. */
	if (!th || !parent)
		return -ENOMEM;
	if (th == parent)
		return 0;
	if (parent->named) {
		th->comm = parent->comm;
		th->named = true;
	}
	if (th->pid == parent->pid || th->space == parent->space || !clone_maps)
		return 0;
	return clone_maps_into(th->space, parent->space);
}
