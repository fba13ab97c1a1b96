// SPDX-License-Identifier: GPL-2.0
/*
 * uprobe.c - the sources uprobe and uretprobe: a place in a file, in every process that maps the file
 * now or later.
 *
 * The kernel knows a user probe by inode and offset.  The program opens the file and gives the
 * descriptor, so that the path, its symbolic links and its mount namespace are resolved where the
 * user sees them, and a file that is replaced afterwards is not mistaken for this one.
 *
 * Registering a user probe patches the processes, so that happens only when the event is armed, and in a
 * worker (uprobe_worker.h).  The kernel looks at the instruction when the first process has it: only then
 * can it refuse.
 */
#include <linux/dcache.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/hash.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "event/event.h"
#include "event/place.h"
#include "event/user_side.h"
#include "uprobe.h"
#include "uprobe_hit.h"
#include "uprobe_worker.h"

/* What an instruction is aligned to, and a semaphore. */
#define INSTRUCTION_ALIGN (IS_ENABLED(CONFIG_ARM64) ? 4 : 1)
#define SEMAPHORE_ALIGN	  2

static bool is_return(const struct rt_event *event)
{
	return event->source->kind == RT_KIND_URETPROBE;
}

/* --- adding ---------------------------------------------------------------------- */

static int refuse(struct rt_refusal *refusal, u32 reason, u32 field, u64 detail, int err)
{
	refusal->reason = reason;
	refusal->field = field;
	refusal->detail = detail;
	return err;
}

/* Check what can be known without patching anything. */
static int check_place(const struct rt_user_probe *probe, struct rt_refusal *refusal)
{
	loff_t size = i_size_read(probe->inode);

	if (!S_ISREG(probe->inode->i_mode) || !(probe->file->f_mode & FMODE_READ))
		return refuse(refusal, RT_REFUSED_FILE, offsetof(struct rt_event_add, uprobe.file),
			      0, -EINVAL);
	if (!rt_compat_uprobe_reads(probe->inode))
		return refuse(refusal, RT_REFUSED_FILE, offsetof(struct rt_event_add, uprobe.file),
			      0, -EOPNOTSUPP);
	if (probe->offset < 0 || probe->offset >= size ||
	    !IS_ALIGNED(probe->offset, INSTRUCTION_ALIGN))
		return refuse(refusal, RT_REFUSED_FILE_OFFSET,
			      offsetof(struct rt_event_add, uprobe.offset), size, -EINVAL);
	if (!probe->semaphore)
		return 0;
	if (probe->semaphore < 0 || probe->semaphore >= size ||
	    !IS_ALIGNED(probe->semaphore, SEMAPHORE_ALIGN))
		return refuse(refusal, RT_REFUSED_FILE_OFFSET,
			      offsetof(struct rt_event_add, uprobe.semaphore), size, -EINVAL);
	if (!RT_COMPAT_UPROBE_SEMAPHORES)
		return refuse(refusal, RT_REFUSED_SEMAPHORE,
			      offsetof(struct rt_event_add, uprobe.semaphore), 0, -EOPNOTSUPP);
	return 0;
}

static void free_probe(struct rt_user_probe *probe)
{
	if (probe->file)
		fput(probe->file);
	kfree(probe);
}

static int uprobe_prepare(struct rt_event *event, const struct rt_event_add *add,
			  struct rt_refusal *refusal)
{
	struct rt_user_probe *probe;
	int err;

	if (!IS_ENABLED(CONFIG_UPROBES))
		return refuse(refusal, RT_REFUSED_KIND, offsetof(struct rt_event_add, kind), 0,
			      -EOPNOTSUPP);
	if (add->uprobe.reserved)
		return refuse(refusal, RT_REFUSED_FLAGS,
			      offsetof(struct rt_event_add, uprobe.reserved), 0, -EINVAL);
	err = rt_uprobe_worker_need(event->set);
	if (err)
		return err;
	probe = kzalloc(sizeof(*probe), GFP_KERNEL_ACCOUNT);
	if (!probe)
		return -ENOMEM;
	INIT_LIST_HEAD(&probe->link);
	probe->event = event;
	probe->offset = add->uprobe.offset;
	probe->semaphore = add->uprobe.semaphore;
	probe->file = fget(add->uprobe.file);
	if (probe->file) {
		probe->inode = rt_compat_mapped_inode(probe->file);
		err = check_place(probe, refusal);
	} else {
		err = refuse(refusal, RT_REFUSED_FILE, offsetof(struct rt_event_add, uprobe.file),
			     0, -EBADF);
	}
	if (err) {
		free_probe(probe);
		return err;
	}
	rt_user_probe_describe(probe, is_return(event));
	event->probe = probe;
	event->where = hash_64((unsigned long)probe->inode, 64) + probe->offset;
	return 0;
}

/* --- arming ---------------------------------------------------------------------- */

static struct rt_event_set *set_of(struct list_head *events)
{
	return list_first_entry(events, struct rt_event, link)->set;
}

static void uprobe_disarm(struct list_head *events)
{
	rt_uprobe_worker_disarm(set_of(events), events);
}

/* The kernel's own number for "not supported" means nothing to programs. */
#define KERNEL_ENOTSUPP 524

static int refuse_arming(struct rt_refusal *refusal, const struct rt_event *event, int err)
{
	const struct rt_user_probe *probe = event->probe;

	refusal->detail = event->id;
	switch (err) {
	case -EIO:
		refusal->reason = RT_REFUSED_FILE;
		return err;
	case -EINVAL:
	case -ENOEXEC:
	case -EOPNOTSUPP:
	case -KERNEL_ENOTSUPP:
		refusal->reason = probe->semaphore && err == -EINVAL ? RT_REFUSED_SEMAPHORE :
								       RT_REFUSED_INSTRUCTION;
		return -EOPNOTSUPP;
	default:
		refusal->reason = RT_REFUSED_ARMING;
		return err;
	}
}

static int uprobe_arm(struct list_head *events, struct rt_refusal *refusal)
{
	const struct rt_user_probe *probe;
	struct rt_event *event;
	int err = rt_uprobe_worker_arm(set_of(events), events);

	if (err)
		return err;
	list_for_each_entry(event, events, link) {
		probe = event->probe;
		if (!probe->err)
			continue;
		err = rt_event_arming_failed(event, refuse_arming(refusal, event, probe->err),
					     refusal);
		if (err) {
			uprobe_disarm(events);
			return err;
		}
	}
	return 0;
}

/* The worker has disarmed them: rt_uprobe_worker_end(). */
static void uprobe_release(struct list_head *events)
{
	struct rt_event *event;

	list_for_each_entry(event, events, link) {
		free_probe(event->probe);
		event->probe = NULL;
	}
}

static void uretprobe_missed(struct rt_event *event, u64 *missed)
{
	struct rt_user_probe *probe = event->probe;

	missed[RT_MISSED_INSTANCES] = atomic64_read(&probe->too_deep);
}

static u64 uprobe_works(void)
{
	if (!IS_ENABLED(CONFIG_UPROBES))
		return 0;
	return RT_SOURCE_UPROBE | (RT_COMPAT_UPROBE_SEMAPHORES ? RT_SOURCE_SEMAPHORE : 0) |
	       (RT_COMPAT_UPROBE_SHMEM ? RT_SOURCE_UPROBE_SHMEM : 0);
}

#define CONTEXTS                                                              \
	(1U << RT_CONTEXT_PID | 1U << RT_CONTEXT_TID | 1U << RT_CONTEXT_CPU | \
	 1U << RT_CONTEXT_PRIO | 1U << RT_CONTEXT_LEVEL | 1U << RT_CONTEXT_IP)

const struct rt_source rt_uprobe_source = {
	.kind = RT_KIND_UPROBE,
	.carry = RT_CARRY_STACK | RT_CARRY_REGISTERS | RT_CARRY_USER,
	.registers = RT_PORT_REGISTERS,
	.contexts = CONTEXTS,
	.lockdown = RT_LOCKDOWN_PERF | RT_LOCKDOWN_READ_KMEM,
	.crowd = RT_PLACE_EVENTS_MAX,
	.place = RT_PLACE_FILE,
	.argument = sizeof(struct rt_uprobe),
	.works = uprobe_works,
	.prepare = uprobe_prepare,
	.arm = uprobe_arm,
	.disarm = uprobe_disarm,
	.release = uprobe_release,
};

const struct rt_source rt_uretprobe_source = {
	.kind = RT_KIND_URETPROBE,
	.carry = RT_CARRY_STACK | RT_CARRY_REGISTERS | RT_CARRY_USER,
	.registers = RT_PORT_REGISTERS,
	.contexts = CONTEXTS | 1U << RT_CONTEXT_CALLER,
	.lockdown = RT_LOCKDOWN_PERF | RT_LOCKDOWN_READ_KMEM,
	.crowd = RT_PLACE_EVENTS_MAX,
	.place = RT_PLACE_FILE,
	.argument = sizeof(struct rt_uprobe),
	.works = uprobe_works,
	.prepare = uprobe_prepare,
	.arm = uprobe_arm,
	.disarm = uprobe_disarm,
	.missed = uretprobe_missed,
	.release = uprobe_release,
};
