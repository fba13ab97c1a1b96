// SPDX-License-Identifier: GPL-2.0
#include "side_path.h"

#include <linux/bitops.h>
#include <linux/dcache.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "kernel/lockdown.h"
#include "kernel/task_call.h"

/* A kernel that was locked down after the session began: what is recorded goes on, without paths. */
#define LOCKED_DOWN "//lockdown"

#if !defined(CONFIG_PREEMPT_RT)

/* One for each CPU: preemption is off, and no interrupt handler maps anything. */
static char __percpu *rooms;

void rt_side_path(u8 maps, const struct rt_side_mmap *record, struct file *file, rt_side_told tell)
{
	const char *name;

	if (rt_lockdown_raised()) {
		tell(maps, record, LOCKED_DOWN);
		return;
	}
	name = d_path(&file->f_path, this_cpu_ptr(rooms), RT_SIDE_PATH_MAX);
	tell(maps, record, IS_ERR(name) ? "//toolong" : name);
}

int rt_side_path_init(void)
{
	rooms = __alloc_percpu_gfp(RT_SIDE_PATH_MAX, sizeof(long), GFP_KERNEL_ACCOUNT);
	return rooms ? 0 : -ENOMEM;
}

void rt_side_path_exit(void)
{
	free_percpu(rooms);
}

#else

/* The last directories of a path, found without locks: the fallback. */
static void tell_short(u8 maps, const struct rt_side_mmap *record, struct file *file,
		       rt_side_told tell)
{
	char room[128];

	scnprintf(room, sizeof(room), "%pD4", file);
	tell(maps, record, room);
}

enum { CALLS_MAX = 256 };

/* A path to look up later.  Preallocated: the probe's handler cannot allocate. */
struct call {
	struct rt_task_call call;
	struct rt_side_mmap record;
	struct file *file;
	rt_side_told tell;
	u8 maps;
};

static struct call *calls;
static DECLARE_BITMAP(taken, CALLS_MAX);

static struct call *take_call(void)
{
	unsigned long i;

	for (;;) {
		i = find_first_zero_bit(taken, CALLS_MAX);
		if (i >= CALLS_MAX)
			return NULL;
		/* Pairs with clear_bit_unlock() in give_back(): its last user is done. */
		if (!test_and_set_bit_lock(i, taken))
			return &calls[i];
	}
}

static void give_back(struct call *call)
{
	/* Pairs with test_and_set_bit_lock() in take_call(). */
	clear_bit_unlock(call - calls, taken);
}

/* Runs in the task itself, about to return to user space or to exit: it may sleep. */
static void find_path(struct rt_task_call *task_call)
{
	struct call *call = container_of(task_call, struct call, call);
	char *room = kmalloc(RT_SIDE_PATH_MAX, GFP_KERNEL);
	const char *name;

	if (current->flags & PF_EXITING) {
		/* The side-band already has the task's exit, and the task ran none of this code. */
	} else if (rt_lockdown_raised()) {
		call->tell(call->maps, &call->record, LOCKED_DOWN);
	} else if (room) {
		name = d_path(&call->file->f_path, room, RT_SIDE_PATH_MAX);
		call->tell(call->maps, &call->record, IS_ERR(name) ? "//toolong" : name);
	} else {
		tell_short(call->maps, &call->record, call->file, call->tell);
	}
	kfree(room);
	fput(call->file);
	give_back(call);
}

static bool call_later(u8 maps, const struct rt_side_mmap *record, struct file *file,
		       rt_side_told tell)
{
	struct call *call;

	if (current->flags & (PF_KTHREAD | PF_EXITING))
		return false;
	call = take_call();
	if (!call)
		return false;
	call->record = *record;
	call->file = get_file(file);
	call->tell = tell;
	call->maps = maps;
	if (rt_task_call(current, &call->call, find_path))
		return true;
	/* Not the last reference: the mapping has one. */
	fput(file);
	give_back(call);
	return false;
}

int rt_side_path_init(void)
{
	calls = kcalloc(CALLS_MAX, sizeof(*calls), GFP_KERNEL);
	return calls ? 0 : -ENOMEM;
}

void rt_side_path_exit(void)
{
	rt_task_calls_wait();
	kfree(calls);
}

void rt_side_path(u8 maps, const struct rt_side_mmap *record, struct file *file, rt_side_told tell)
{
	if (rt_lockdown_raised())
		tell(maps, record, LOCKED_DOWN);
	else if (!call_later(maps, record, file, tell))
		tell_short(maps, record, file, tell);
}

#endif
