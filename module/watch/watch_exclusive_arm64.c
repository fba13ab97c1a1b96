// SPDX-License-Identifier: GPL-2.0
/*
 * watch_exclusive_arm64.c - perform a load-exclusive or store-exclusive that has trapped, with the
 * sequence that it belongs to (a64_exclusive.h).
 */
#ifdef CONFIG_ARM64
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/sched.h>

#include <asm/sysreg.h>

#include "a64_compute.h"
#include "a64_exclusive.h"
#include "watch_do.h"
#include "watch_memory.h"

struct machine {
	struct rt_a64_machine m;
	bool user;
};

static bool is_user(const struct rt_a64_machine *m)
{
	return container_of(m, struct machine, m)->user;
}
NOKPROBE_SYMBOL(is_user);

static int fetch_insn(const struct rt_a64_machine *m, u64 pc, u32 *insn)
{
	if (is_user(m))
		return rt_port_read_user(insn, pc, sizeof(*insn));
	return rt_compat_peek_u32(insn, pc) ? 0 : -EFAULT;
}
NOKPROBE_SYMBOL(fetch_insn);

static int load_word(const struct rt_a64_machine *m, u64 *value)
{
	u32 size = min(m->size, 8U);
	int err = rt_watch_load(is_user(m), m->address, size, value);

	if (!err && m->size > size)
		err = rt_watch_load(is_user(m), m->address + 8, 8, value + 1);
	return err;
}
NOKPROBE_SYMBOL(load_word);

/* Use the strongest barriers, whichever form the program used. */
static int exchange_word(const struct rt_a64_machine *m, const u64 *old, const u64 *new, u64 *was)
{
	if (m->address % m->size)
		return -EINVAL;
	if (m->size == 16)
		return rt_watch_exchange_pair(is_user(m), m->address, old, new, was);
	return rt_watch_exchange(is_user(m), m->address, m->size, old[0], new[0], was);
}
NOKPROBE_SYMBOL(exchange_word);

/* The registers that hold per-CPU offsets, the current task and a thread's data.  Traps leave them alone. */
static int read_system(const struct rt_a64_machine *m, u32 number, u64 *value)
{
	bool higher = (read_sysreg(currentel) >> 2 & 3) == 2;

	if (number == RT_A64_TPIDR_EL0)
		*value = read_sysreg(tpidr_el0);
	else if (number == RT_A64_TPIDRRO_EL0)
		*value = read_sysreg(tpidrro_el0);
	else if (is_user(m))
		return -EPERM;
	else if (number == RT_A64_TPIDR_EL1)
		*value = read_sysreg(tpidr_el1);
	else if (number == RT_A64_SP_EL0)
		*value = read_sysreg(sp_el0);
	else if (number == RT_A64_TPIDR_EL2 && higher)
		*value = read_sysreg(tpidr_el2);
	else
		return -EPERM;
	return 0;
}
NOKPROBE_SYMBOL(read_system);

/*
 * No store-exclusive fails for long, so one that keeps failing is one that we do not understand.
 * After FAILS_PATIENT failures the handler sets `insist`, and in the end it gives the register up.
 */
#define FAILS_PATIENT 4
#define FAILS_MAX     16

/*
 * A load alone may have a store in code that cannot be seen, which fails for ever.  If the same load finds the
 * same value so often, let it run once without the watch.
 */
#define UNSURE_MAX 1000

static bool another_unsure(struct rt_watch_cpu *mine, const struct rt_a64_machine *m, u64 pc)
{
	u64 key = (pc ^ (unsigned long)current) + 0x9e3779b97f4a7c15ULL * m->old[0];

	if (mine->unsure_key != key || !m->unsure)
		mine->unsure = 0;
	mine->unsure_key = key;
	return !m->unsure || ++mine->unsure < UNSURE_MAX;
}
NOKPROBE_SYMBOL(another_unsure);

static bool another_failure(struct rt_watch_cpu *mine, u64 pc)
{
	if (mine->fail_pc != pc || mine->fail_task != current)
		mine->fails = 0;
	mine->fail_pc = pc;
	mine->fail_task = current;
	return ++mine->fails < FAILS_MAX;
}
NOKPROBE_SYMBOL(another_failure);

void rt_watch_do_exclusive(const struct rt_watch *watch, struct pt_regs *regs,
			   struct rt_access *access)
{
	struct rt_watch_cpu *mine = this_cpu_ptr(watch->cpu);
	struct machine machine = {
		.m = {
			.regs = regs->regs,
			.pc = regs->pc,
			.nzcv = regs->pstate & (0xfU << 28),
			.insist = mine->fail_pc == regs->pc && mine->fail_task == current &&
				  mine->fails > FAILS_PATIENT,
			.fetch = fetch_insn,
			.load = load_word,
			.exchange = exchange_word,
			.read_system = read_system,
		},
		.user = watch->user,
	};
	struct rt_a64_access a = { .count = 1 };
	u64 pc = regs->pc;
	enum rt_a64_run run = rt_a64_exclusive_run(&machine.m);

	if (run == RT_A64_REFUSED || (run == RT_A64_FAILED && !another_failure(mine, pc))) {
		access->stuck = true;
		access->flags |= RT_WATCH_NO_NEW;
		if (run == RT_A64_REFUSED)
			return;
	}
	rt_watch_done(regs);
	regs->pc = machine.m.pc;
	regs->pstate = (regs->pstate & ~(0xfULL << 28)) | machine.m.nzcv;
	if (run == RT_A64_FAILED) {
		access->same = true;
		return;
	}
	/* A load alone is no progress if a store follows. */
	if (machine.m.stored)
		mine->fails = 0;
	if (!another_unsure(mine, &machine.m, pc))
		access->stuck = true;
	access->whole = true;
	access->rw = machine.m.stored ? RT_ACCESS_WRITE : RT_ACCESS_READ;
	/* A watch for both has trapped at the load. */
	if (machine.m.stored)
		access->ip = machine.m.store;
	access->from = a.address = rt_port_untagged(machine.m.address);
	access->bytes = a.size = machine.m.size;
	access->old = rt_watch_overlay(watch, &a, (u8 *)machine.m.old, access->old);
	access->new = access->old;
	if (machine.m.stored)
		access->new = rt_watch_overlay(watch, &a, (u8 *)machine.m.new, access->old);
	access->exact =
		a.address <= watch->address && a.address + a.size >= watch->address + watch->length;
}
NOKPROBE_SYMBOL(rt_watch_do_exclusive);
#endif
