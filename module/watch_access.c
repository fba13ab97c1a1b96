// SPDX-License-Identifier: GPL-2.0
#include <linux/kernel.h>
#include <linux/kernel_stat.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/smp.h>

#include "program_port.h"
#include "watch.h"
#include "watch_access.h"
#include "watch_decode.h"

/* The watched bytes as a number; false if they cannot be read now. */
static bool read_value(const struct rt_watch *watch, u64 *value)
{
	*value = 0;
	if (watch->user)
		return !rt_port_read_user(value, watch->address, watch->length);
	return !copy_from_kernel_nofault(value, (void *)(unsigned long)watch->address,
					 watch->length);
}
NOKPROBE_SYMBOL(read_value);

static const void *memory_of(const struct rt_watch *watch)
{
	return watch->user ? current->mm : NULL;
}

static bool reads_only(const struct rt_watch *watch)
{
	return !(watch->access & RT_ACCESS_WRITE);
}

void rt_watch_access_start(struct rt_watch *watch)
{
	watch->last_cpu = raw_smp_processor_id();
	watch->last_mm = NULL;
	watch->last_known = !watch->user && read_value(watch, &watch->last);
	rt_watch_decode_forget();
}

#ifdef CONFIG_X86

/*
 * After the access.  Two CPUs that write at about the same time see, both, the value of
 * the later one: whoever finds the other's traces says so.
 */
static void find_values(struct rt_watch *watch, struct pt_regs *regs, struct rt_access *access)
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
	watch->last_mm = memory_of(watch);
	watch->last_known = !(access->flags & RT_WATCH_NO_NEW);
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

/*
 * Before the access.  An interrupt may come before it has been stepped over; then it traps
 * once more.  The same instruction of the same task finding the old value again, though it
 * was to write another one and nobody else has written since, has not been executed yet.
 * Where it writes what is there already, or that is not known, the registers tell (a loop
 * that changes none of them has no end) if there was an interrupt at all.
 */
static bool repeated(struct rt_watch *watch, const struct rt_watch_trap *now)
{
	struct rt_watch_trap *trap = &per_cpu_ptr(watch->cpu, watch->last_cpu)->trap;

	if (trap->task != now->task || trap->pc != now->pc || trap->sp != now->sp)
		return false;
	if (trap->old == now->old && trap->new != trap->old && trap->turn == now->turn)
		return true;
	return trap->sum == now->sum && trap->interrupts != now->interrupts;
}

static void find_values(struct rt_watch *watch, struct pt_regs *regs, struct rt_access *access)
{
	struct rt_watch_trap now = {
		.task = current,
		.pc = regs->pc,
		.sp = regs->sp,
		.sum = sum_registers(regs),
		.interrupts = interruptions(),
		.turn = atomic_read(&watch->turn),
	};
	u32 cpu = raw_smp_processor_id(), last_cpu;
	bool known = watch->last_known && watch->last_mm == memory_of(watch);

	atomic_inc(&watch->active);
	if (!read_value(watch, &access->old))
		access->flags |= RT_WATCH_NO_OLD;
	rt_watch_decode(watch, regs, access);
	now.old = access->old;
	now.new = access->flags &RT_WATCH_NO_NEW ? now.old : access->new;
	access->turn = now.turn;
	if (!access->whole && repeated(watch, &now)) {
		access->same = true;
		return;
	}
	now.turn = access->turn = atomic_inc_return(&watch->turn);
	last_cpu = xchg(&watch->last_cpu, cpu);
	this_cpu_ptr(watch->cpu)->trap = now;
	/* What another CPU was about to write is not there: it still comes, after we looked. */
	if (last_cpu != cpu && known && watch->last != access->old)
		access->flags |= RT_WATCH_UNCERTAIN;
	if (access->rw & RT_ACCESS_WRITE) {
		watch->last = access->new;
		watch->last_mm = memory_of(watch);
		watch->last_known = !(access->flags & RT_WATCH_NO_NEW);
	}
}

#endif
NOKPROBE_SYMBOL(find_values);

void rt_watch_access_begin(struct rt_watch *watch, struct pt_regs *regs, u64 trigger,
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
	if (watch->access & RT_ACCESS_EXECUTE) {
		access->flags = RT_WATCH_NO_OLD | RT_WATCH_NO_NEW;
		access->turn = atomic_inc_return(&watch->turn);
		atomic_inc(&watch->active);
		return;
	}
	if (!rt_watch_decode_start(watch, regs, &access->ip))
		access->flags |= RT_WATCH_IP_AFTER;
	find_values(watch, regs, access);
	if (reads_only(watch)) {
		access->rw = RT_ACCESS_READ;
		access->new = access->old;
	}
}
NOKPROBE_SYMBOL(rt_watch_access_begin);

void rt_watch_access_end(struct rt_watch *watch, struct rt_access *access)
{
	if (!(watch->access & RT_ACCESS_EXECUTE) && atomic_read(&watch->turn) != access->turn)
		access->flags |= RT_WATCH_UNCERTAIN;
	atomic_dec(&watch->active);
}
NOKPROBE_SYMBOL(rt_watch_access_end);
