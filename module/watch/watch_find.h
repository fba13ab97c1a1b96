/* SPDX-License-Identifier: GPL-2.0 */
/*
 * watch_find.h - what one access did: the instruction, and the values before and after it.
 *
 * Inlined into watch_hit.c, its one user: x86 looks after the access, arm64 before it.
 */
#ifndef RT_WATCH_FIND_H
#define RT_WATCH_FIND_H

#include <linux/atomic.h>
#include <linux/ptrace.h>
#include <linux/smp.h>

#include "watch.h"
#include "watch_access.h"
#include "watch_decode.h"
#include "watch_probed.h"
#include "watch_stepped.h"
#include "watch_value.h"
#ifdef CONFIG_X86
#include "x86_insn.h"
#endif

#ifdef CONFIG_X86

/* Whether another CPU could write to the watched bytes now. */
static __always_inline bool rt_watch_has_rivals(const struct rt_watch *watch)
{
	if (nr_cpu_ids == 1 || watch->whole)
		return false;
	return !watch->user || !current->mm || atomic_read(&current->mm->mm_users) > 1;
}

/*
 * After the access.  Many instructions and the registers tell what was written.  For the others the
 * value in memory counts.  If two CPUs write at about the same time, both read the value of the later
 * one there.  The CPU that notices the other one marks its values as uncertain.  But the handler of the
 * first one may be done before that of the second begins, so it asks the reader, who sees both.
 */
static __always_inline void rt_watch_find_values(struct rt_watch *watch, struct rt_watch_cpu *mine,
						 struct pt_regs *regs, struct rt_access *access)
{
	bool known = watch->last_known && watch->last_memory == rt_watch_memory_of(watch);
	u32 cpu = raw_smp_processor_id(), last_cpu, active;

	access->turn = atomic_inc_return(&watch->turn);
	active = atomic_inc_return(&watch->active);
	access->exact = rt_watch_decode_after(watch, regs, access);
	if (!access->exact) {
		if (!rt_watch_read_now(watch, &access->new))
			access->flags |= RT_WATCH_NO_NEW;
		else if (active > 1)
			access->flags |= RT_WATCH_UNCERTAIN;
		else if (rt_watch_has_rivals(watch))
			access->flags |= RT_WATCH_UNCHECKED;
	}
	last_cpu = xchg(&watch->last_cpu, cpu);
	access->old = xchg(&watch->last, access->new);
	rt_watch_keep_last(watch, access);
	if (access->insn->op == RT_X86_READ && watch->access != RT_ACCESS_WRITE) {
		access->rw = RT_ACCESS_READ;
		access->old = access->new;
		if (access->flags & RT_WATCH_NO_NEW)
			access->flags |= RT_WATCH_NO_OLD;
		return;
	}
	/* It wrote the same value again, or the other CPU has read this value already. */
	if (known && last_cpu != cpu && watch->access == RT_ACCESS_WRITE &&
	    access->old == access->new && !access->exact)
		access->flags |= RT_WATCH_UNCERTAIN;
	if (access->insn->op >= RT_X86_WRITE)
		access->rw = RT_ACCESS_WRITE;
	if (access->insn->op > RT_X86_WRITE && !(access->flags & RT_WATCH_NO_NEW) &&
	    rt_watch_decode_before(watch, regs, access))
		return;
	/* The overwritten value is gone: use the last value seen. */
	access->flags |= likely(known) ? RT_WATCH_OLD_LAST : RT_WATCH_NO_OLD;
	if (unlikely(!known))
		access->old = 0;
}

/* The instruction executes when its trap returns, and cannot trap again before. */
static __always_inline bool rt_watch_executed_again(struct rt_watch *watch,
						    struct rt_watch_cpu *mine,
						    const struct pt_regs *regs)
{
	return false;
}

#else

/* A watched instruction may trap again before the kernel has stepped over it. */
static __always_inline bool rt_watch_executed_again(struct rt_watch *watch,
						    struct rt_watch_cpu *mine,
						    const struct pt_regs *regs)
{
	return rt_watch_stepped_again(mine, regs);
}

static __always_inline void rt_watch_find_values(struct rt_watch *watch, struct rt_watch_cpu *mine,
						 struct pt_regs *regs, struct rt_access *access)
{
	bool alone = rt_watch_turn_begin(watch, mine, access);

	rt_watch_decode(watch, regs, access);
	if (unlikely(!access->whole)) {
		rt_watch_find_stepped(watch, mine, regs, access);
		return;
	}
	/* No other CPU can have made a reported access since our last one, but the value has changed. */
	if (unlikely(mine->seen != access->old) && mine->alone && access->turn == mine->turn + 1 &&
	    mine->seen_memory == rt_watch_memory_of(watch) &&
	    atomic_read(&watch->turn) == access->turn)
		mine->unseen++;
	mine->turn = access->turn;
	mine->alone = alone && !(access->flags & RT_WATCH_NO_NEW);
	mine->seen = access->new;
	mine->seen_memory = rt_watch_memory_of(watch);
	watch->last = access->new;
	rt_watch_keep_last(watch, access);
}

#endif

static __always_inline void rt_watch_access_begin(struct rt_watch *watch, struct rt_watch_cpu *mine,
						  struct pt_regs *regs, u64 trigger, bool leave,
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
	access->exact = false;
	access->stuck = false;
	access->leave = leave;
	access->step = false;
	access->held = false;
	access->bytes = 0;
	if (unlikely(watch->access & RT_ACCESS_EXECUTE)) {
		access->flags = RT_WATCH_NO_OLD | RT_WATCH_NO_NEW;
		access->same = rt_watch_executed_again(watch, mine, regs);
		return;
	}
	if (!rt_watch_decode_start(watch, regs, access))
		access->flags |= RT_WATCH_IP_AFTER;
	rt_watch_find_values(watch, mine, regs, access);
	if (rt_watch_probed_told(access->ip))
		access->same = true;
	if (unlikely(!(watch->access & RT_ACCESS_WRITE))) {
		access->rw = RT_ACCESS_READ;
		access->new = access->old;
	}
}

/* Mark the values as uncertain if another CPU had a hit in the meantime. */
static __always_inline void rt_watch_access_end(struct rt_watch *watch, struct rt_access *access)
{
	if (unlikely(watch->access & RT_ACCESS_EXECUTE))
		return;
	if (unlikely(atomic_read(&watch->turn) != access->turn) && !access->exact)
		access->flags |= RT_WATCH_UNCERTAIN;
	/* With a barrier: who finds no other handler at work finds that handler's access done. */
	(void)atomic_dec_return(&watch->active);
}

#endif
