// SPDX-License-Identifier: GPL-2.0
/*
 * side.c - the side-band.
 *
 * Fork and exit have tracepoints, modules a notifier.  No tracepoint knows the file of a
 * mapping, or whether a task's new name came with a new program: kprobes on the functions
 * that tell perf see what perf sees, every mmap, mprotect, the vdso, and every renaming.
 *
 * One set of hooks serves all sessions; each gets its copy of the record.
 */
#include <linux/fs.h>
#include <linux/kdev_t.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/mman.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/ptrace.h>
#include <linux/rculist.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include <uapi/ringtail.h>

#include "kprobe.h"
#include "ring.h"
#include "session.h"
#include "side.h"
#include "side_path.h"
#include "tracepoint.h"

/* Sessions that listen: read under RCU by the hooks, changed under the lock. */
static DEFINE_MUTEX(listeners_lock);
static LIST_HEAD(listeners);
static unsigned int data_listeners; /* those that also want mappings without code */

/* --- writing --------------------------------------------------------------------- */

/* Put one record into the ring of this CPU; its losses are counted by the ring. */
static void put(struct rt_session *session, u16 id, const void *fixed, u32 fixed_bytes,
		const char *text, u32 text_bytes)
{
	struct rt_ring *ring = READ_ONCE(session->side_ring[raw_smp_processor_id()]);
	u32 *record;
	char *to;

	if (!ring || !rt_ring_enter(ring, RT_CTX_TASK))
		return;
	record = rt_ring_reserve(ring, id, fixed_bytes + text_bytes);
	if (record) {
		to = rt_record_payload(record);
		memcpy(to, fixed, fixed_bytes);
		memcpy(to + fixed_bytes, text, text_bytes);
		rt_ring_commit(ring, record);
	}
	rt_ring_exit(ring, RT_CTX_TASK);
}

static void tell_those(bool data, u16 id, const void *fixed, u32 fixed_bytes, const char *text,
		       u32 text_bytes)
{
	struct rt_session *session;

	preempt_disable_notrace();
	list_for_each_entry_rcu(session, &listeners, listening)
		if (READ_ONCE(session->gate) && (!data || session->data_maps))
			put(session, id, fixed, fixed_bytes, text, text_bytes);
	preempt_enable_notrace();
}

static void tell(u16 id, const void *fixed, u32 fixed_bytes, const char *text, u32 text_bytes)
{
	tell_those(false, id, fixed, fixed_bytes, text, text_bytes);
}

static void sign(struct rt_side *by)
{
	by->pid = current->tgid;
	by->tid = current->pid;
}

/* --- tasks ----------------------------------------------------------------------- */

static void on_fork(void *unused, struct task_struct *parent, struct task_struct *child)
{
	struct rt_side_task record = {
		.pid = child->tgid,
		.tid = child->pid,
		.ppid = parent->tgid,
		.ptid = parent->pid,
	};

	sign(&record.by);
	tell(RT_SIDE_FORK, &record, sizeof(record), NULL, 0);
}

static void tell_exit(struct task_struct *task)
{
	struct rt_side_task record = { .pid = task->tgid, .tid = task->pid };

	rcu_read_lock();
	record.ppid = rcu_dereference(task->real_parent)->tgid;
	record.ptid = rcu_dereference(task->real_parent)->pid;
	rcu_read_unlock();
	sign(&record.by);
	tell(RT_SIDE_EXIT, &record, sizeof(record), NULL, 0);
}

/* The kernel has given this tracepoint further arguments; none of them is looked at. */
static void on_exit_task(void *unused, struct task_struct *task)
{
	tell_exit(task);
}

static int on_comm(struct kprobe *kp, struct pt_regs *regs)
{
	struct task_struct *task = (void *)regs_get_kernel_argument(regs, 0);
	struct rt_side_comm record = {
		.pid = task->tgid,
		.tid = task->pid,
		.exec = regs_get_kernel_argument(regs, 1) & 1,
	};

	strscpy(record.comm, task->comm, sizeof(record.comm));
	sign(&record.by);
	tell(RT_SIDE_COMM, &record, sizeof(record), NULL, 0);
	return 0;
}

static struct rt_hook hooks[] = {
	{ "sched_process_fork", on_fork },
	{ "sched_process_exit", on_exit_task },
};

/* --- mappings -------------------------------------------------------------------- */

/* Of what is not a file; as perf calls it. */
static const char *name_of(struct vm_area_struct *vma)
{
	const char *name;

	name = vma->vm_ops && vma->vm_ops->name ? vma->vm_ops->name(vma) : NULL;
	if (name)
		return name;
	if (!vma->vm_mm)
		return "[vdso]";
	if (vma->vm_start <= vma->vm_mm->brk && vma->vm_end >= vma->vm_mm->start_brk)
		return "[heap]";
	if (vma->vm_start <= vma->vm_mm->start_stack && vma->vm_end >= vma->vm_mm->start_stack)
		return "[stack]";
	return "//anon";
}

static void tell_mmap(bool data, const struct rt_side_mmap *record, const char *name)
{
	tell_those(data, RT_SIDE_MMAP, record, sizeof(*record), name, strlen(name) + 1);
}

static void describe_file(struct rt_side_mmap *record, const struct file *file)
{
	const struct inode *inode = file_inode(file);

	record->inode = inode->i_ino;
	record->generation = inode->i_generation;
	record->major = MAJOR(inode->i_sb->s_dev);
	record->minor = MINOR(inode->i_sb->s_dev);
}

static int on_mmap(struct kprobe *kp, struct pt_regs *regs)
{
	struct vm_area_struct *vma = (void *)regs_get_kernel_argument(regs, 0);
	struct rt_side_mmap record;
	bool data = !(vma->vm_flags & VM_EXEC);

	/* Unwinders find their tables in files, not necessarily where the code is mapped. */
	if (data && (!vma->vm_file || !READ_ONCE(data_listeners)))
		return 0;
	memset(&record, 0, sizeof(record));
	sign(&record.by);
	record.start = vma->vm_start;
	record.length = vma->vm_end - vma->vm_start;
	record.offset = (u64)vma->vm_pgoff << PAGE_SHIFT;
	record.protection = (vma->vm_flags & VM_READ ? PROT_READ : 0) |
			    (vma->vm_flags & VM_WRITE ? PROT_WRITE : 0) | (data ? 0 : PROT_EXEC);
	record.flags = vma->vm_flags & VM_MAYSHARE ? MAP_SHARED : MAP_PRIVATE;
	if (!vma->vm_file) {
		tell_mmap(data, &record, name_of(vma));
		return 0;
	}
	describe_file(&record, vma->vm_file);
	rt_side_path(data, &record, vma->vm_file, tell_mmap);
	return 0;
}

static struct kprobe mmap_probe;
static struct kprobe comm_probe;

/* --- modules --------------------------------------------------------------------- */

static int on_module(struct notifier_block *block, unsigned long state, void *data)
{
	struct module *module = data;
	struct rt_side_module record = { .gone = state == MODULE_STATE_GOING };

	if (state != MODULE_STATE_COMING && state != MODULE_STATE_GOING)
		return NOTIFY_DONE;
	record.base = rt_module_base(module);
	record.bytes = rt_module_bytes(module);
	strscpy(record.name, module->name, sizeof(record.name));
	sign(&record.by);
	tell(RT_SIDE_MODULE, &record, sizeof(record), NULL, 0);
	return NOTIFY_DONE;
}

static struct notifier_block module_notifier = { .notifier_call = on_module };

/* --- starting and stopping ------------------------------------------------------- */

/* Registration leaves its marks on the struct: begin afresh each time. */
static int listen(struct kprobe *probe, const char *function, kprobe_pre_handler_t handler)
{
	memset(probe, 0, sizeof(*probe));
	probe->symbol_name = function;
	probe->pre_handler = handler;
	return register_kprobe(probe);
}

static void unlisten(struct kprobe *probe)
{
	rt_kprobe_disable(probe);
	unregister_kprobe(probe);
}

static int hook(void)
{
	int err;

	err = rt_hooks_register(hooks, ARRAY_SIZE(hooks));
	if (err)
		return err;
	err = listen(&mmap_probe, "perf_event_mmap", on_mmap);
	if (err)
		goto err_hooks;
	err = listen(&comm_probe, "perf_event_comm", on_comm);
	if (err)
		goto err_mmap;
	err = register_module_notifier(&module_notifier);
	if (err)
		goto err_comm;
	return 0;

err_comm:
	unlisten(&comm_probe);
err_mmap:
	unlisten(&mmap_probe);
err_hooks:
	rt_hooks_unregister(hooks, ARRAY_SIZE(hooks));
	return err;
}

static void unhook(void)
{
	unregister_module_notifier(&module_notifier);
	unlisten(&comm_probe);
	unlisten(&mmap_probe);
	rt_hooks_unregister(hooks, ARRAY_SIZE(hooks));
}

int rt_side_start(struct rt_session *session)
{
	int err = 0;

	mutex_lock(&listeners_lock);
	if (list_empty(&listeners))
		err = hook();
	if (!err) {
		list_add_rcu(&session->listening, &listeners);
		WRITE_ONCE(data_listeners, data_listeners + session->data_maps);
	}
	mutex_unlock(&listeners_lock);
	return err;
}

void rt_side_stop(struct rt_session *session)
{
	mutex_lock(&listeners_lock);
	if (!list_empty(&session->listening)) {
		list_del_rcu(&session->listening);
		WRITE_ONCE(data_listeners, data_listeners - session->data_maps);
		/* Tracepoints, the probe and the notifier all run under RCU or wait here. */
		synchronize_rcu();
		INIT_LIST_HEAD(&session->listening);
		if (list_empty(&listeners))
			unhook();
	}
	mutex_unlock(&listeners_lock);
}
