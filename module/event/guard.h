/* SPDX-License-Identifier: GPL-2.0 */
/*
 * guard.h - the recursion guard: one for each CPU and context level, for all sessions.
 *
 * A handler calls functions of the kernel (clocks, memory accessors, the stack walker) that
 * may be probed themselves, by this session or by another one.  While a handler runs, a hit at
 * the same level of the same CPU can only come from inside it: the module refuses the hit, and its
 * session counts it as lost by recursion.  With one guard per session, each further session would
 * multiply the hits of the others.
 *
 * All functions work on this CPU and need preemption off.
 */
#ifndef RT_GUARD_H
#define RT_GUARD_H

#include <linux/compiler.h>
#include <linux/percpu.h>
#include <linux/types.h>

#include <uapi/ringtail.h>

#define RT_GUARDS (RT_LEVEL_NMI + 1)

struct rt_guards {
	u32 busy[RT_GUARDS]; /* by RT_LEVEL_*; each is written at its own level only */
};

DECLARE_PER_CPU(struct rt_guards, rt_guards);

/*
 * What a handler keeps of a guard from enter to exit.  x86 addresses per-CPU data in one instruction, so
 * it keeps the level; other architectures keep the address.
 */
#ifdef CONFIG_X86
typedef u32 rt_guard_t;

static __always_inline rt_guard_t rt_guard_of(u32 level)
{
	return level;
}

static __always_inline u32 rt_guard_level(rt_guard_t guard)
{
	return guard;
}

#define rt_guard_get(guard)	   raw_cpu_read(rt_guards.busy[guard])
#define rt_guard_set(guard, value) raw_cpu_write(rt_guards.busy[guard], value)
#else
typedef u32 *rt_guard_t;

static __always_inline rt_guard_t rt_guard_of(u32 level)
{
	rt_guard_t guard = &raw_cpu_ptr(&rt_guards)->busy[level];

	rt_hide(guard); /* or the compiler keeps base and level apart */
	return guard;
}

static __always_inline u32 rt_guard_level(rt_guard_t guard)
{
	return guard - raw_cpu_ptr(&rt_guards)->busy;
}

#define rt_guard_get(guard)	   READ_ONCE(*(guard))
#define rt_guard_set(guard, value) WRITE_ONCE(*(guard), value)
#endif

/* False: a handler is running at this level. */
static __always_inline bool rt_guard_enter(rt_guard_t guard)
{
	if (unlikely(rt_guard_get(guard)))
		return false;
	rt_guard_set(guard, 1);
	barrier();
	return true;
}

static __always_inline void rt_guard_exit(rt_guard_t guard)
{
	barrier();
	rt_guard_set(guard, 0);
}

/* In NMI context: whether it interrupted a handler of another level. */
static __always_inline bool rt_guard_interrupted(void)
{
	const struct rt_guards *guards = raw_cpu_ptr(&rt_guards);

	return READ_ONCE(guards->busy[RT_LEVEL_TASK]) ||
	       READ_ONCE(guards->busy[RT_LEVEL_SOFTIRQ]) ||
	       READ_ONCE(guards->busy[RT_LEVEL_HARDIRQ]);
}

#endif
