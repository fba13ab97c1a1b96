// SPDX-License-Identifier: GPL-2.0
/*
 * watch_hit.c - one hit of a watch, from the trap to its record: what the access did, and
 * whether it is to be recorded.
 *
 * This is as much of a hit's cost as is ours, so it is one function from end to end; what
 * is rare is kept out of its way.
 */
#include <linux/hardirq.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/kernel_stat.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/smp.h>

#include "event.h"
#include "hit.h"
#include "program_port.h"
#include "watch.h"
#include "watch_access.h"
#include "watch_decode.h"

static noinline bool read_user_value(const struct rt_watch *watch, u64 *value)
{
	return !rt_port_read_user(value, watch->address, watch->length);
}
NOKPROBE_SYMBOL(read_user_value);

/* The watched bytes as a number; false if they cannot be read now. */
static __always_inline bool read_value(const struct rt_watch *watch, u64 *value)
{
	u64 word;

	*value = 0;
	if (unlikely(watch->user))
		return read_user_value(watch, value);
	/* They do not cross a multiple of 8. */
	if (!rt_compat_peek_u64(&word, watch->address & ~7UL))
		return false;
	*value = word >> watch->shift & watch->mask;
	return true;
}

static __always_inline const void *memory_of(const struct rt_watch *watch)
{
	return unlikely(watch->user) ? current->mm : NULL;
}

void rt_watch_access_start(struct rt_watch *watch)
{
	watch->last_cpu = raw_smp_processor_id();
	/* No CPU takes the first hit for one that follows its own. */
	atomic_inc(&watch->turn);
	watch->last_mm = NULL;
	watch->last_known = !watch->user && read_value(watch, &watch->last);
	rt_watch_decode_forget();
}

/* --- what the access did --------------------------------------------------------- */

static __always_inline void keep_last(struct rt_watch *watch, const struct rt_access *access)
{
	watch->last_mm = memory_of(watch);
	watch->last_known = !(access->flags & RT_WATCH_NO_NEW);
}

#ifdef CONFIG_X86

/*
 * After the access.  Two CPUs that write at about the same time see, both, the value of
 * the later one: whoever finds the other's traces says so.
 */
static __always_inline void find_values(struct rt_watch *watch, struct rt_watch_cpu *mine,
					struct pt_regs *regs, struct rt_access *access)
{
	bool known = watch->last_known && watch->last_mm == memory_of(watch);
	u32 cpu = raw_smp_processor_id(), last_cpu;

	access->turn = atomic_inc_return(&watch->turn);
	if (atomic_inc_return(&watch->active) > 1)
		access->flags |= RT_WATCH_UNCERTAIN;
	if (!read_value(watch, &access->new))
		access->flags |= RT_WATCH_NO_NEW;
	last_cpu = xchg(&watch->last_cpu, cpu);
	access->old = xchg(&watch->last, access->new);
	keep_last(watch, access);
	if (!known) {
		access->old = 0;
		access->flags |= RT_WATCH_NO_OLD;
		return;
	}
	if (access->old != access->new)
		access->rw = RT_ACCESS_WRITE;
	else if (watch->access == RT_ACCESS_WRITE && last_cpu != cpu)
		/* It wrote what was there, or the other one had seen this value already. */
		access->flags |= RT_WATCH_UNCERTAIN;
}

/* The instruction is executed when its trap returns: it cannot trap again in between. */
static __always_inline bool executed_again(struct rt_watch *watch, struct rt_watch_cpu *mine,
					   const struct pt_regs *regs)
{
	return false;
}

#else

/* What has happened on this CPU and to this task that can come between a trap and its step. */
static u64 interruptions(void)
{
	return kstat_cpu_irqs_sum(raw_smp_processor_id()) + current->nvcsw + current->nivcsw;
}

static u64 sum_registers(const struct pt_regs *regs)
{
	u64 sum = regs->pstate;
	int i;

	for (i = 0; i < ARRAY_SIZE(regs->regs); i++)
		sum = ror64(sum, 7) ^ regs->regs[i];
	return sum;
}

/* All else by which a trap is known again, where the values do not tell. */
static noinline void look_around(struct rt_watch_trap *trap, const struct pt_regs *regs)
{
	trap->sum = sum_registers(regs);
	trap->interrupts = interruptions();
}
NOKPROBE_SYMBOL(look_around);

/*
 * Before the access.  An interrupt may come before it has been stepped over; then it traps
 * once more.  The same instruction of the same task finding the old value again, though it
 * was to write another one and nobody else has written since, has not been executed yet.
 * Where it writes what is there already, or that is not known, the registers tell (a loop
 * that changes none of them has no end) if there was an interrupt at all.
 */
static __always_inline bool repeated(struct rt_watch *watch, const struct pt_regs *regs, u64 old,
				     u32 turn)
{
	const struct rt_watch_trap *trap =
		&per_cpu_ptr(watch->cpu, READ_ONCE(watch->last_cpu))->trap;
	struct rt_watch_trap now;

	if (trap->pc != regs->pc || trap->task != current || trap->sp != regs->sp)
		return false;
	if (trap->new != trap->old)
		return trap->old == old && trap->turn == turn;
	look_around(&now, regs);
	return trap->sum == now.sum && trap->interrupts != now.interrupts;
}

/* The same of an instruction that is watched itself. */
static __always_inline bool executed_again(struct rt_watch *watch, struct rt_watch_cpu *mine,
					   const struct pt_regs *regs)
{
	struct rt_watch_trap *trap = &mine->trap;

	/* Without a value there is nothing but the registers to tell. */
	if (repeated(watch, regs, 0, 0))
		return true;
	trap->task = current;
	trap->pc = regs->pc;
	trap->sp = regs->sp;
	trap->old = trap->new = 0;
	look_around(trap, regs);
	WRITE_ONCE(watch->last_cpu, raw_smp_processor_id());
	return false;
}

static __always_inline void find_values(struct rt_watch *watch, struct rt_watch_cpu *mine,
					struct pt_regs *regs, struct rt_access *access)
{
	struct rt_watch_trap *trap = &mine->trap;
	u64 pc = regs->pc;
	bool others;

	access->turn = atomic_read(&watch->turn);
	if (!read_value(watch, &access->old))
		access->flags |= RT_WATCH_NO_OLD;
	rt_watch_decode(watch, regs, access);
	if (unlikely(!access->whole && repeated(watch, regs, access->old, access->turn))) {
		access->same = true;
		return;
	}
	access->turn = atomic_inc_return(&watch->turn);
	others = access->turn != trap->turn + 1;
	trap->task = current;
	trap->pc = pc;
	trap->sp = regs->sp;
	trap->old = access->old;
	trap->new = (access->flags & RT_WATCH_NO_NEW) ? access->old : access->new;
	trap->turn = access->turn;
	if (unlikely(trap->new == trap->old))
		look_around(trap, regs);
	if (unlikely(others)) {
		WRITE_ONCE(watch->last_cpu, raw_smp_processor_id());
		/* What another CPU was about to write is not there: it still comes, after we looked. */
		if (watch->last_known && watch->last_mm == memory_of(watch) &&
		    watch->last != access->old)
			access->flags |= RT_WATCH_UNCERTAIN;
	}
	if (access->rw & RT_ACCESS_WRITE) {
		watch->last = access->new;
		keep_last(watch, access);
	}
}

#endif

static __always_inline void access_begin(struct rt_watch *watch, struct rt_watch_cpu *mine,
					 struct pt_regs *regs, u64 trigger,
					 struct rt_access *access)
{
	access->ip = instruction_pointer(regs);
	access->addr = trigger ? trigger : watch->address;
	access->rw = watch->access;
	access->flags = 0;
	access->old = 0;
	access->new = 0;
	access->same = false;
	access->whole = false;
	access->stuck = false;
	if (unlikely(watch->access & RT_ACCESS_EXECUTE)) {
		access->flags = RT_WATCH_NO_OLD | RT_WATCH_NO_NEW;
		access->same = executed_again(watch, mine, regs);
		return;
	}
	if (!rt_watch_decode_start(watch, regs, &access->ip))
		access->flags |= RT_WATCH_IP_AFTER;
	find_values(watch, mine, regs, access);
	if (unlikely(!(watch->access & RT_ACCESS_WRITE))) {
		access->rw = RT_ACCESS_READ;
		access->new = access->old;
	}
}

/* Whether another CPU has come in the meantime; completes access->flags. */
static __always_inline void access_end(struct rt_watch *watch, struct rt_access *access)
{
	if (unlikely(watch->access & RT_ACCESS_EXECUTE))
		return;
	if (unlikely(atomic_read(&watch->turn) != access->turn))
		access->flags |= RT_WATCH_UNCERTAIN;
	if (IS_ENABLED(CONFIG_X86))
		atomic_dec(&watch->active);
}

/* --- its record ------------------------------------------------------------------ */

/* What the way to our handler has added to preempt_count(). */
static __always_inline u32 depth_of(const struct pt_regs *regs)
{
#ifdef CONFIG_X86
	/* The trap counts as an NMI, unless it came from user code. */
	return user_mode((struct pt_regs *)regs) ? 0 : NMI_OFFSET + HARDIRQ_OFFSET;
#else
	return PREEMPT_DISABLE_OFFSET;
#endif
}

/* Whether this second has had its share. */
static __always_inline bool over_rate(const struct rt_watch *watch, struct rt_watch_cpu *mine)
{
	u64 now = jiffies;

	if (unlikely(now - mine->window >= HZ)) {
		mine->window = now;
		mine->hits = 0;
	}
	if (unlikely(mine->hits >= watch->rate))
		return true;
	mine->hits++;
	return false;
}

/* Where the size depends on what a program finds in memory. */
static noinline void *take_measured(struct rt_hit *hit, struct rt_event *event)
{
	if (!rt_hit_begin(hit, event))
		return NULL;
	return rt_hit_reserve(hit,
			      event->fetch.insns ? rt_fetch_size(&event->fetch, &hit->context) : 0);
}
NOKPROBE_SYMBOL(take_measured);

/* The accesses are looked at, and their values kept, also where none is recorded. */
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
	hit.entry = false;
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
	/* As late as can be: whoever comes now comes after us. */
	access_end(watch, access);
	if (unlikely(!to))
		return;
	hit.context.watch = access->flags;
	if (likely(watch->fields.words))
		rt_watch_fields_put(&watch->fields, &hit.context, to);
	else if (event->fetch.insns)
		rt_fetch_run(&event->fetch, &hit.context, hit.fields, hit.size);
	rt_hit_commit(&hit);
}

bool rt_watch_hit(struct rt_watch *watch, struct pt_regs *regs, u64 trigger)
{
	struct rt_watch_cpu *mine = this_cpu_ptr(watch->cpu);
	struct rt_access access;

	mine->handled++;
	access_begin(watch, mine, regs, trigger, &access);
	if (unlikely(access.same)) {
		access_end(watch, &access);
	} else if (over_rate(watch, mine)) {
		access_end(watch, &access);
		rt_hit_lose(watch->event, RT_LOST_THROTTLED);
	} else {
		record(watch, regs, &access);
	}
	if (unlikely(access.stuck))
		mine->stuck++;
	return !access.stuck;
}
NOKPROBE_SYMBOL(rt_watch_hit);
