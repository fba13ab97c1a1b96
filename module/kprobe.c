// SPDX-License-Identifier: GPL-2.0
/*
 * kprobe.c - the sources kprobe and kretprobe.
 *
 * A probe is registered, disabled, when its event is added: the kernel then checks
 * everything about it and patches nothing.  Arming only enables it.  A probe in a module
 * that is not there waits for it; when its module goes, the kernel has already killed the
 * probe, and it waits again.
 *
 * Where a function begins, hits of an armed event may come through ftrace instead, see
 * entry.h; its kprobe then stays disabled.
 */
#include <linux/hardirq.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "entry.h"
#include "event.h"
#include "hit.h"
#include "kprobe.h"
#include "kprobe_arm.h"
#include "kprobe_batch.h"
#include "kprobe_check.h"
#include "probe_name.h"
#include "registers.h"
#include "user_side.h"

DEFINE_MUTEX(rt_kprobes_lock);
static LIST_HEAD(module_probes);

/* --- hits ------------------------------------------------------------------------ */

/*
 * What the way to our handler has added to preempt_count(): the trap of x86 counts as
 * an NMI, everything else disables preemption once.
 */
static __always_inline u32 depth_of(const struct kprobe *kp)
{
#ifdef CONFIG_X86
	if ((preempt_count() & NMI_MASK) &&
	    !(kp->flags & (KPROBE_FLAG_FTRACE | KPROBE_FLAG_OPTIMIZED)))
		return NMI_OFFSET + HARDIRQ_OFFSET;
#endif
	return PREEMPT_DISABLE_OFFSET;
}

static bool wants_caller(const struct rt_event *event)
{
	return (event->fetch.contexts | event->filter.contexts) & (1U << RT_CONTEXT_CALLER);
}

static int kprobe_hit(struct kprobe *kp, struct pt_regs *regs)
{
	struct rt_kprobe *probe = container_of(kp, struct rt_kprobe, rp.kp);
	struct rt_hit hit;

	hit.regs = regs;
	hit.ip = probe->ip;
	hit.caller = wants_caller(probe->event) ? rt_registers_caller(regs) : 0;
	hit.top = probe->ip;
	hit.entry = probe->entry;
	hit.depth = depth_of(kp);
	rt_hit_fetch(&hit, probe->event);
	return 0;
}
NOKPROBE_SYMBOL(kprobe_hit);

static int kretprobe_hit(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	struct kretprobe *rp = get_kretprobe(instance);
	struct rt_kprobe *probe;
	struct rt_hit hit;

	/* The probe may be on its way out. */
	if (unlikely(!rp))
		return 0;
	probe = container_of(rp, struct rt_kprobe, rp);
	hit.regs = regs;
	hit.ip = probe->ip;
	hit.caller = get_kretprobe_retaddr(instance);
	hit.top = hit.caller;
	hit.entry = false;
	hit.depth = PREEMPT_DISABLE_OFFSET;
	rt_hit_fetch(&hit, probe->event);
	return 0;
}
NOKPROBE_SYMBOL(kretprobe_hit);

/* --- registering, disabled ------------------------------------------------------- */

/* Registration leaves its marks on the struct: begin afresh each time. */
static void describe(struct rt_kprobe *probe)
{
	u32 instances = probe->rp.maxactive;

	memset(&probe->rp, 0, sizeof(probe->rp));
	probe->rp.kp.flags = KPROBE_FLAG_DISABLED;
	probe->rp.kp.symbol_name = probe->name.text;
	if (probe->name.text)
		probe->rp.kp.offset = probe->address;
	else
		probe->rp.kp.addr = (void *)(unsigned long)probe->address;
	probe->rp.maxactive = instances;
	if (rt_kprobe_is_return(probe->event))
		probe->rp.handler = kretprobe_hit;
	else
		probe->rp.kp.pre_handler = kprobe_hit;
}

static int enroll(struct rt_kprobe *probe)
{
	bool returns = rt_kprobe_is_return(probe->event);
	int err;

	if (!rt_kprobe_bearable(probe->name.text, probe->address))
		return -EINVAL;
	describe(probe);
	err = returns ? register_kretprobe(&probe->rp) : register_kprobe(&probe->rp.kp);
	if (err)
		return err;
	probe->ip = (unsigned long)probe->rp.kp.addr;
	probe->entry = probe->name.text && !probe->address;
	probe->place = returns ? 0 : rt_entry_place(&probe->rp.kp, probe->entry);
	probe->registered = true;
	return 0;
}

static void remember_missed(struct rt_kprobe *probe)
{
	probe->missed += probe->rp.kp.nmissed;
	probe->missed_instances += rt_kprobe_is_return(probe->event) ? probe->rp.nmissed : 0;
}

static int refuse(int err, const struct rt_kprobe *probe, struct rt_refusal *refusal)
{
	refusal->field = probe->name.text ? offsetof(struct rt_event_add, name) :
					    offsetof(struct rt_event_add, address);
	switch (err) {
	case -ENOENT:
		refusal->reason = RT_REFUSED_NO_SYMBOL;
		break;
	case -EILSEQ:
		refusal->reason = RT_REFUSED_BOUNDARY;
		break;
	case -EINVAL:
		refusal->reason = RT_REFUSED_NOT_PROBEABLE;
		break;
	}
	return err;
}

static int prepare(struct rt_event *event, const struct rt_event_add *add,
		   struct rt_refusal *refusal)
{
	struct rt_kprobe *probe;
	int err;

	probe = kzalloc(sizeof(*probe), GFP_KERNEL_ACCOUNT);
	if (!probe)
		return -ENOMEM;
	probe->event = event;
	probe->address = add->address;
	probe->rp.maxactive = add->instances;
	INIT_LIST_HEAD(&probe->waiting);
	err = rt_probe_name_take(&probe->name, add, refusal);
	if (err)
		goto err_free;

	mutex_lock(&rt_kprobes_lock);
	err = enroll(probe);
	if (err == -ENOENT && probe->name.prefix) {
		/* Its module may come later. */
		refusal->reason = RT_REFUSED_NO_MODULE;
		err = 0;
	}
	if (!err && probe->name.prefix)
		list_add_tail(&probe->waiting, &module_probes);
	mutex_unlock(&rt_kprobes_lock);
	if (err) {
		refuse(err, probe, refusal);
		goto err_free;
	}
	event->probe = probe;
	return 0;

err_free:
	rt_probe_name_free(&probe->name);
	kfree(probe);
	return err;
}

/* --- releasing, many at once ----------------------------------------------------- */

static void release(struct list_head *events)
{
	struct rt_kprobe_batch *batch = rt_kprobe_batch_new();
	struct rt_event *event;
	struct rt_kprobe *probe;

	rt_kprobe_drop_entries(events);
	mutex_lock(&rt_kprobes_lock);
	list_for_each_entry(event, events, link) {
		probe = event->probe;
		list_del_init(&probe->waiting);
		if (!probe->registered)
			continue;
		if (rt_kprobe_is_return(event))
			rt_kretprobe_batch_put(batch, &probe->rp);
		else
			rt_kprobe_batch_put(batch, &probe->rp.kp);
		probe->registered = false;
	}
	rt_kprobe_batch_end(batch);
	mutex_unlock(&rt_kprobes_lock);

	list_for_each_entry(event, events, link) {
		probe = event->probe;
		rt_probe_name_free(&probe->name);
		kfree(probe);
		event->probe = NULL;
	}
}

static void missed(struct rt_event *event, u64 *missed)
{
	struct rt_kprobe *probe = event->probe;

	mutex_lock(&rt_kprobes_lock);
	missed[RT_MISSED_PROBE] = probe->missed + (probe->registered ? probe->rp.kp.nmissed : 0);
	missed[RT_MISSED_INSTANCES] = probe->missed_instances;
	if (rt_kprobe_is_return(event) && probe->registered)
		missed[RT_MISSED_INSTANCES] += probe->rp.nmissed;
	mutex_unlock(&rt_kprobes_lock);
}

/* --- modules that come and go ---------------------------------------------------- */

static void module_came(struct rt_kprobe *probe)
{
	if (!probe->registered && !enroll(probe) && probe->armed)
		enable_kprobe(&probe->rp.kp);
}

static void module_went(struct rt_kprobe *probe)
{
	if (!probe->registered)
		return;
	remember_missed(probe);
	/* When it comes back, a kprobe does. */
	probe->by_entry = false;
	if (rt_kprobe_is_return(probe->event))
		unregister_kretprobe(&probe->rp);
	else
		unregister_kprobe(&probe->rp.kp);
	probe->registered = false;
}

static int module_changed(struct notifier_block *block, unsigned long state, void *data)
{
	struct module *module = data;
	struct rt_kprobe *probe;

	mutex_lock(&rt_kprobes_lock);
	/* Under the lock: who arms before has told its entries, who arms later finds the probes gone. */
	if (state == MODULE_STATE_LIVE || state == MODULE_STATE_GOING)
		rt_entries_forget(module, state == MODULE_STATE_LIVE);
	list_for_each_entry(probe, &module_probes, waiting) {
		if (strcmp(probe->name.prefix, module->name))
			continue;
		if (state == MODULE_STATE_COMING)
			module_came(probe);
		else if (state == MODULE_STATE_GOING)
			module_went(probe);
	}
	mutex_unlock(&rt_kprobes_lock);
	return NOTIFY_DONE;
}

/* After the kernel's own, which kills the probes of a module that goes. */
static struct notifier_block module_notifier = {
	.notifier_call = module_changed,
	.priority = -1,
};

int rt_kprobe_init(void)
{
	return register_module_notifier(&module_notifier);
}

void rt_kprobe_exit(void)
{
	unregister_module_notifier(&module_notifier);
	rt_entry_exit();
}

#define CONTEXTS                                                                \
	(1U << RT_CONTEXT_PID | 1U << RT_CONTEXT_TID | 1U << RT_CONTEXT_CPU |   \
	 1U << RT_CONTEXT_PRIO | 1U << RT_CONTEXT_LEVEL | 1U << RT_CONTEXT_IP | \
	 1U << RT_CONTEXT_CALLER)

const struct rt_source rt_kprobe_source = {
	.kind = RT_KIND_KPROBE,
	.carry = RT_CARRY_STACK | RT_CARRY_REGISTERS | RT_CARRY_USER,
	.registers = RT_PORT_REGISTERS,
	.contexts = CONTEXTS,
	.lockdown = RT_LOCKDOWN_KPROBES | RT_LOCKDOWN_READ_KMEM,
	.prepare = prepare,
	.arm = rt_kprobe_arm,
	.disarm = rt_kprobe_disarm,
	.missed = missed,
	.release = release,
};

const struct rt_source rt_kretprobe_source = {
	.kind = RT_KIND_KRETPROBE,
	.carry = RT_CARRY_STACK | RT_CARRY_REGISTERS | RT_CARRY_USER,
	.registers = RT_PORT_REGISTERS,
	.contexts = CONTEXTS,
	.lockdown = RT_LOCKDOWN_KPROBES | RT_LOCKDOWN_READ_KMEM,
	.prepare = prepare,
	.arm = rt_kprobe_arm,
	.disarm = rt_kprobe_disarm,
	.missed = missed,
	.release = release,
};
