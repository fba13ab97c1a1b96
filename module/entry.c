// SPDX-License-Identifier: GPL-2.0
#include <linux/hash.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/uaccess.h>

#include "compat/ftrace.h"

#include "entry.h"
#include "event.h"
#include "hit.h"

static bool ftrace = true;
module_param(ftrace, bool, 0644);
MODULE_PARM_DESC(ftrace, "function entries through ftrace where it can (default: yes)");

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_REGS

bool rt_entry_wanted(void)
{
	return READ_ONCE(ftrace);
}

struct slot {
	unsigned long at; /* 0: free */
	u64 ip;
	struct rt_event *event; /* NULL: its module has gone */
};

struct rt_entries {
	struct ftrace_ops ops;
	u32 shift; /* makes an index of a hash */
	u32 mask;  /* of an index */
	u32 max;
	u32 count;
	struct list_head link; /* among those that are armed */
	unsigned long *places; /* each once, for the kernel */
	u32 place_count;
	struct slot slots[]; /* by the hash of at; a full one sends to the next */
};

static DEFINE_MUTEX(armed_lock);
static LIST_HEAD(armed);

static __always_inline u32 index_of(const struct rt_entries *entries, unsigned long at)
{
	return (at * GOLDEN_RATIO_64) >> entries->shift;
}

static __always_inline struct slot *slot_of(struct rt_entries *entries, u32 i)
{
	return &entries->slots[i & entries->mask];
}

/* --- hits ------------------------------------------------------------------------ */

/*
 * The kernel calls us from a trampoline made for these ops alone or, where it has none or
 * somebody else listens to the same function, from its loop over all listeners, with
 * preemption off and behind a guard.  That guard lets one nested call through, in whatever
 * context, and a nested call of ours ends at the ring's own guard, where it is counted.
 *
 * Nothing that could be traced may be called before that, hence no helpers here.
 */
static __always_inline bool from_trampoline(const struct ftrace_ops *ops, unsigned long caller)
{
	return caller - ops->trampoline < ops->trampoline_size;
}

/* What the kernel's entry code leaves out of the registers. */
static __always_inline void fill_in(struct pt_regs *regs)
{
#ifdef CONFIG_ARM64
	regs->pstate = read_sysreg(CurrentEL) | PSR_MODE_THREAD_BIT | read_sysreg(daif);
	if (system_uses_irq_prio_masking())
		regs->pmr_save = read_sysreg_s(SYS_ICC_PMR_EL1);
#endif
}

/* As a kprobe's handler sees it: on x86 one byte on, behind the breakpoint that is not there. */
static __always_inline unsigned long pc_of(const struct slot *slot)
{
	return slot->ip + (IS_ENABLED(CONFIG_X86) ? 1 : 0);
}

/*
 * The trap of a kprobe runs as an NMI does on x86, whose guard is free.  Where it strikes
 * inside a hit, or is one, what is entered there is recursion all the same: recorded, it would
 * make that hit reserve its place again, read the clock again, and trap again, without end.
 * A true NMI that comes inside a hit cannot be told from it, and is lost, too.
 */
static __always_inline bool inside_hit(const struct rt_event *event)
{
	return unlikely(preempt_count() & NMI_MASK) && rt_hit_inside(event);
}

static void entered(unsigned long at, unsigned long caller, struct ftrace_ops *ops,
		    struct ftrace_regs *fregs)
{
	struct rt_entries *entries = container_of(ops, struct rt_entries, ops);
	struct pt_regs *regs = ftrace_get_regs(fregs);
	u32 i = index_of(entries, at), depth = PREEMPT_DISABLE_OFFSET;
	struct rt_event *event;
	struct rt_hit hit;
	struct slot *slot;
	unsigned long pc;

	/* While we are being armed, with the gate shut, they may not be there yet. */
	if (unlikely(!regs))
		return;
	pc = instruction_pointer(regs);
	if (from_trampoline(ops, (unsigned long)__builtin_return_address(0)))
		depth = 0;
	fill_in(regs);
	for (slot = slot_of(entries, i); slot->at; slot = slot_of(entries, ++i)) {
		if (slot->at != at)
			continue;
		event = READ_ONCE(slot->event);
		if (unlikely(!event))
			continue;
		if (unlikely(inside_hit(event))) {
			rt_hit_lose(event, RT_LOST_RECURSION);
			continue;
		}
		instruction_pointer_set(regs, pc_of(slot));
		hit.regs = regs;
		hit.ip = slot->ip;
		hit.caller = caller;
		hit.top = slot->ip;
		hit.entry = true;
		hit.depth = depth;
		rt_hit_fetch(&hit, event);
	}
	/* The kernel goes on where this points to. */
	instruction_pointer_set(regs, pc);
}
NOKPROBE_SYMBOL(entered);

/* --- where ----------------------------------------------------------------------- */

/* Never registered: to ask the kernel whether it has a call there. */
static struct ftrace_ops asking;
static DEFINE_MUTEX(asking_lock);

static bool has_call(unsigned long at)
{
	int err;

	mutex_lock(&asking_lock);
	err = ftrace_set_filter_ip(&asking, at, 0, 1);
	mutex_unlock(&asking_lock);
	return !err;
}

#ifdef CONFIG_ARM64
#define BTI_C	  0xd503245f
#define MOV_X9_LR 0xaa1e03e9

/*
 * The call is the second of two instructions that the compiler left room for; the kernel
 * has already filled in the first.  Both come behind the landing mark, if there is one.
 */
static unsigned long call_of(const struct kprobe *kp, bool named)
{
	unsigned long at = (unsigned long)kp->addr;
	__le32 code[2];
	int i;

	if (!named || copy_from_kernel_nofault(code, kp->addr, sizeof(code)))
		return 0;
	i = code[0] == cpu_to_le32(BTI_C);
	return code[i] == cpu_to_le32(MOV_X9_LR) ? at + (i + 1) * sizeof(*code) : 0;
}
#else
static unsigned long call_of(const struct kprobe *kp, bool named)
{
	return kp->flags & KPROBE_FLAG_FTRACE ? (unsigned long)kp->addr : 0;
}
#endif

unsigned long rt_entry_place(const struct kprobe *kp, bool named)
{
	unsigned long at = call_of(kp, named);

	return at && has_call(at) ? at : 0;
}

/* --- arming ---------------------------------------------------------------------- */

struct rt_entries *rt_entries_new(u32 max)
{
	struct rt_entries *entries;
	u32 slots;

	max = min_t(u32, max, RT_FTRACE_IPS_MAX);
	/* Never more than half full: a search ends soon, and ends. */
	slots = roundup_pow_of_two(2 * max);
	entries = kvzalloc(struct_size(entries, slots, slots), GFP_KERNEL_ACCOUNT);
	if (!entries)
		return NULL;
	entries->places = kvcalloc(max, sizeof(*entries->places), GFP_KERNEL_ACCOUNT);
	if (!entries->places) {
		kvfree(entries);
		return NULL;
	}
	entries->shift = 64 - ilog2(slots);
	entries->mask = slots - 1;
	entries->max = max;
	INIT_LIST_HEAD(&entries->link);
	entries->ops.func = entered;
	entries->ops.flags =
		FTRACE_OPS_FL_SAVE_REGS | RT_FTRACE_OPS_FL_UNGUARDED | RT_FTRACE_OPS_FL_PERMANENT;
	return entries;
}

bool rt_entries_add(struct rt_entries *entries, unsigned long at, u64 ip, struct rt_event *event)
{
	u32 i = index_of(entries, at);
	struct slot *slot;
	bool known = false;

	if (entries->count == entries->max)
		return false;
	for (slot = slot_of(entries, i); slot->at; slot = slot_of(entries, ++i))
		known |= slot->at == at;
	slot->at = at;
	slot->ip = ip;
	slot->event = event;
	entries->count++;
	if (!known)
		entries->places[entries->place_count++] = at;
	return true;
}

int rt_entries_arm(struct rt_entries *entries)
{
	int err;

	/* Without one, every function of the kernel would be meant. */
	if (!entries->place_count)
		return -EINVAL;
	mutex_lock(&armed_lock);
	err = ftrace_set_filter_ips(&entries->ops, entries->places, entries->place_count, 0, 1);
	if (!err)
		err = register_ftrace_function(&entries->ops);
	if (!err)
		list_add(&entries->link, &armed);
	mutex_unlock(&armed_lock);
	return err;
}

static void forget(struct rt_entries *entries, u32 i)
{
	/* Read without a lock by the handler; the event is freed only after these ops are. */
	WRITE_ONCE(entries->slots[i].event, NULL);
}

/*
 * ftrace has stopped itself after an error of its own, and no longer lets go of anybody: it
 * may call us for ever.  Let it, and find nothing.
 */
static void abandon(struct rt_entries *entries)
{
	u32 i;

	__module_get(THIS_MODULE);
	for (i = 0; i <= entries->mask; i++)
		forget(entries, i);
	/* Handlers that found something before; some begin with preemption on. */
	synchronize_rcu();
	synchronize_rcu_tasks();
}

void rt_entries_free(struct rt_entries *entries)
{
	bool registered;
	int err = 0;

	if (!entries)
		return;
	mutex_lock(&armed_lock);
	registered = !list_empty(&entries->link);
	list_del_init(&entries->link);
	mutex_unlock(&armed_lock);
	/* Waits for all who may be in the handler, or on the way to it. */
	if (registered)
		err = unregister_ftrace_function(&entries->ops);
	if (err) {
		abandon(entries);
		return;
	}
	ftrace_free_filter(&entries->ops);
	kvfree(entries->places);
	kvfree(entries);
}

/*
 * The kernel keeps their addresses in the filter until it is freed, which does no harm: should
 * another function come to lie there, the handler finds nothing to do.
 */
void rt_entries_forget(const struct module *module, bool init_only)
{
	struct rt_entries *entries;
	unsigned long at;
	u32 i;

	mutex_lock(&armed_lock);
	list_for_each_entry(entries, &armed, link) {
		for (i = 0; i <= entries->mask; i++) {
			at = entries->slots[i].at;
			if (init_only ? within_module_init(at, module) : within_module(at, module))
				forget(entries, i);
		}
	}
	mutex_unlock(&armed_lock);
}

void rt_entry_exit(void)
{
	ftrace_free_filter(&asking);
}

#else /* CONFIG_DYNAMIC_FTRACE_WITH_REGS */

bool rt_entry_wanted(void)
{
	return false;
}

unsigned long rt_entry_place(const struct kprobe *kp, bool named)
{
	return 0;
}

struct rt_entries *rt_entries_new(u32 max)
{
	return NULL;
}

bool rt_entries_add(struct rt_entries *entries, unsigned long at, u64 ip, struct rt_event *event)
{
	return false;
}

int rt_entries_arm(struct rt_entries *entries)
{
	return -EOPNOTSUPP;
}

void rt_entries_free(struct rt_entries *entries)
{
}

void rt_entries_forget(const struct module *module, bool init_only)
{
}

void rt_entry_exit(void)
{
}

#endif /* CONFIG_DYNAMIC_FTRACE_WITH_REGS */
