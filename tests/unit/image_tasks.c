// SPDX-License-Identifier: GPL-2.0
/* image_tasks.c - the tasks of a machine, from the links in its memory, whole and damaged. */
#include <string.h>
#include <unistd.h>

#include "tap.h"
#include "image/tasks.h"

#define BASE	0x1000U
#define FIRST	BASE
#define LEADER	(BASE + 0x100)
#define THREAD	(BASE + 0x200)
#define SIGNAL	(BASE + 0x300)
#define NO_TASK 0x7000U

/* Where things are in a task. */
enum { TASKS = 0, THREADS = 8, SHARED = 16, TID = 24, PID = 28, NAME = 32 };

static char memory[4096] __attribute__((aligned(8)));

static size_t read_memory(struct rt_bytes *b, uint64_t at, void *to, size_t bytes)
{
	if (at >= sizeof(memory))
		return 0;
	if (bytes > sizeof(memory) - at)
		bytes = sizeof(memory) - at;
	memcpy(to, memory + at, bytes);
	return bytes;
}

static void close_memory(struct rt_bytes *b)
{
}

static struct rt_bytes source = { .read = read_memory,
				  .close = close_memory,
				  .size = sizeof(memory) };

static void link_to(uint64_t at, uint64_t to)
{
	memcpy(memory + at - BASE, &to, sizeof(to));
}

static void make_task(uint64_t at, uint32_t tid, uint32_t pid, const char *name)
{
	memcpy(memory + at - BASE + TID, &tid, sizeof(tid));
	memcpy(memory + at - BASE + PID, &pid, sizeof(pid));
	strcpy(memory + at - BASE + NAME, name);
}

/* The first task, and a process of two threads. */
static void make_machine(void)
{
	memset(memory, 0, sizeof(memory));
	make_task(LEADER, 7, 7, "leader");
	make_task(THREAD, 8, 7, "thread");
	link_to(FIRST + TASKS, LEADER + TASKS);
	link_to(LEADER + TASKS, FIRST + TASKS);
	link_to(LEADER + SHARED, SIGNAL);
	link_to(SIGNAL, LEADER + THREADS);
	link_to(LEADER + THREADS, THREAD + THREADS);
	link_to(THREAD + THREADS, SIGNAL);
}

static int count_task(void *arg, const struct rt_image_task *task)
{
	uint32_t *sum = arg;

	*sum += task->pid == 7 ? task->tid : 1000;
	return 0;
}

static uint32_t walk(bool *complete)
{
	static const struct rt_anchor_machine machine = {
		.tid = TID,
		.tgid = PID,
		.comm = NAME,
		.tasks = TASKS,
		.threads = THREADS,
		.signal = SHARED,
		.first_task = FIRST,
		.first_task_virt = FIRST,
	};
	struct rt_extents *extents = rt_extents_new(&source, "memory");
	struct rt_image image = { .memory = rt_extents_memory(extents) };
	uint32_t sum = 0;

	rt_extents_add(extents, BASE, 0, sizeof(memory), sizeof(memory));
	rt_image_tasks(&image, &machine, count_task, &sum, complete);
	image.memory->ops->close(image.memory);
	return sum;
}

int main(void)
{
	bool complete;

	alarm(60); /* a walk that does not end */
	make_machine();
	ok(walk(&complete) == 7 + 8 && complete, "a process and its thread, each once");
	link_to(LEADER + THREADS, LEADER + THREADS);
	walk(&complete);
	ok(!complete, "a thread whose link leads to itself: the walk ends and is not complete");
	make_machine();
	link_to(THREAD + THREADS, LEADER + THREADS);
	walk(&complete);
	ok(!complete, "so does a ring of threads without its head");
	make_machine();
	link_to(LEADER + TASKS, LEADER + TASKS);
	walk(&complete);
	ok(!complete, "so does a process whose link leads to itself");
	make_machine();
	link_to(LEADER + THREADS, NO_TASK);
	ok(walk(&complete) == 7 && !complete, "a link that leads out of memory");
	return tap_done();
}
