// SPDX-License-Identifier: GPL-2.0
#include <linux/bits.h>
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

#include "compat/ftrace.h"

#include "entry.h"
#include "kprobe_hit.h"
#include "event/event.h"
#include "event/hit.h"
#include "kernel/lookup.h"
#include "kernel/registers.h"
#include "event/stack.h"

static bool ftrace = true;
module_param(ftrace, bool, 0644);
MODULE_PARM_DESC(ftrace, "function entries through ftrace where it can (default: yes)");

#if defined(RT_FTRACE_REGS) || defined(RT_FTRACE_ARGS)

#ifdef RT_FTRACE_ARGS

/* The kernel's entry code, which calls a listener directly if it is the only one at a function. */
static unsigned long entry_code, entry_code_size;

/* The preemption depth is known only if we can tell the two paths to the handler apart. */
bool rt_entry_wanted(void)
{
	return READ_ONCE(ftrace) && entry_code_size;
}

void __init rt_entry_init(void)
{
	entry_code = rt_lookup_function("ftrace_caller", &entry_code_size);
}

/* x0 … x8, fp, lr, sp, pc, and pstate, which we construct. */
#define REGISTERS (GENMASK_ULL(8, 0) | GENMASK_ULL(33, 29))

bool rt_entry_serves(const struct rt_event *event)
{
	return !(event->carry & RT_CARRY_REGISTERS) &&
	       !((event->fetch.registers | event->filter.registers) & ~REGISTERS);
}

#else

bool rt_entry_wanted(void)
{
	return READ_ONCE(ftrace);
}

void __init rt_entry_init(void)
{
}

bool rt_entry_serves(const struct rt_event *event)
{
	return true;
}

#endif

struct slot {
	unsigned long at; /* 0: free */
	u64 ip;
	struct rt_event *event; /* NULL: its module was unloaded */
};

struct rt_entries {
	struct ftrace_ops ops;
	u32 shift; /* shifts a hash to an index */
	u32 mask;  /* of an index */
	u32 max;
	u32 count;
	struct rt_entries *next; /* for more functions; NULL: this is the last */
	struct list_head link;	 /* in the list of armed ones */
	unsigned long *places;	 /* each address once, for the kernel */
	u32 place_count;
	struct slot slots[]; /* by the hash of at, with linear probing */
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
 * The kernel calls the handler from a trampoline for these ops alone.  If it has no trampoline, or
 * another listener shares the function, it calls from its loop over all listeners, with preemption off
 * and behind a recursion guard.  That guard lets one nested call through in any context; a nested call
 * of ours ends at our own guard, which counts it.
 *
 * Nothing that could be traced may be called before our guard, so there are no helper calls here.
 */
static __always_inline bool from_trampoline(const struct ftrace_ops *ops, unsigned long caller)
{
#ifdef RT_FTRACE_ARGS
	return caller - entry_code < entry_code_size;
#else
	return caller - rt_compat_trampoline(ops) < rt_compat_trampoline_size(ops);
#endif
}

/* Set the registers that the kernel's entry code does not save. */
static __always_inline void fill_in(struct pt_regs *regs)
{
#ifdef CONFIG_ARM64
	regs->pstate = read_sysreg(CurrentEL) | PSR_MODE_THREAD_BIT | read_sysreg(daif);
	if (system_uses_irq_prio_masking())
		regs->rt_compat_pmr = read_sysreg_s(SYS_ICC_PMR_EL1);
#endif
}

/* The pc that a kprobe's handler would see: on x86 one byte further, after the breakpoint. */
static __always_inline unsigned long pc_of(const struct slot *slot)
{
	return slot->ip + (IS_ENABLED(CONFIG_X86) ? 1 : 0);
}

/*
 * On x86 the trap of a kprobe runs like an NMI, whose guard is free.  If the trap comes inside a hit,
 * a function entered there is recursion all the same: to record it would make that hit reserve its
 * place again, read the clock again and trap again, forever.  A real NMI inside a hit looks the same,
 * and its hit is lost, too.
 */
static __always_inline bool inside_hit(void)
{
	return unlikely(preempt_count() & NMI_MASK) && rt_hit_inside();
}

/* Not inlined if the registers are on our stack, to keep the frames small. */
#ifdef RT_FTRACE_ARGS
#define RT_DELIVER noinline
#else
#define RT_DELIVER __always_inline
#endif

/* REGS is our copy, which we may change. */
static RT_DELIVER void entry_deliver(struct rt_entries *entries, unsigned long at,
				     unsigned long caller, struct pt_regs *regs, u32 depth)
{
	u32 i = index_of(entries, at);
	struct rt_event *event;
	struct rt_hit hit;
	struct slot *slot;
	unsigned long *place = rt_registers_return(regs), kept = *place, replaced = 0;

	/* On arm64 a kretprobe's breakpoint comes before the call of ftrace, which then sees its work. */
	if (unlikely(rt_stack_by_kretprobe(caller)))
		replaced = rt_kretprobe_replaced(at, kernel_stack_pointer(regs));
	if (replaced)
		caller = replaced;
	/* A kretprobe replaced the return address; old kernels cannot walk past its trampoline. */
	if (unlikely(rt_stack_by_kretprobe(kept)) && rt_restore_caller)
		*place = caller;
	for (slot = slot_of(entries, i); slot->at; slot = slot_of(entries, ++i)) {
		if (slot->at != at)
			continue;
		event = READ_ONCE(slot->event);
		if (unlikely(!event))
			continue;
		if (unlikely(inside_hit())) {
			rt_hit_lose(event, RT_LOST_RECURSION);
			continue;
		}
		instruction_pointer_set(regs, pc_of(slot));
		hit.regs = regs;
		hit.ip = slot->ip;
		hit.caller = caller;
		hit.top = slot->ip;
		hit.linked = true;
		hit.depth = depth;
		rt_hit_fetch(&hit, event);
	}
	if (unlikely(*place != kept))
		*place = kept;
}
NOKPROBE_SYMBOL(entry_deliver);

#ifdef RT_FTRACE_ARGS
static void entry_entered(unsigned long at, unsigned long caller, struct ftrace_ops *ops,
			  struct ftrace_regs *fregs)
{
	struct rt_entries *entries = container_of(ops, struct rt_entries, ops);
	u32 depth = PREEMPT_DISABLE_OFFSET;
	struct pt_regs regs;

	if (from_trampoline(ops, (unsigned long)__builtin_return_address(0)))
		depth = 0;
	/* Nobody reads the other registers: see rt_entry_serves(). */
	memcpy(regs.regs, arch_ftrace_regs(fregs)->regs, 9 * sizeof(regs.regs[0]));
	regs.regs[29] = arch_ftrace_regs(fregs)->fp;
	regs.regs[30] = arch_ftrace_regs(fregs)->lr;
	regs.sp = arch_ftrace_regs(fregs)->sp;
	fill_in(&regs);
	entry_deliver(entries, at, caller, &regs, depth);
}
#else
static void entry_entered(unsigned long at, unsigned long caller, struct ftrace_ops *ops,
			  struct ftrace_regs *fregs)
{
	struct rt_entries *entries = container_of(ops, struct rt_entries, ops);
	struct pt_regs *regs = ftrace_get_regs(fregs);
	u32 depth = PREEMPT_DISABLE_OFFSET;
	unsigned long pc;

	/* While ftrace arms us, with the gate shut, it may not provide registers yet. */
	if (unlikely(!regs))
		return;
	pc = instruction_pointer(regs);
	if (from_trampoline(ops, (unsigned long)__builtin_return_address(0)))
		depth = 0;
	fill_in(regs);
	entry_deliver(entries, at, caller, regs, depth);
	/* The kernel continues at this address. */
	instruction_pointer_set(regs, pc);
}
#endif
NOKPROBE_SYMBOL(entry_entered);

/* ftrace has switched preemption off, and keeps a nested call of the same context away. */
static void entry_returns(unsigned long at, unsigned long caller, struct ftrace_ops *ops,
			  struct ftrace_regs *fregs)
{
	struct rt_entries *entries = container_of(ops, struct rt_entries, ops);
	struct pt_regs *regs = ftrace_get_regs(fregs);
	u32 i = index_of(entries, at);
	struct rt_event *event;
	struct slot *slot;

	if (unlikely(!regs))
		return;
	for (slot = slot_of(entries, i); slot->at; slot = slot_of(entries, ++i)) {
		event = slot->at == at ? READ_ONCE(slot->event) : NULL;
		if (event)
			rt_kretprobe_by_entry(event, regs);
	}
}
NOKPROBE_SYMBOL(entry_returns);

/* --- arming ---------------------------------------------------------------------- */

static struct rt_entries *entries_new_one(u32 max, bool returns)
{
	struct rt_entries *entries;
	u32 slots;

	/* At most half full, so that a search always ends, and soon. */
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
	entries->ops.func = returns ? entry_returns : entry_entered;
	entries->ops.flags = RT_FTRACE_OPS_FL_SAVE | RT_FTRACE_OPS_FL_PERMANENT |
			     (returns ? RT_FTRACE_OPS_FL_GUARDED : RT_FTRACE_OPS_FL_UNGUARDED);
	return entries;
}

struct rt_entries *rt_entries_new(u32 max, bool returns)
{
	struct rt_entries *first = NULL, *entries;
	u32 some;

	for (; max; max -= some) {
		some = min_t(u32, max, RT_FTRACE_IPS_MAX);
		entries = entries_new_one(some, returns);
		if (!entries) {
			rt_entries_free(first);
			return NULL;
		}
		entries->next = first;
		first = entries;
	}
	return first;
}

bool rt_entries_add(struct rt_entries *entries, unsigned long at, u64 ip, struct rt_event *event)
{
	struct slot *slot;
	bool known = false;
	u32 i;

	while (entries && entries->count == entries->max)
		entries = entries->next;
	if (!entries)
		return false;
	i = index_of(entries, at);
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

static int entries_arm_one(struct rt_entries *entries)
{
	int err;

	/* With an empty filter, ftrace would trace every function of the kernel. */
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

int rt_entries_arm(struct rt_entries *entries)
{
	int err = entries ? 0 : -EINVAL;

	for (; entries && !err; entries = entries->next)
		err = entries_arm_one(entries);
	return err;
}

static void forget(struct rt_entries *entries, u32 i)
{
	/* Read without a lock by the handler; the event is freed only after these ops are. */
	WRITE_ONCE(entries->slots[i].event, NULL);
}

/*
 * ftrace has disabled itself after an internal error and no longer unregisters anybody, so it may
 * call the handler forever.  Keep the module loaded and let the handler find no events.
 */
static void abandon(struct rt_entries *entries)
{
	u32 i;

	__module_get(THIS_MODULE);
	for (i = 0; i <= entries->mask; i++)
		forget(entries, i);
	/* Wait for handlers that still use an event; some begin with preemption on. */
	synchronize_rcu();
	synchronize_rcu_tasks();
}

static void entries_free_one(struct rt_entries *entries)
{
	bool registered;
	int err = 0;

	mutex_lock(&armed_lock);
	registered = !list_empty(&entries->link);
	list_del_init(&entries->link);
	mutex_unlock(&armed_lock);
	/* Waits for every CPU that is in the handler or about to enter it. */
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

void rt_entries_free(struct rt_entries *entries)
{
	struct rt_entries *next;

	for (; entries; entries = next) {
		next = entries->next;
		entries_free_one(entries);
	}
}

/*
 * The kernel keeps these addresses in the filter until the ops are freed.  That is harmless: if another
 * function is loaded there, the handler finds no event for it.
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

#endif /* RT_FTRACE_REGS || RT_FTRACE_ARGS */
