/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How kernels differ in their traps.  First, what those of x86 add to preempt_count() on the way to a
 * handler of ours.
 *
 * Since 5.8 a trap in kernel code counts as an NMI, and one in user code counts as nothing.  Before,
 * ist_enter() disabled preemption in both cases, and hw_breakpoint_handler() once more.  Before 4.0
 * only the latter did.
 *
 * Included by its users, not by compat.h.
 */
#ifndef RT_COMPAT_TRAPS_H
#define RT_COMPAT_TRAPS_H

#include <linux/compiler.h>
#include <linux/hardirq.h>
#include <linux/preempt.h>

#ifdef CONFIG_X86
/* Before 4.19 the kernel disabled preemption once more on its way to a kprobe, trapped or by ftrace. */
#ifdef RT_HAVE_KPROBE_BREAK_HANDLER
#define RT_COMPAT_KPROBE_DEPTH PREEMPT_DISABLE_OFFSET
#else
#define RT_COMPAT_KPROBE_DEPTH 0
#endif

/*
 * On its way to a kprobe by ftrace, the kernel disables preemption in ftrace and, as above, in the handler
 * of kprobes.  Until 4.4 at most one of them did if the kprobe was the only listener at the function: in 4.4 the
 * handler, in 3.10 ftrace, in 3.18 neither.  (With several listeners 4.4 does it in both and 3.18 in
 * ftrace.)  So the depth is too large by one on 4.4 with several listeners, and too small by one on 3.18
 * with one of them where preemption was disabled already.
 */
#ifdef RT_HAVE_FTRACE_OPS_CONTROL
#define RT_COMPAT_FTRACE_KPROBE_DEPTH (preempt_count() & PREEMPT_MASK ? PREEMPT_DISABLE_OFFSET : 0)
#else
#define RT_COMPAT_FTRACE_KPROBE_DEPTH (PREEMPT_DISABLE_OFFSET + RT_COMPAT_KPROBE_DEPTH)
#endif

#ifdef RT_HAVE_IDTENTRY_H
#define RT_COMPAT_TRAPS_ARE_NMIS    true
#define RT_COMPAT_DEBUG_DEPTH(user) ((user) ? 0 : NMI_OFFSET + HARDIRQ_OFFSET)
#define RT_COMPAT_INT3_DEPTH	    (NMI_OFFSET + HARDIRQ_OFFSET)
#elif defined(RT_HAVE_IST_ENTER)
#define RT_COMPAT_TRAPS_ARE_NMIS    false
#define RT_COMPAT_DEBUG_DEPTH(user) (2 * PREEMPT_DISABLE_OFFSET)
#define RT_COMPAT_INT3_DEPTH	    (PREEMPT_DISABLE_OFFSET + RT_COMPAT_KPROBE_DEPTH)
#else
#define RT_COMPAT_TRAPS_ARE_NMIS    false
#define RT_COMPAT_DEBUG_DEPTH(user) PREEMPT_DISABLE_OFFSET
#define RT_COMPAT_INT3_DEPTH	    RT_COMPAT_KPROBE_DEPTH
#endif
#endif

/*
 * Whether a watch is reported if the kernel single-steps the instruction because of a kprobe.  Before
 * 5.10 the handler of x86 gives such a trap to the kprobe alone.  On arm64 only our own kprobes record
 * the access (watch/watch_probed.h).
 */
#ifdef RT_HAVE_VIRTUAL_DR6
#define RT_COMPAT_WATCH_PROBED true
#else
#define RT_COMPAT_WATCH_PROBED false
#endif

/*
 * Before 5.3 an arm64 kernel leaves debug exceptions enabled after a kprobe that was hit inside the handler
 * of a trap ("arm64: kprobes: Recover pstate.D in single-step exception handler").  When it then prepares
 * the step that ends the outer trap, the step hits its own code at once: "Unexpected kernel single-step
 * exception at EL1".  Handlers of such traps mask debug exceptions again when they end.  They were masked
 * when the trap was entered, and a kprobe may have been hit before the handler began.
 */
#if defined(CONFIG_ARM64) && defined(RT_HAVE_KPROBE_STEP_CTX)
static __always_inline void rt_compat_trap_end(void)
{
	asm volatile("msr daifset, #8" : : : "memory");
}

/*
 * Around an access to watched memory, in a trap or elsewhere: it would trap again, and its handler's access,
 * too, until the stack is full.  No function that may have a probe must be called in between.
 */
static __always_inline unsigned long rt_compat_debug_off(void)
{
	unsigned long daif;

	asm volatile("mrs %0, daif\n"
		     "msr daifset, #8"
		     : "=r"(daif)
		     :
		     : "memory");
	return daif;
}

static __always_inline void rt_compat_debug_on(unsigned long daif)
{
	asm volatile("msr daif, %0" : : "r"(daif) : "memory");
}
#else
static __always_inline void rt_compat_trap_end(void)
{
}

static __always_inline unsigned long rt_compat_debug_off(void)
{
	return 0;
}

static __always_inline void rt_compat_debug_on(unsigned long daif)
{
}
#endif

/*
 * Whether the kernel can be told to step over an access of its own (compat/hw_breakpoint.h).  Without it,
 * on older kernels of arm64, execution in the kernel cannot be watched, and a watch pauses after an access
 * of the kernel that the handler cannot perform itself.
 */
#if defined(CONFIG_ARM64) && defined(RT_HAVE_ORIG_OVERFLOW_HANDLER) && \
	!defined(RT_HAVE_USES_DEFAULT_HANDLER) && defined(RT_HAVE_EVENT_PENDING)
#define RT_COMPAT_STEPS_KERNEL 0
#else
#define RT_COMPAT_STEPS_KERNEL 1
#endif

#endif
