// SPDX-License-Identifier: GPL-2.0
#include "watch_stepped.h"

#ifdef CONFIG_ARM64

#include <linux/bitops.h>
#include <linux/hardirq.h>
#include <linux/kernel.h>
#include <linux/kernel_stat.h>
#include <linux/kprobes.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/smp.h>

#include "watch.h"
#include "watch_access.h"
#include "watch_value.h"

/* Count what can come between a trap and its step: this CPU's interrupts, this task's switches. */
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

/* Note everything else that identifies a repeated trap, for when the values do not tell. */
static noinline void look_around(struct rt_watch_trap *trap, const struct pt_regs *regs)
{
	trap->sum = sum_registers(regs);
	trap->interrupts = interruptions();
}
NOKPROBE_SYMBOL(look_around);

/*
 * The entry code of an interrupt accesses the frame that it has made on the same stack.  It must not
 * take the place of the interrupted access.  It runs with interrupts off.  Code to which the kernel
 * switches at the end of the interrupt runs with interrupts on, further down the stack.
 */
static struct rt_watch_trap *trap_of(struct rt_watch_cpu *mine, const struct pt_regs *regs)
{
	struct rt_watch_trap *trap = mine->trap[hardirq_count() ? 2 : in_serving_softirq() ? 1 : 0];

	if (!interrupts_enabled(regs))
		return trap + 2;
	return trap + (trap->task == current && regs->sp < trap->sp);
}
NOKPROBE_SYMBOL(trap_of);

/* Whether an interrupt can come before the kernel has stepped over the access. */
static bool can_interrupt(const struct pt_regs *regs)
{
	if (user_mode(regs))
		return false;
	return interrupts_enabled(regs) || IS_ENABLED(CONFIG_ARM64_PSEUDO_NMI);
}
NOKPROBE_SYMBOL(can_interrupt);

bool rt_watch_stepped_again(struct rt_watch_cpu *mine, const struct pt_regs *regs)
{
	struct rt_watch_trap *trap = trap_of(mine, regs), now;
	bool again;

	look_around(&now, regs);
	again = trap->pc == regs->pc && trap->task == current && trap->sp == regs->sp &&
		trap->sum == now.sum;
	if (again && trap->waits) {
		/* It has trapped again in order to be stepped over. */
		trap->interrupts = now.interrupts;
		return true;
	}
	again = again && trap->interrupts != now.interrupts && can_interrupt(regs);
	trap->task = current;
	trap->pc = regs->pc;
	trap->sp = regs->sp;
	trap->sum = now.sum;
	trap->interrupts = now.interrupts;
	if (again)
		mine->repeated++;
	return again;
}
NOKPROBE_SYMBOL(rt_watch_stepped_again);

void rt_watch_find_stepped(struct rt_watch *watch, struct rt_watch_cpu *mine, struct pt_regs *regs,
			   struct rt_access *access)
{
	mine->alone = false;
	if (access->step) {
		rt_watch_turn_steps(watch, mine);
		access->same = rt_watch_stepped_again(mine, regs);
		trap_of(mine, regs)->waits = !access->leave;
	}
	/*
	 * Another CPU's value is not in memory yet: that CPU writes it after our read.  Or the trap has
	 * changed the value, and will change it back.
	 */
	if ((access->held || access->turn != mine->turn + 1) && watch->last_known &&
	    watch->last_memory == rt_watch_memory_of(watch) && watch->last != access->old)
		access->flags |= RT_WATCH_UNCERTAIN;
	mine->turn = access->turn;
	if (access->same)
		return;
	if (access->rw & RT_ACCESS_WRITE) {
		watch->last = access->new;
		rt_watch_keep_last(watch, access);
	}
}
NOKPROBE_SYMBOL(rt_watch_find_stepped);

#endif
