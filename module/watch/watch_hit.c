// SPDX-License-Identifier: GPL-2.0
/*
 * watch_hit.c - one hit of a watch, from the trap to its record.
 *
 * This is our whole share of a hit's cost, so the common path is one function from end to end; rare
 * cases are separate functions.
 */
#include <linux/hardirq.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/kernel_stat.h>
#include <linux/kprobes.h>
#include <linux/log2.h>
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/smp.h>

#include "compat/traps.h"
#include "event/event.h"
#include "event/hit.h"
#include "event/leaf.h"
#include "program/program_port.h"
#include "watch.h"
#include "watch_access.h"
#include "watch_decode.h"
#include "watch_find.h"
#include "watch_near.h"

#define TRAPS_BEFORE IS_ENABLED(CONFIG_ARM64)

/* --- its record ------------------------------------------------------------------ */

/* What the path to our handler has added to preempt_count(). */
static __always_inline u32 depth_of(const struct pt_regs *regs)
{
#ifdef CONFIG_X86
	return RT_COMPAT_DEBUG_DEPTH(user_mode((struct pt_regs *)regs));
#else
	return rt_watch_trap_depth;
#endif
}

/*
 * Whether this second has used up its hits.  A CPU that waits for a change by reading in a loop must not
 * use up the writes of its interrupts and of other tasks.
 */
static __always_inline bool over_rate(const struct rt_watch *watch, struct rt_watch_cpu *mine,
				      const struct rt_access *access)
{
	u32 *hits = &mine->hits[access->rw != RT_ACCESS_READ];
	u64 now = jiffies;

	if (unlikely(now - mine->window >= HZ)) {
		mine->window = now;
		mine->hits[0] = mine->hits[1] = 0;
	}
	if (unlikely(*hits >= watch->rate))
		return true;
	(*hits)++;
	return false;
}

/* For a record whose size depends on what a fetch program finds in memory. */
static noinline void *take_measured(struct rt_hit *hit, struct rt_event *event)
{
	if (!rt_hit_begin(hit, event))
		return NULL;
	return rt_hit_reserve(hit,
			      event->fetch.insns ? rt_fetch_size(&event->fetch, &hit->context) : 0);
}
NOKPROBE_SYMBOL(take_measured);

/* Every access is examined and its values are kept, even if it is not recorded. */
static __always_inline void record(struct rt_watch *watch, struct pt_regs *regs,
				   struct rt_access *access)
{
	struct rt_event *event = watch->event;
	struct rt_hit hit;
	rt_payload_u64 *to;

	hit.regs = regs;
	hit.ip = access->ip;
	hit.caller = access->ip;
	hit.top = access->ip;
	hit.address = watch->address;
	hit.linked = (event->carry & RT_CARRY_STACK) && !user_mode(regs) && rt_leaf_at(access->ip);
	hit.depth = depth_of(regs);
	hit.context.old_value = access->old;
	hit.context.new_value = access->new;
	hit.context.addr = access->addr;
	hit.context.rw = access->rw;
	hit.context.watch = access->flags;
	if (likely(watch->fields.words))
		to = rt_hit_take(&hit, event, watch->fields.bytes);
	else
		to = take_measured(&hit, event);
	/* As late as possible: any later access counts as one after ours. */
	rt_watch_access_end(watch, access);
	if (unlikely(!to))
		return;
	hit.context.watch = access->flags;
	if (likely(watch->fields.words))
		rt_watch_fields_put(&watch->fields, &hit.context, to);
	else if (event->fetch.insns)
		rt_fetch_run(&event->fetch, &hit.context, hit.fields, hit.size);
	rt_hit_commit(&hit);
}

#ifdef CONFIG_X86

/*
 * In a trap from user code the debug registers stay enabled, so our own read of the watched memory
 * traps as well.  Interrupts are off: any trap now comes from our handler.
 */
static DEFINE_PER_CPU(bool, inside);

static __always_inline bool own_access(void)
{
	return unlikely(this_cpu_read(inside));
}

static __always_inline void set_inside(struct pt_regs *regs, bool on)
{
	if (unlikely(user_mode(regs)))
		this_cpu_write(inside, on);
}

#else

static __always_inline bool own_access(void)
{
	return false;
}

static __always_inline void set_inside(struct pt_regs *regs, bool on)
{
}

#endif

/* Finish an access that belongs to the watch, after it was examined. */
static __always_inline void settle(struct rt_watch *watch, struct rt_watch_cpu *mine,
				   struct pt_regs *regs, struct rt_access *access)
{
	if (unlikely(access->same)) {
		rt_watch_access_end(watch, access);
	} else if (over_rate(watch, mine, access)) {
		rt_watch_access_end(watch, access);
		rt_hit_lose(watch->event, RT_LOST_THROTTLED);
	} else {
		u64 pc = instruction_pointer(regs);

		/* Begin the stack at the access, although pc may already be after it. */
		if (TRAPS_BEFORE)
			instruction_pointer_set(regs, access->ip);
		record(watch, regs, access);
		if (TRAPS_BEFORE)
			instruction_pointer_set(regs, pc);
	}
}

/*
 * Whether the access touches the watched bytes, as far as known.  If it touches no watch at the
 * reported address, an arm64 kernel calls the nearest one.
 */
static __always_inline bool touches(const struct rt_access *access, const struct rt_watch *watch)
{
	return !access->bytes || (access->from < watch->address + watch->length &&
				  watch->address < access->from + access->bytes);
}

static __always_inline enum rt_watch_next next_of(const struct rt_access *access)
{
	if (likely(!access->stuck && !access->step))
		return RT_WATCH_GO_ON;
	return access->stuck ? RT_WATCH_GIVE_UP : RT_WATCH_STEP;
}

/* --- one access of several watches ------------------------------------------------ */

#ifdef CONFIG_ARM64

/* A trap that the kernel will also report to other watches, which are already served. */
struct shared_trap {
	const struct pt_regs *regs;
	u64 pc;
	u64 trigger;
	u32 left; /* calls that the kernel will still make */
	enum rt_watch_next next;
};
static DEFINE_PER_CPU(struct shared_trap, shared_trap);

/* Record an access that the kernel did not report to this watch. */
static noinline void follow_up(struct rt_watch *watch, struct pt_regs *regs,
			       struct rt_access *access)
{
	struct rt_watch_cpu *mine = this_cpu_ptr(watch->cpu);

	rt_watch_turn_begin(watch, mine, access);
	mine->alone = false;
	if (!access->whole)
		rt_watch_turn_steps(watch, mine);
	mine->turn = access->turn;
	watch->last = access->new;
	rt_watch_keep_last(watch, access);
	settle(watch, mine, regs, access);
}
NOKPROBE_SYMBOL(follow_up);

void rt_watch_hit_probed(struct rt_watch *watch, struct pt_regs *regs, u32 insn)
{
	struct rt_access access = { .ip = instruction_pointer(regs), .rw = watch->access };

	rt_watch_decode_insn(watch, regs, insn, &access);
	if (!(watch->access & access.rw))
		return;
	access.addr = max(access.from, watch->address);
	follow_up(watch, regs, &access);
}
NOKPROBE_SYMBOL(rt_watch_hit_probed);

/* Record the same access for another watch, whose value was OLD. */
static noinline void hit_other(struct rt_watch *watch, struct pt_regs *regs,
			       const struct rt_access *first, u64 old)
{
	struct rt_access access = *first;

	access.addr = max(first->from, watch->address);
	access.flags = 0;
	access.old = old;
	access.exact = false;
	if (first->whole)
		rt_watch_read(watch, &access.new);
	else if (!first->stuck)
		rt_watch_decode(watch, regs, &access);
	else
		access.flags = RT_WATCH_NO_NEW;
	follow_up(watch, regs, &access);
}
NOKPROBE_SYMBOL(hit_other);

static noinline enum rt_watch_next hit_crowded(struct rt_watch *watch, struct rt_watch_cpu *mine,
					       struct pt_regs *regs, u64 trigger, bool leave)
{
	struct shared_trap *shared = this_cpu_ptr(&shared_trap);
	struct rt_watch *others[RT_WATCH_NEAR_MAX];
	u64 olds[RT_WATCH_NEAR_MAX];
	struct rt_access access;
	u32 count, i;

	if (shared->left && shared->regs == regs && shared->pc == instruction_pointer(regs) &&
	    shared->trigger == trigger) {
		shared->left--;
		return shared->next;
	}
	shared->left = 0;
	count = rt_watch_near_find(watch, others);
	for (i = 0; i < count; i++)
		rt_watch_read(others[i], &olds[i]);
	rt_watch_access_begin(watch, mine, regs, trigger, leave, &access);
	access.leave = true;
	if (touches(&access, watch))
		settle(watch, mine, regs, &access);
	else
		rt_watch_access_end(watch, &access);
	for (i = 0; access.bytes && i < count; i++) {
		if (!touches(&access, others[i]) || !(others[i]->access & access.rw))
			continue;
		if (!access.same)
			hit_other(others[i], regs, &access, olds[i]);
		if (trigger - others[i]->address < others[i]->length)
			shared->left++;
	}
	shared->regs = regs;
	shared->pc = instruction_pointer(regs);
	shared->trigger = trigger;
	shared->next = next_of(&access);
	return shared->next;
}
NOKPROBE_SYMBOL(hit_crowded);
#else
/* x86 reports all watches that were hit in one trap. */
static __always_inline enum rt_watch_next hit_crowded(struct rt_watch *watch,
						      struct rt_watch_cpu *mine,
						      struct pt_regs *regs, u64 trigger, bool leave)
{
	return RT_WATCH_GO_ON;
}
#endif

enum rt_watch_next rt_watch_try(struct rt_watch *watch, struct pt_regs *regs, bool leave)
{
	struct rt_watch_cpu *mine = this_cpu_ptr(watch->cpu);
	struct rt_access access;

	rt_watch_access_begin(watch, mine, regs, 0, leave, &access);
	rt_watch_access_end(watch, &access);
	return next_of(&access);
}
NOKPROBE_SYMBOL(rt_watch_try);

enum rt_watch_next rt_watch_hit(struct rt_watch *watch, struct pt_regs *regs, u64 trigger,
				bool leave)
{
	struct rt_watch_cpu *mine = this_cpu_ptr(watch->cpu);
	struct rt_access access;

	mine->handled++;
	if (unlikely(watch->crowded))
		return hit_crowded(watch, mine, regs, trigger, leave);
	if (own_access()) {
		rt_hit_leave_out(watch->event);
		return RT_WATCH_GO_ON;
	}
	set_inside(regs, true);
	rt_watch_access_begin(watch, mine, regs, trigger, leave, &access);
	if (likely(touches(&access, watch)))
		settle(watch, mine, regs, &access);
	else
		rt_watch_access_end(watch, &access);
	set_inside(regs, false);
	return next_of(&access);
}
NOKPROBE_SYMBOL(rt_watch_hit);
