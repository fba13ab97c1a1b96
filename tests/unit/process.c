// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "process/threads.h"
#include "tap.h"

static char objects[8];

#define OBJ(i) ((struct rt_object *)&objects[i])

static void add(struct rt_maps **m, uint64_t start, uint64_t end, uint64_t pgoff, int obj)
{
	struct rt_map map = { .start = start, .end = end, .pgoff = pgoff, .object = OBJ(obj) };

	rt_maps_insert(m, &map);
}

/* "10-20@0=a 30-40@5=b" */
static const char *show(const struct rt_maps *m)
{
	static char text[512];
	size_t i, n = 0;

	text[0] = 0;
	for (i = 0; i < m->count; i++)
		n += snprintf(text + n, sizeof(text) - n, "%s%llx-%llx@%llx=%c", i ? " " : "",
			      (unsigned long long)m->list[i].start,
			      (unsigned long long)m->list[i].end,
			      (unsigned long long)m->list[i].pgoff,
			      (int)('a' + ((char *)m->list[i].object - objects)));
	return text;
}

static void test_maps(void)
{
	struct rt_maps *m = rt_maps_new(), *held;
	uint64_t id;

	add(&m, 0x30, 0x40, 0, 1);
	add(&m, 0x10, 0x20, 0, 0);
	add(&m, 0x40, 0x50, 0, 2);
	is_str(show(m), "10-20@0=a 30-40@0=b 40-50@0=c", "sorted by address");
	ok(rt_maps_find(m, 0x10) == &m->list[0] && rt_maps_find(m, 0x3f) == &m->list[1] &&
		   !rt_maps_find(m, 0x20) && !rt_maps_find(m, 0x50) && !rt_maps_find(m, 0),
	   "found by address, its end not included");
	add(&m, 0x34, 0x38, 7, 3);
	is_str(show(m), "10-20@0=a 30-34@0=b 34-38@7=d 38-40@8=b 40-50@0=c",
	       "a mapping inside another splits it, offsets follow");
	add(&m, 0x18, 0x3c, 0, 4);
	is_str(show(m), "10-18@0=a 18-3c@0=e 3c-40@c=b 40-50@0=c", "and cuts what it reaches into");
	add(&m, 0, 0x100, 0, 5);
	is_str(show(m), "0-100@0=f", "and covers all");
	add(&m, 0x20, 0x20, 0, 1);
	add(&m, 0x30, 0x20, 0, 1);
	is_str(show(m), "0-100@0=f", "empty and backward mappings are not taken");

	held = rt_maps_hold(m);
	id = held->id;
	add(&m, 0x10, 0x20, 0, 0);
	is_str(show(held), "0-100@0=f", "a list that is held does not change");
	ok(m != held && m->id != id, "the change is in another list");
	rt_maps_drop(held);
	rt_maps_drop(m);
}

/* Against a byte-by-byte model. */
static void test_maps_random(void)
{
	struct rt_maps *m = rt_maps_new();
	uint64_t file[256], at;
	int owner[256], i, bad = 0;

	srand(1);
	memset(owner, -1, sizeof(owner));
	for (i = 0; i < 20000; i++) {
		int start = rand() % 256, end = start + rand() % (257 - start), obj = rand() % 8;
		uint64_t pgoff = rand() % 1000;

		add(&m, start, end, pgoff, obj);
		for (at = start; at < (uint64_t)end; at++) {
			owner[at] = obj;
			file[at] = pgoff + at - start;
		}
		if (i % 97)
			continue;
		for (at = 0; at < 256; at++) {
			const struct rt_map *f = rt_maps_find(m, at);

			if (owner[at] < 0 ? !!f :
					    !f || f->object != OBJ(owner[at]) ||
						    at - f->start + f->pgoff != file[at])
				bad++;
		}
	}
	is_int(bad, 0, "twenty thousand random mappings agree with a model");
	rt_maps_drop(m);
}

static void test_threads(void)
{
	struct rt_threads *t = rt_threads_new();
	struct rt_thread *a, *b;
	int i;

	a = rt_threads_get(t, 10, 10);
	is_str(a->comm, ":10", "an unknown thread is called by its tid");
	rt_threads_comm(t, 10, 10, "sh");
	is_str(a->comm, "sh", "a COMM record names it");
	add(&a->space->maps, 0x10, 0x20, 0, 0);

	rt_threads_fork(t, 11, 11, 10, 10, true);
	b = rt_threads_find(t, 11, 11);
	is_str(b->comm, "sh", "a child has its parent's name");
	is_str(show(b->space->maps), "10-20@0=a", "and its mappings");
	add(&b->space->maps, 0x30, 0x40, 0, 1);
	is_str(show(a->space->maps), "10-20@0=a", "the parent's stay its own");
	rt_threads_comm(t, 11, 11, "ls");
	is_str(a->comm, "sh", "so does its name");

	rt_threads_fork(t, 10, 12, 10, 10, true);
	b = rt_threads_find(t, 10, 12);
	ok(b->space == a->space, "a new thread shares its process's mappings");
	rt_threads_fork(t, 13, 13, 10, 10, false);
	is_int(rt_threads_find(t, 13, 13)->space->maps->count, 0,
	       "a made-up fork brings no mappings");

	b = rt_threads_get(t, -1, 20);
	is_int(b->pid, -1, "a thread of an unknown process");
	b = rt_threads_get(t, 10, 20);
	ok(b->pid == 10 && b->space == a->space, "joins the process when that becomes known");

	b = rt_threads_get(t, 30, 31);
	ok(rt_threads_find(t, 30, 30) && b->space == rt_threads_find(t, 30, 30)->space,
	   "a thread brings its leader");

	rt_threads_fork(t, 11, 11, 30, 30, true);
	is_str(rt_threads_find(t, 11, 11)->comm, ":11", "a tid that comes again is another thread");
	rt_threads_fork(t, 50, 51, 99, 12, true);
	is_int(rt_threads_find(t, 99, 12)->pid, 99, "a parent of the wrong process is replaced");
	rt_threads_fork(t, 60, 60, 60, 60, true);
	ok(rt_threads_find(t, 60, 60), "a thread that is its own parent does no harm");
	ok(!rt_threads_find(t, 70, 70), "looking does not make a thread");
	for (i = 100; i < 5000; i++)
		rt_threads_comm(t, i, i, i & 1 ? "odd" : "even");
	for (i = 100; i < 5000; i++)
		if (strcmp(rt_threads_find(t, i, i)->comm, i & 1 ? "odd" : "even"))
			break;
	is_int(i, 5000, "five thousand threads are kept apart");
	rt_threads_free(t);
}

int main(void)
{
	test_maps();
	test_maps_random();
	test_threads();
	return tap_done();
}
