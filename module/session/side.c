// SPDX-License-Identifier: GPL-2.0
/*
 * side.c - the side-band.
 *
 * Fork and exit have tracepoints, and modules have a notifier.  No tracepoint knows the file of a
 * mapping, or whether a task's new name came with a new program.  For these, kprobes sit on the
 * functions by which the kernel informs perf, so they see what perf sees: every mmap and mprotect, the
 * vdso, and every change of a name.
 *
 * One set of hooks serves all sessions; each session gets its copy of a record.  If a hook fails, the
 * session goes on without those records, and INFO tells which ones are missing.
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
#include <linux/uaccess.h>
#include <trace/events/sched.h>

#include <uapi/ringtail.h>

#include "compat/perf_event.h"
#include "compat/traps.h"
#include "kernel/canary.h"
#include "kernel/lockdown.h"
#include "kernel/lookup.h"
#include "event/pids.h"
#include "ring/ring.h"
#include "session.h"
#include "side.h"
#include "side_path.h"
#include "kernel/hook.h"

/* Sessions that listen: read under RCU by the hooks, changed under the lock. */
static DEFINE_MUTEX(listeners_lock);
static LIST_HEAD(listeners);
static unsigned int maps_wanted[RT_MAPS_KINDS]; /* listeners of each enum rt_maps */

static unsigned int side_without;
module_param(side_without, uint, 0644);
MODULE_PARM_DESC(side_without,
		 "parts of the side-band to do without: bits 1 << RT_SIDE_* (default: 0)");

/*
 * Bits 1 << RT_SIDE_*: the hooks in place, and those that failed when they were last tried.  Written
 * under the lock; `missing` is read without it.
 */
static u32 hooked, missing;
static bool hooking; /* the hooks were put in place; under the lock */

/* --- writing --------------------------------------------------------------------- */

/* Each record begins with task ids: translate them to the session's pid namespace. */
static void side_translate(const struct rt_session *session, u16 id, u32 *ids)
{
	u32 count = sizeof(struct rt_side) / sizeof(*ids), i;

	if (id == RT_SIDE_FORK || id == RT_SIDE_EXIT)
		count = sizeof(struct rt_side_task) / sizeof(*ids);
	else if (id == RT_SIDE_COMM)
		count = offsetof(struct rt_side_comm, exec) / sizeof(*ids);
	rcu_read_lock();
	for (i = 0; i < count; i++)
		ids[i] = rt_pid_seen(session->channel.pids, find_pid_ns(ids[i], &init_pid_ns));
	rcu_read_unlock();
}

/* Put one record into the ring of this CPU; the ring counts losses. */
static void side_put(struct rt_session *session, u16 id, const void *fixed, u32 fixed_bytes,
		     const char *text, u32 text_bytes)
{
	struct rt_ring *ring = raw_cpu_read(session->channel.cpu->side_ring);
	u32 *record;
	char *to;

	if (!ring || !rt_ring_enter(ring, RT_LEVEL_TASK))
		return;
	record = rt_ring_reserve(ring, id, fixed_bytes + text_bytes);
	if (record) {
		to = rt_record_payload(record);
		memcpy(to, fixed, fixed_bytes);
		memcpy(to + fixed_bytes, text, text_bytes);
		if (session->channel.pids)
			side_translate(session, id, (u32 *)to);
		rt_ring_commit(ring, record);
	}
	rt_ring_exit(ring, RT_LEVEL_TASK);
}

/* Tell the sessions that want at least the mappings MAPS. */
static void tell_those(u8 maps, u16 id, const void *fixed, u32 fixed_bytes, const char *text,
		       u32 text_bytes)
{
	struct rt_session *session;

	preempt_disable_notrace();
	list_for_each_entry_rcu(session, &listeners, listening)
		if (session->maps >= maps)
			side_put(session, id, fixed, fixed_bytes, text, text_bytes);
	preempt_enable_notrace();
}

static void side_tell(u16 id, const void *fixed, u32 fixed_bytes, const char *text, u32 text_bytes)
{
	tell_those(RT_MAPS_CODE, id, fixed, fixed_bytes, text, text_bytes);
}

static void side_sign(struct rt_side *by)
{
	by->pid = current->tgid;
	by->tid = current->pid;
}

/* --- tasks ----------------------------------------------------------------------- */

static void side_on_fork(void *unused, struct task_struct *parent, struct task_struct *child)
{
	struct rt_side_task record = {
		.pid = child->tgid,
		.tid = child->pid,
		.ppid = parent->tgid,
		.ptid = parent->pid,
	};

	side_sign(&record.by);
	side_tell(RT_SIDE_FORK, &record, sizeof(record), NULL, 0);
}

static void tell_exit(struct task_struct *task)
{
	struct rt_side_task record = { .pid = task->tgid, .tid = task->pid };

	rcu_read_lock();
	record.ppid = rcu_dereference(task->real_parent)->tgid;
	record.ptid = rcu_dereference(task->real_parent)->pid;
	rcu_read_unlock();
	side_sign(&record.by);
	side_tell(RT_SIDE_EXIT, &record, sizeof(record), NULL, 0);
}

static void on_exit_task(void *unused, struct task_struct *task RT_COMPAT_EXIT_ARGUMENTS)
{
	tell_exit(task);
}

/* The task has the name of its new program and has not run any of it: recording may begin. */
static void open_gates(const struct task_struct *task)
{
	struct rt_session *session;

	preempt_disable_notrace();
	list_for_each_entry_rcu(session, &listeners, listening)
		if (unlikely(READ_ONCE(session->opener) == task->tgid)) {
			WRITE_ONCE(session->opener, 0);
			rt_session_open_gate(session);
		}
	preempt_enable_notrace();
}

static int side_on_comm(struct kprobe *kp, struct pt_regs *regs)
{
	struct task_struct *task = (void *)regs_get_kernel_argument(regs, 0);
	struct rt_side_comm record = {
		.pid = task->tgid,
		.tid = task->pid,
		.exec = rt_compat_comm_of_exec(regs),
	};

	strscpy(record.comm, task->comm, sizeof(record.comm));
	side_sign(&record.by);
	side_tell(RT_SIDE_COMM, &record, sizeof(record), NULL, 0);
	if (record.exec)
		open_gates(task);
	rt_compat_trap_end();
	return 0;
}

static struct rt_hook hooks[] = {
	RT_HOOK(sched_process_fork, side_on_fork),
	RT_HOOK(sched_process_exit, on_exit_task),
};

/* --- mappings -------------------------------------------------------------------- */

/* The name of a mapping without a file, as in perf. */
static const char *name_of(struct vm_area_struct *vma)
{
	const char *name;

	name = rt_compat_vma_name(vma);
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

static void tell_mmap(u8 maps, const struct rt_side_mmap *record, const char *name)
{
	tell_those(maps, RT_SIDE_MMAP, record, sizeof(*record), name, strlen(name) + 1);
}

static void describe_file(struct rt_side_mmap *record, const struct file *file)
{
	const struct inode *inode = file->f_inode;

	record->inode = inode->i_ino;
	record->generation = inode->i_generation;
	record->major = MAJOR(inode->i_sb->s_dev);
	record->minor = MINOR(inode->i_sb->s_dev);
}

/* The least enum rt_maps of a session that wants the mapping. */
static u8 maps_of(const struct vm_area_struct *vma)
{
	if (vma->vm_flags & VM_EXEC)
		return RT_MAPS_CODE;
	return vma->vm_file ? RT_MAPS_FILES : RT_MAPS_ALL;
}

static bool is_wanted(u8 maps)
{
	for (; maps < RT_MAPS_KINDS; maps++)
		if (READ_ONCE(maps_wanted[maps]))
			return true;
	return false;
}

static void on_mmap(struct pt_regs *regs)
{
	struct vm_area_struct *vma = (void *)regs_get_kernel_argument(regs, 0);
	struct rt_side_mmap record;
	u8 maps = maps_of(vma);

	if (!is_wanted(maps))
		return;
	memset(&record, 0, sizeof(record));
	side_sign(&record.by);
	record.start = vma->vm_start;
	record.length = vma->vm_end - vma->vm_start;
	record.offset = (u64)vma->vm_pgoff << PAGE_SHIFT;
	record.protection = (vma->vm_flags & VM_READ ? PROT_READ : 0) |
			    (vma->vm_flags & VM_WRITE ? PROT_WRITE : 0) |
			    (vma->vm_flags & VM_EXEC ? PROT_EXEC : 0);
	record.flags = vma->vm_flags & VM_MAYSHARE ? MAP_SHARED : MAP_PRIVATE;
	if (!vma->vm_file) {
		tell_mmap(maps, &record, name_of(vma));
		return;
	}
	describe_file(&record, vma->vm_file);
	rt_side_path(maps, &record, vma->vm_file, tell_mmap);
}

static int side_on_mmap(struct kprobe *kp, struct pt_regs *regs)
{
	on_mmap(regs);
	rt_compat_trap_end();
	return 0;
}

static struct kprobe mmap_probe;
static struct kprobe comm_probe;

/* --- modules --------------------------------------------------------------------- */

static int side_on_module(struct notifier_block *block, unsigned long state, void *data)
{
	struct module *module = data;
	struct rt_side_module record = { .gone = state == MODULE_STATE_GOING };

	if (state != MODULE_STATE_COMING && state != MODULE_STATE_GOING)
		return NOTIFY_DONE;
	record.base = rt_module_base(module);
	record.bytes = rt_module_bytes(module);
	strscpy(record.name, module->name, sizeof(record.name));
	side_sign(&record.by);
	side_tell(RT_SIDE_MODULE, &record, sizeof(record), NULL, 0);
	return NOTIFY_DONE;
}

static struct notifier_block module_notifier = { .notifier_call = side_on_module };

/* --- starting and stopping ------------------------------------------------------- */

/* Registration changes the struct: initialise it each time. */
static int side_listen_at(struct kprobe *probe, const char *function, unsigned int offset,
			  kprobe_pre_handler_t handler)
{
	memset(probe, 0, sizeof(*probe));
	probe->symbol_name = function;
	probe->offset = offset;
	probe->pre_handler = handler;
	return rt_kprobe_hook(probe);
}

static int side_listen(struct kprobe *probe, const char *function, kprobe_pre_handler_t handler)
{
	int err = side_listen_at(probe, function, 0, handler);
	unsigned long address;
	u8 code[2];

	if (err != -EINVAL)
		return err;
	address = rt_lookup_name(function);
	if (!address || copy_from_kernel_nofault(code, (void *)address, sizeof(code)) ||
	    !rt_compat_kprobe_skip(code))
		return err;
	return side_listen_at(probe, function, rt_compat_kprobe_skip(code), handler);
}

/* Note whether the hook of one part is in place. */
static void side_note(u32 part, int err)
{
	if (err)
		WRITE_ONCE(missing, missing | 1U << part);
	else
		hooked |= 1U << part;
}

static bool side_wanted(u32 part)
{
	return !(READ_ONCE(side_without) >> part & 1);
}

/* Probes that the kernel does not deliver count as missing. */
static void look_at_probes(void)
{
	const u32 probes = 1U << RT_SIDE_COMM | 1U << RT_SIDE_MMAP;

	if (!rt_canary_heard())
		WRITE_ONCE(missing, missing | (hooked & probes));
}

static void side_hook(void)
{
	hooked = 0;
	WRITE_ONCE(missing, 0);
	rt_lockdown_watch();
	rt_canary_hold();
	side_note(RT_SIDE_FORK,
		  side_wanted(RT_SIDE_FORK) ? rt_hooks_register(&hooks[0], 1) : -ENOENT);
	side_note(RT_SIDE_EXIT,
		  side_wanted(RT_SIDE_EXIT) ? rt_hooks_register(&hooks[1], 1) : -ENOENT);
	side_note(RT_SIDE_MMAP, side_wanted(RT_SIDE_MMAP) ?
					side_listen(&mmap_probe, "perf_event_mmap", side_on_mmap) :
					-ENOENT);
	side_note(RT_SIDE_COMM, side_wanted(RT_SIDE_COMM) ?
					side_listen(&comm_probe, "perf_event_comm", side_on_comm) :
					-ENOENT);
	side_note(RT_SIDE_MODULE, side_wanted(RT_SIDE_MODULE) ?
					  register_module_notifier(&module_notifier) :
					  -ENOENT);
	look_at_probes();
}

static void side_unhook(void)
{
	int i, count = 0, first, last;
	struct kprobe *probes[3];

	look_at_probes();
	if (hooked >> RT_SIDE_MODULE & 1)
		unregister_module_notifier(&module_notifier);
	if (hooked >> RT_SIDE_COMM & 1)
		probes[count++] = &comm_probe;
	if (hooked >> RT_SIDE_MMAP & 1)
		probes[count++] = &mmap_probe;
	probes[count] = rt_canary_let_go();
	count += !!probes[count];
	for (i = 0; i < count; i++)
		rt_kprobe_disable(probes[i]);
	/* All in one call, which waits for one grace period. */
	unregister_kprobes(probes, count);
	first = hooked >> RT_SIDE_FORK & 1 ? 0 : 1;
	last = hooked >> RT_SIDE_EXIT & 1 ? 1 : 0;
	if (first <= last)
		rt_hooks_unregister(&hooks[first], last - first + 1);
	hooked = 0;
	rt_lockdown_unwatch();
}

u32 rt_side_missing(void)
{
	return READ_ONCE(missing);
}

/* Try all hooks once, so that INFO knows the result before the first session.  Not under lockdown. */
void __init rt_side_try(void)
{
	if (rt_lockdown_refused() & RT_LOCKDOWN_KPROBES)
		return;
	mutex_lock(&listeners_lock);
	side_hook();
	side_unhook();
	mutex_unlock(&listeners_lock);
}

int rt_side_start(struct rt_session *session)
{
	if (mutex_lock_killable(&listeners_lock))
		return -EINTR;
	/* They stay from one session to the next if that one comes before rt_side_stop() has the lock again. */
	if (!hooking) {
		side_hook();
		hooking = true;
	}
	list_add_rcu(&session->listening, &listeners);
	WRITE_ONCE(maps_wanted[session->maps], maps_wanted[session->maps] + 1);
	mutex_unlock(&listeners_lock);
	return 0;
}

void rt_side_stop(struct rt_session *session)
{
	if (list_empty(&session->listening))
		return;
	mutex_lock(&listeners_lock);
	list_del_rcu(&session->listening);
	WRITE_ONCE(maps_wanted[session->maps], maps_wanted[session->maps] - 1);
	mutex_unlock(&listeners_lock);
	/* All hooks walk the list with preemption off.  Without the lock: sessions that end together wait together. */
	synchronize_rcu();
	INIT_LIST_HEAD(&session->listening);
	mutex_lock(&listeners_lock);
	if (list_empty(&listeners) && hooking) {
		side_unhook();
		hooking = false;
	}
	mutex_unlock(&listeners_lock);
}
