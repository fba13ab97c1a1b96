// SPDX-License-Identifier: GPL-2.0
#include <linux/dcache.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include "compat/task.h"
#include "kernel/lookup.h"
#include "uprobe_armed.h"
#include "uprobe_hit.h"
#include "uprobe_left.h"

#ifdef CONFIG_UPROBES

/* Places that the log names one by one. */
#define TOLD_MAX 8
/* Attempts to take the lock of a process that maps something at the moment, one a millisecond. */
#define LOCK_TRIES 20
/* Mappings of one process that are noted before its lock is given back. */
#define MAPPINGS 16

/* A mapping that may have breakpoints. */
struct mapping {
	unsigned long start, end;
	loff_t offset;
	const struct inode *inode;
};

struct look {
	struct list_head *probes;
	typeof(&access_process_vm) read;
	void (*step)(void *argument);
	void *argument;
	struct mapping mappings[MAPPINGS];
};

/* --- processes --------------------------------------------------------------------- */

/* A thread of the process that still has its memory; under RCU. */
static struct task_struct *thread_of(struct task_struct *process)
{
	struct task_struct *thread;

	for_each_thread(process,
			thread) if (thread->mm && !(thread->flags & PF_KTHREAD)) return thread;
	return NULL;
}

/* All processes with a reference for each, and a NULL; or NULL. */
static struct task_struct **all_processes(void)
{
	struct task_struct *process, *thread, **tasks;
	size_t room = 64, used = 0;

	rcu_read_lock();
	for_each_process(process) room++;
	rcu_read_unlock();
	/* Those that are forked meanwhile are copies of those that the kernel has cleaned. */
	tasks = kvcalloc(room + 1, sizeof(*tasks), GFP_KERNEL);
	if (!tasks)
		return NULL;
	rcu_read_lock();
	for_each_process(process)
	{
		thread = thread_of(process);
		if (!thread)
			continue;
		if (used == room)
			break;
		get_task_struct(thread);
		tasks[used++] = thread;
	}
	rcu_read_unlock();
	return tasks;
}

/* --- one process ------------------------------------------------------------------- */

static bool is_probed(const struct look *look, const struct inode *inode)
{
	const struct rt_user_probe *probe;

	list_for_each_entry(probe, look->probes, link)
		if (probe->left && probe->inode == inode)
			return true;
	return false;
}

/* A breakpoint is in a page of the process's own: in a private mapping with such pages.  Not in its data. */
static bool may_have(const struct look *look, const struct vm_area_struct *vma)
{
	return vma->vm_file && vma->anon_vma && !(vma->vm_flags & VM_MAYSHARE) &&
	       (vma->vm_flags & (VM_EXEC | VM_WRITE)) != VM_WRITE &&
	       is_probed(look, file_inode(vma->vm_file));
}

static bool lock(struct mm_struct *mm)
{
	int tries;

	for (tries = 0; tries < LOCK_TRIES; tries++) {
		if (mmap_read_trylock(mm))
			return true;
		msleep(1);
	}
	return false;
}

/* Note mappings from *FROM on; where to go on, 0: nowhere.  The number of mappings. */
static size_t note_mappings(struct look *look, struct mm_struct *mm, unsigned long *from)
{
	struct vm_area_struct *vma;
	size_t count = 0;

	if (!lock(mm)) {
		*from = 0;
		return 0;
	}
	for (vma = find_vma(mm, *from); vma && count < MAPPINGS; vma = find_vma(mm, vma->vm_end))
		if (may_have(look, vma))
			look->mappings[count++] = (struct mapping){
				.start = vma->vm_start,
				.end = vma->vm_end,
				.offset = (loff_t)vma->vm_pgoff << PAGE_SHIFT,
				.inode = file_inode(vma->vm_file),
			};
	*from = vma ? look->mappings[MAPPINGS - 1].end : 0;
	mmap_read_unlock(mm);
	return count;
}

static void look_at(const struct look *look, const struct mapping *mapping,
		    struct task_struct *task)
{
	struct rt_user_probe *probe;
	uprobe_opcode_t opcode;
	unsigned long at;

	list_for_each_entry(probe, look->probes, link) {
		if (!probe->left || probe->inode != mapping->inode ||
		    probe->offset < mapping->offset ||
		    probe->offset - mapping->offset >= mapping->end - mapping->start)
			continue;
		at = mapping->start + (probe->offset - mapping->offset);
		if (look->read(task, at, &opcode, UPROBE_SWBP_INSN_SIZE, 0) !=
			    UPROBE_SWBP_INSN_SIZE ||
		    opcode != UPROBE_SWBP_INSN)
			continue;
		if (!probe->left_in++)
			probe->left_pid = task_tgid_nr(task);
		cond_resched();
	}
}

static void look_into(struct look *look, struct task_struct *task)
{
	struct mm_struct *mm = get_task_mm(task);
	unsigned long from = 0;
	size_t count, i;

	if (!mm)
		return;
	do {
		count = note_mappings(look, mm, &from);
		for (i = 0; i < count; i++)
			look_at(look, &look->mappings[i], task);
	} while (from);
	mmput(mm);
}

/* Another session may have its own probe there; it looks when it ends. */
static void forget_armed(struct list_head *probes)
{
	struct rt_user_probe *probe;

	list_for_each_entry(probe, probes, link)
		probe->left = probe->left && !rt_uprobe_armed_at(probe->inode, probe->offset);
}

/* Count the processes that have a breakpoint at the marked places; keep the mark of those. */
static bool look_everywhere(struct look *look)
{
	struct task_struct **tasks = all_processes(), **task;
	struct rt_user_probe *probe;
	bool any = false;

	forget_armed(look->probes);
	list_for_each_entry(probe, look->probes, link)
		probe->left_in = 0;
	for (task = tasks; tasks && *task; task++) {
		look_into(look, *task);
		put_task_struct(*task);
		look->step(look->argument);
	}
	kvfree(tasks);
	/* One that was armed while we looked. */
	forget_armed(look->probes);
	list_for_each_entry(probe, look->probes, link) {
		probe->left = probe->left && probe->left_in;
		any |= probe->left;
	}
	return any;
}

/* --- trying again ------------------------------------------------------------------ */

static int handle_nothing(struct uprobe_consumer *self, struct pt_regs *regs RT_COMPAT_UPROBE_DATA)
{
	return 0;
}

static bool refuse_all(struct uprobe_consumer *self, RT_COMPAT_UPROBE_CONTEXT struct mm_struct *mm)
{
	return false;
}

/*
 * A consumer that wants no process: registering it patches nothing, and unregistering it makes the kernel
 * remove the breakpoint from all processes that no consumer wants.
 */
static void try_again(const struct rt_user_probe *probe)
{
	struct uprobe_consumer nobody = { .handler = handle_nothing, .filter = refuse_all };
	struct rt_compat_uprobe *armed;

	armed = rt_compat_uprobe_register(probe->inode, probe->offset, probe->semaphore, &nobody);
	if (IS_ERR(armed))
		return;
	rt_compat_uprobe_unregister(armed, probe->inode, probe->offset, &nobody);
	rt_compat_uprobe_sync();
}

static void try_all_again(struct look *look)
{
	const struct rt_user_probe *probe;

	list_for_each_entry(probe, look->probes, link) {
		if (!probe->left)
			continue;
		try_again(probe);
		look->step(look->argument);
	}
}

/* --- the log ----------------------------------------------------------------------- */

static void tell(const struct rt_user_probe *probe, char *room)
{
	const char *path = room ? d_path(&probe->file->f_path, room, PATH_MAX) : ERR_PTR(-ENOMEM);

	pr_warn("ringtail: the user probe at %s+0x%llx is removed, but process %d%s still has a breakpoint there: another tracer's, or the kernel could not remove it; if nothing traces it, restart the process\n",
		IS_ERR(path) ? "?" : path, (unsigned long long)probe->offset, probe->left_pid,
		probe->left_in > 1 ? ", as others," : "");
}

static void tell_all(const struct look *look)
{
	char *room = kmalloc(PATH_MAX, GFP_KERNEL);
	struct rt_user_probe *probe;
	unsigned int count = 0;

	list_for_each_entry(probe, look->probes, link) {
		if (probe->left && count++ < TOLD_MAX)
			tell(probe, room);
		probe->left = false;
	}
	if (count > TOLD_MAX)
		pr_warn("ringtail: the same at %u more places\n", count - TOLD_MAX);
	kfree(room);
}

void rt_uprobe_left_remove(struct list_head *probes, void (*step)(void *argument), void *argument)
{
	struct look *look = kzalloc(sizeof(*look), GFP_KERNEL);

	if (!look)
		return;
	look->probes = probes;
	look->step = step;
	look->argument = argument;
	look->read = rt_compat_access_process_vm;
	if (!look->read)
		look->read = (void *)rt_lookup_callable("access_process_vm");
	if (look->read && look_everywhere(look)) {
		try_all_again(look);
		if (look_everywhere(look))
			tell_all(look);
	}
	kfree(look);
}

#else

void rt_uprobe_left_remove(struct list_head *probes, void (*step)(void *argument), void *argument)
{
}

#endif
