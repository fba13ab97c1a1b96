// SPDX-License-Identifier: GPL-2.0
/*
 * A hash table of thread ids that only grows; each slot points to the thread's present life, and each
 * life to the one before it.  A life never changes, so that who looks up needs no lock:
 *
 *	A	a life, and the chunk that holds it, is complete before a slot points to it
 *	B	a slot is complete before its thread id is in it
 *	C	a larger table is complete before it replaces the other, which stays until nobody looks
 */
#include "record/tasks.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 1024, FIRST_LIVES = 1024, CHUNKS = 22 };

/* A thread id in the hands of one process. */
struct life {
	uint64_t since; /* time of the record that said so; 0: from the beginning */
	uint32_t pid;
	uint32_t before; /* the number of the life before, plus one; 0: none */
};

struct slot {
	uint32_t tid;  /* 0: free; the idle task is never stored */
	uint32_t life; /* its number */
};

struct table {
	struct table *replaced; /* the smaller one that it replaced */
	size_t room;		/* a power of two */
	struct slot slots[];
};

struct rt_tasks_shared {
	struct table *table;
	size_t used;		    /* slots */
	struct life *lives[CHUNKS]; /* each twice as large as the one before */
	uint32_t life_count;
	size_t needed; /* lives that the last renumbering left */
};

/* --- lives ------------------------------------------------------------------------- */

static struct life *life_at(const struct rt_tasks_shared *s, uint32_t number)
{
	uint32_t chunk = 31 - __builtin_clz(number / FIRST_LIVES + 1);

	return &s->lives[chunk][number - FIRST_LIVES * ((1u << chunk) - 1)];
}

/* The number of a new life, or -ENOMEM. */
static int64_t begin_life(struct rt_tasks_shared *s, struct life life)
{
	uint32_t number = s->life_count, chunk = 31 - __builtin_clz(number / FIRST_LIVES + 1);

	if (chunk >= CHUNKS)
		return -ENOMEM;
	if (!s->lives[chunk])
		s->lives[chunk] = malloc(((size_t)FIRST_LIVES << chunk) * sizeof(life));
	if (!s->lives[chunk])
		return -ENOMEM;
	*life_at(s, number) = life;
	s->life_count++;
	return number;
}

/* --- the table --------------------------------------------------------------------- */

static struct slot *find(struct table *table, uint32_t tid)
{
	size_t at = tid * 2654435761u & (table->room - 1);
	uint32_t there;

	for (;; at = (at + 1) & (table->room - 1)) {
		there = __atomic_load_n(&table->slots[at].tid, __ATOMIC_ACQUIRE); /* B */
		if (!there || there == tid)
			return &table->slots[at];
	}
}

static int grow(struct rt_tasks_shared *s)
{
	size_t room = s->table ? 2 * s->table->room : FIRST_ROOM, i;
	struct table *table = calloc(1, sizeof(*table) + room * sizeof(table->slots[0]));

	if (!table)
		return -ENOMEM;
	table->room = room;
	table->replaced = s->table;
	for (i = 0; s->table && i < s->table->room; i++)
		if (s->table->slots[i].tid)
			*find(table, s->table->slots[i].tid) = s->table->slots[i];
	__atomic_store_n(&s->table, table, __ATOMIC_RELEASE); /* C */
	return 0;
}

static void free_replaced(struct table *table)
{
	struct table *next;

	for (; table; table = next) {
		next = table->replaced;
		free(table);
	}
}

int rt_tasks_set(struct rt_tasks *t, uint32_t tid, uint32_t pid, uint64_t time)
{
	struct rt_tasks_shared *s = t->shared;
	uint32_t before = 0;
	struct slot *slot;
	int64_t life;

	if (!s)
		s = t->shared = calloc(1, sizeof(*s));
	if (!s || ((!s->table || 2 * (s->used + 1) > s->table->room) && grow(s)))
		return -ENOMEM;
	rt_tasks_look_again(t);
	slot = find(s->table, tid);
	if (slot->tid) {
		if (life_at(s, slot->life)->pid == pid)
			return 0;
		before = slot->life + 1;
	}
	life = begin_life(s, (struct life){ time, pid, before });
	if (life < 0)
		return life;
	__atomic_store_n(&slot->life, life, __ATOMIC_RELEASE); /* A */
	if (!slot->tid) {
		s->used++;
		__atomic_store_n(&slot->tid, tid, __ATOMIC_RELEASE); /* B */
	}
	return 0;
}

uint32_t rt_tasks_find(struct rt_tasks *t, uint32_t tid, uint64_t time)
{
	const struct rt_tasks_shared *s = t->shared;
	const struct life *life;
	struct table *table;
	struct slot *slot;

	if (!tid || !s)
		return tid;
	table = __atomic_load_n(&s->table, __ATOMIC_ACQUIRE); /* C */
	if (!table)
		return tid;
	slot = find(table, tid);
	if (!__atomic_load_n(&slot->tid, __ATOMIC_ACQUIRE)) /* B */
		return tid;
	life = life_at(s, __atomic_load_n(&slot->life, __ATOMIC_ACQUIRE)); /* A */
	if (time >= life->since) {
		t->last_tid = tid;
		t->last_pid = life->pid;
		t->last_since = life->since;
	}
	while (time < life->since && life->before)
		life = life_at(s, life->before - 1);
	return life->pid;
}

bool rt_tasks_known(const struct rt_tasks *t, uint32_t tid)
{
	return t->shared && t->shared->table && find(t->shared->table, tid)->tid;
}

size_t rt_tasks_count(const struct rt_tasks *t)
{
	return t->shared ? t->shared->used : 0;
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
			ret = rt_tasks_set(t, strtoul(d->d_name, NULL, 10), pid, 0);
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

/*
 * Copy the lives of a thread that events from TIME on need, newest first, to TO; the last one says that
 * there is none before it.  Return their number.
 */
static size_t copy_needed(const struct rt_tasks_shared *s, uint32_t number, uint64_t time,
			  struct life *to)
{
	size_t n;

	for (n = 0;; n++) {
		to[n] = *life_at(s, number);
		if (!to[n].before || to[n].since <= time)
			break;
		number = to[n].before - 1;
	}
	to[n].before = 0;
	return n + 1;
}

/* Store the lives of a thread, newest first, again; return the number of the newest. */
static uint32_t store_again(struct rt_tasks_shared *s, struct life *lives, size_t count)
{
	uint32_t number = 0;

	while (count--) {
		/* There is room: there were at least as many. */
		number = begin_life(s, lives[count]);
		if (count)
			lives[count - 1].before = number + 1;
	}
	return number;
}

/* Give lives new numbers, without those that ended before TIME. */
static void renumber(struct rt_tasks_shared *s, uint64_t time)
{
	struct life *needed = malloc(s->life_count * sizeof(*needed)), *next = needed;
	struct slot *slots = s->table->slots;
	size_t i, count;

	if (!needed)
		return;
	for (i = 0; i < s->table->room; i++)
		if (slots[i].tid)
			next += copy_needed(s, slots[i].life, time, next);
	s->life_count = 0;
	for (i = 0, next = needed; i < s->table->room; i++) {
		if (!slots[i].tid)
			continue;
		for (count = 1; next[count - 1].before; count++)
			;
		slots[i].life = store_again(s, next, count);
		next += count;
	}
	s->needed = s->life_count;
	free(needed);
}

bool rt_tasks_crowded(const struct rt_tasks *t)
{
	const struct rt_tasks_shared *s = t->shared;
	size_t needed;

	if (!s || !s->table)
		return false;
	needed = s->needed > s->used ? s->needed : s->used;
	return s->life_count > 2 * needed + FIRST_LIVES;
}

void rt_tasks_forget_before(struct rt_tasks *t, uint64_t time)
{
	struct rt_tasks_shared *s = t->shared;

	if (!s || !s->table)
		return;
	free_replaced(s->table->replaced);
	s->table->replaced = NULL;
	if (rt_tasks_crowded(t))
		renumber(s, time);
	rt_tasks_look_again(t);
}

void rt_tasks_free(struct rt_tasks *t)
{
	int i;

	if (!t->shared)
		return;
	for (i = 0; i < CHUNKS; i++)
		free(t->shared->lives[i]);
	free_replaced(t->shared->table);
	free(t->shared);
	t->shared = NULL;
}
