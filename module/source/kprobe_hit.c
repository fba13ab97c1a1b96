// SPDX-License-Identifier: GPL-2.0
#include <linux/hardirq.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/preempt.h>

#include "compat/traps.h"
#include "event/event.h"
#include "event/hit.h"
#include "event/stack.h"
#include "kernel/canary.h"
#include "kernel/lookup.h"
#include "kernel/registers.h"
#include "kprobe_one.h"
#include "kprobe_hit.h"
#include "watch/watch_probed.h"

/* From a function's first instruction to the one that calls ftrace, at most. */
#define ENTRY_BYTES 16

/* The breakpoint of x86. */
#define INT3 0xcc

#ifdef CONFIG_X86
/* The kernel function that calls our handler if a jump has replaced the breakpoint. */
static unsigned long optimised, optimised_size;

void __init rt_kprobe_hit_init(void)
{
	optimised = rt_lookup_function("opt_pre_handler", &optimised_size);
}

/*
 * The kernel marks a probe as optimised before it patches the code, and it marks its own aggregate
 * probe, not ours.  If the address of the caller is not known, look at the code itself; that is wrong
 * only while the code is being patched.
 */
static __always_inline bool by_jump(const struct kprobe *kp, unsigned long caller)
{
	if (likely(optimised_size))
		return caller - optimised < optimised_size;
	return *(const u8 *)kp->addr != INT3;
}
#else
void __init rt_kprobe_hit_init(void)
{
}
#endif

/*
 * What the path from the probe to the handler has added to preempt_count(): the breakpoint trap of x86
 * counts as an NMI on newer kernels, and that of arm64 as nothing on older ones; every other path
 * disables preemption once.
 */
static __always_inline u32 depth_of(const struct kprobe *kp, unsigned long caller)
{
#ifdef CONFIG_X86
	if (RT_COMPAT_TRAPS_ARE_NMIS && (preempt_count() & NMI_MASK) &&
	    !(kp->flags & KPROBE_FLAG_FTRACE) && !by_jump(kp, caller))
		return NMI_OFFSET + HARDIRQ_OFFSET;
	if (!RT_COMPAT_TRAPS_ARE_NMIS && kp->flags & KPROBE_FLAG_FTRACE)
		return RT_COMPAT_FTRACE_KPROBE_DEPTH;
	if (!RT_COMPAT_TRAPS_ARE_NMIS && !by_jump(kp, caller))
		return RT_COMPAT_INT3_DEPTH;
#endif
#ifdef CONFIG_ARM64
	return rt_canary_depth;
#else
	return PREEMPT_DISABLE_OFFSET;
#endif
}

static bool wants_caller(const struct rt_event *event)
{
	return (event->fetch.contexts | event->filter.contexts) & (1U << RT_CONTEXT_CALLER);
}

bool rt_restore_caller __read_mostly = true;
module_param_named(restore_caller, rt_restore_caller, bool, 0444);
MODULE_PARM_DESC(
	restore_caller,
	"for the time of a hit, put back the return address that a kretprobe has replaced (default: yes)");

/*
 * A kretprobe on the same function may replace the return address before our kprobe's handler runs.
 * Its entry handler notes the original address here.  No other probe runs on this CPU in between.
 */
struct noted {
	unsigned long ip;
	unsigned long *place;
	unsigned long sp;
	unsigned long caller;
};

static DEFINE_PER_CPU(struct noted, noted);

static __always_inline void note_entry(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	struct kretprobe *rp = get_kretprobe(instance);
	unsigned long *place = rt_registers_return(regs);
	struct noted *mine = this_cpu_ptr(&noted);

	if (rp && rp->data_size)
		rt_registers_save(regs, (u64 *)instance->data, rp->data_size / sizeof(u64));
	/* Another kretprobe came first: if it is ours, it has noted the original address. */
	if (unlikely(!rp || rt_stack_by_kretprobe(*place)))
		return;
	mine->ip = (unsigned long)rp->kp.addr;
	mine->place = place;
	mine->sp = kernel_stack_pointer(regs);
	mine->caller = *place;
}

int rt_kretprobe_enters(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	note_entry(instance, regs);
	rt_compat_trap_end();
	return 0;
}
NOKPROBE_SYMBOL(rt_kretprobe_enters);

void rt_kretprobe_by_entry(struct rt_event *event, struct pt_regs *regs)
{
	struct rt_kprobe *probe = event->probe;

	probe->rp.kp.pre_handler(&probe->rp.kp, regs);
}
NOKPROBE_SYMBOL(rt_kretprobe_by_entry);

unsigned long rt_kretprobe_replaced(unsigned long at, unsigned long sp)
{
	struct noted *mine = raw_cpu_ptr(&noted);

	if (at - mine->ip > ENTRY_BYTES || mine->sp != sp)
		return 0;
	mine->sp = 0; /* another call may come to the same place of the stack */
	return mine->caller;
}
NOKPROBE_SYMBOL(rt_kretprobe_replaced);

/* Undo what a kretprobe did to the return address; returns what was there. */
static __always_inline unsigned long put_caller(unsigned long *place, unsigned long ip)
{
	unsigned long found = *place;
	const struct noted *mine = this_cpu_ptr(&noted);

	if (unlikely(rt_stack_by_kretprobe(found)) && rt_restore_caller && mine->ip == ip &&
	    mine->place == place)
		*place = mine->caller;
	return found;
}

int rt_kprobe_hit(struct kprobe *kp, struct pt_regs *regs)
{
	struct rt_kprobe *probe = container_of(kp, struct rt_kprobe, rp.kp);
	unsigned long *place = rt_registers_return(regs), found = 0;
	struct rt_hit hit;

	if (probe->entry && probe->event->shows_caller)
		found = put_caller(place, probe->ip);
	hit.regs = regs;
	hit.ip = probe->ip;
	hit.caller = wants_caller(probe->event) ? rt_registers_caller(regs) : 0;
	hit.top = probe->ip;
	hit.linked = probe->linked;
	hit.depth = depth_of(kp, (unsigned long)__builtin_return_address(0));
	rt_hit_fetch(&hit, probe->event);
	if (found && unlikely(*place != found))
		*place = found;
	rt_watch_probed(kp, regs);
	rt_compat_trap_end();
	return 0;
}
NOKPROBE_SYMBOL(rt_kprobe_hit);

int rt_kretprobe_hit(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	struct kretprobe *rp = get_kretprobe(instance);
	struct rt_kprobe *probe;
	struct rt_hit hit;

	/* The probe is being unregistered. */
	if (unlikely(!rp))
		return 0;
	probe = container_of(rp, struct rt_kprobe, rp);
	hit.regs = regs;
	hit.ip = probe->ip;
	hit.caller = get_kretprobe_retaddr(instance);
	hit.top = hit.caller;
	hit.linked = false;
	hit.depth = PREEMPT_DISABLE_OFFSET;
	hit.context.saved = (const u64 *)instance->data;
	rt_hit_fetch(&hit, probe->event);
	return 0;
}
NOKPROBE_SYMBOL(rt_kretprobe_hit);
