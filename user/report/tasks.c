// SPDX-License-Identifier: GPL-2.0
#include "report/tasks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "process/machine.h"
#include "report/key_text.h"

#define DEPTH_MAX 256 /* tasks of tasks */
#define BUCKETS	  256 /* perf's order: by the tid modulo this, then by the tid */

struct task {
	int32_t pid, tid, parent;
	size_t child, last, sibling; /* plus 1; 0: none */
	bool placed;
};

struct tasks {
	struct task *list;
	size_t count, room;
	struct rt_index index; /* by tid */
	struct task root;      /* the parent of those whose parent is unknown */
	bool failed;
};

static struct task *find(const struct tasks *t, int32_t tid)
{
	struct rt_index_probe probe;
	uint32_t i;

	for (i = rt_index_first(&t->index, rt_hash_mix((uint32_t)tid, 0), &probe); i;
	     i = rt_index_next(&t->index, &probe))
		if (t->list[i - 1].tid == tid)
			return &t->list[i - 1];
	return NULL;
}

static struct task *get(struct tasks *t, int32_t pid, int32_t tid)
{
	struct task *task = find(t, tid);

	if (task)
		return task;
	if (t->count == t->room) {
		size_t room = t->room ? 2 * t->room : 64;
		void *list = realloc(t->list, room * sizeof(*t->list));

		if (!list) {
			t->failed = true;
			return NULL;
		}
		t->list = list;
		t->room = room;
	}
	if (!rt_index_add(&t->index, rt_hash_mix((uint32_t)tid, 0), (uint32_t)t->count + 1)) {
		t->failed = true;
		return NULL;
	}
	task = &t->list[t->count++];
	*task = (struct task){ .pid = pid, .tid = tid, .parent = -1 };
	return task;
}

static void on_record(void *arg, const struct rt_perf_record *rec)
{
	const struct rt_perf_record_task *fork = (const void *)rec->hdr;
	const struct rt_perf_record_comm *comm = (const void *)rec->hdr;
	struct task *task;

	if (rec->hdr->type == RT_PERF_RECORD_COMM && rec->hdr->size >= sizeof(*comm)) {
		get(arg, (int32_t)comm->pid, (int32_t)comm->tid);
	} else if (rec->hdr->type == RT_PERF_RECORD_FORK && rec->hdr->size >= sizeof(*fork)) {
		get(arg, (int32_t)fork->ppid, (int32_t)fork->ptid);
		task = get(arg, (int32_t)fork->pid, (int32_t)fork->tid);
		if (task)
			task->parent = (int32_t)fork->ptid;
	}
}

static int on_sample(void *arg, const struct rt_profile_sample *s, struct rt_err *err)
{
	struct tasks *t = arg;

	get(t, s->thread->pid, s->thread->tid);
	return t->failed ? rt_err_set(err, ENOMEM, "out of memory") : 0;
}

static int compare(const void *one, const void *two)
{
	const struct task *a = one, *b = two;
	uint32_t in_a = (uint32_t)a->tid % BUCKETS, in_b = (uint32_t)b->tid % BUCKETS;

	if (in_a != in_b)
		return in_a < in_b ? -1 : 1;
	return (a->tid > b->tid) - (a->tid < b->tid);
}

/* Sort, and look tasks up by their new places. */
static bool sort(struct tasks *t)
{
	size_t i;

	qsort(t->list, t->count, sizeof(*t->list), compare);
	rt_index_free(&t->index);
	for (i = 0; i < t->count; i++)
		if (!rt_index_add(&t->index, rt_hash_mix((uint32_t)t->list[i].tid, 0),
				  (uint32_t)i + 1))
			return false;
	return true;
}

static void put(struct tasks *t, struct rt_report *r, struct task *task, int level,
		struct rt_text *out)
{
	const struct rt_thread *th =
		rt_threads_find(rt_profile_machine(r->profile)->threads, -1, task->tid);
	size_t i;

	rt_text_printf(out, "%10d %8d %8d |%*s", task->pid, task->tid, task->parent, level, "");
	rt_key_put_all(r, th ? th->comm : "", out);
	rt_text_char(out, '\n');
	for (i = task->child; i && level < DEPTH_MAX; i = t->list[i - 1].sibling)
		put(t, r, &t->list[i - 1], level + 1, out);
}

/* Append a task to the children of its parent, and the parent to its own. */
static void link_up(struct tasks *t, struct task *task)
{
	while (!task->placed) {
		struct task *parent = task->parent == -1 ? NULL : find(t, task->parent);
		struct task *to = parent ? parent : &t->root;
		size_t number = (size_t)(task - t->list) + 1;

		if (to->last)
			t->list[to->last - 1].sibling = number;
		else
			to->child = number;
		to->last = number;
		task->placed = true;
		if (!parent)
			return;
		task = parent;
	}
}

int rt_tasks_print(struct rt_report *r, FILE *out, struct rt_err *err)
{
	struct tasks t = { 0 };
	struct rt_text text;
	size_t i;
	int ret;

	get(&t, 0, 0);
	rt_profile_on_record(r->profile, on_record, &t);
	ret = rt_profile_read(r->profile, on_sample, &t, err);
	rt_profile_on_record(r->profile, NULL, NULL);
	rt_text_init(&text);
	if (!t.failed && sort(&t)) {
		for (i = 0; i < t.count; i++)
			link_up(&t, &t.list[i]);
		rt_text_printf(&text, "# %8s %8s %8s  %s\n", "pid", "tid", "ppid", "comm");
		for (i = t.root.child; i; i = t.list[i - 1].sibling)
			put(&t, r, &t.list[i - 1], 0, &text);
	}
	if (!ret && (t.failed || text.failed))
		ret = rt_err_set(err, ENOMEM, "out of memory");
	if (text.len && fwrite(text.base, 1, text.len, out) != text.len && !ret)
		ret = rt_err_set(err, EIO, "cannot write the output");
	rt_text_free(&text);
	rt_index_free(&t.index);
	free(t.list);
	return ret;
}
