// SPDX-License-Identifier: GPL-2.0
#include "image/tasks.h"

#include <string.h>

#define COMM	  16
#define TASKS_MAX (1U << 20) /* a ring that does not close must end, too */

struct walk {
	const struct rt_image *image;
	const struct rt_anchor_machine *machine;
	int (*fn)(void *arg, const struct rt_image_task *task);
	void *arg;
	__u32 count;
	bool broken;
};

static bool read_at(struct walk *w, __u64 virt, void *to, size_t bytes)
{
	if (w->count < TASKS_MAX && rt_image_read(w->image, virt - w->machine->linear, to, bytes))
		return true;
	w->broken = true;
	return false;
}

static int tell(struct walk *w, __u64 task)
{
	const struct rt_anchor_machine *m = w->machine;
	struct rt_image_task told = { 0 };

	w->count++;
	if (!read_at(w, task + m->tid, &told.tid, 4) || !read_at(w, task + m->tgid, &told.pid, 4) ||
	    !read_at(w, task + m->comm, told.comm, COMM))
		return 0;
	return w->fn(w->arg, &told);
}

/* The threads of TASK's process but TASK itself. */
static int walk_threads(struct walk *w, __u64 task)
{
	const struct rt_anchor_machine *m = w->machine;
	__u64 signal, head, link;
	int ret = 0;

	if (!m->threads || !read_at(w, task + m->signal, &signal, 8))
		return 0;
	head = signal + m->threads_head;
	if (!read_at(w, head, &link, 8))
		return 0;
	while (!ret && link != head) {
		if (link - m->threads != task)
			ret = tell(w, link - m->threads);
		else
			w->count++; /* a damaged link may lead to itself */
		if (ret || !read_at(w, link, &link, 8))
			break;
	}
	return ret;
}

int rt_image_tasks(const struct rt_image *image, const struct rt_anchor_machine *machine,
		   int (*fn)(void *arg, const struct rt_image_task *task), void *arg,
		   bool *complete)
{
	struct walk w = { image, machine, fn, arg, 0, false };
	__u64 end = machine->first_task_virt + machine->tasks, link;
	int ret = 0;

	if (!rt_image_read(image, machine->first_task + machine->tasks, &link, 8))
		w.broken = true;
	while (!ret && !w.broken && link != end) {
		ret = tell(&w, link - machine->tasks);
		if (!ret)
			ret = walk_threads(&w, link - machine->tasks);
		if (!ret)
			read_at(&w, link, &link, 8);
	}
	*complete = !w.broken;
	return ret;
}
