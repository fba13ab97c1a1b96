// SPDX-License-Identifier: GPL-2.0
/* watch_touch_x86.c - see watch_touch.h */
#ifdef CONFIG_X86
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <asm/msr-index.h>

#include "program/program_port.h"
#include "watch_touch.h"

/* Sizes of operands that the parser does not know: saved processor states. */
#define LONG_OPERAND (16U << 10)

bool rt_touch_is_wide(struct pt_regs *regs)
{
	return !user_mode(regs) || user_64bit_mode(regs);
}
NOKPROBE_SYMBOL(rt_touch_is_wide);

/* The base that a segment register adds. */
static u64 segment_base(const struct rt_x86_insn *insn, struct pt_regs *regs)
{
	u32 low, high, msr = insn->segment == 0x64 ? MSR_FS_BASE : MSR_KERNEL_GS_BASE;

	if (likely(!insn->segment))
		return 0;
	if (!user_mode(regs))
		return insn->segment == 0x65 ? per_cpu_offset(raw_smp_processor_id()) : 0;
	/* The FS base is still the user's; swapgs has put the user's GS base into this MSR. */
	asm volatile("rdmsr" : "=a"(low), "=d"(high) : "c"(msr));
	return low | (u64)high << 32;
}
NOKPROBE_SYMBOL(segment_base);

bool rt_touch_operand(const struct rt_x86_insn *insn, struct pt_regs *regs, u64 next, u64 *address)
{
	if (!rt_x86_address(insn, (const u64 *)regs, next, segment_base(insn, regs), address))
		return false;
	if (!rt_touch_is_wide(regs))
		*address = (u32)*address;
	return true;
}
NOKPROBE_SYMBOL(rt_touch_operand);

u32 rt_touch_string(const struct rt_watch *watch, struct pt_regs *regs,
		    const struct rt_x86_insn *insn, u32 slack)
{
	bool down = regs->flags & X86_EFLAGS_DF;
	u64 to = down ? regs->di + insn->size : regs->di - slack;
	u64 from = down ? regs->si + insn->size : regs->si - slack;

	if ((insn->source & RT_X86_WRITES_DI) && rt_touches(watch, to, slack))
		return RT_ACCESS_WRITE;
	if (((insn->source & RT_X86_READS_DI) && rt_touches(watch, to, slack)) ||
	    ((insn->source & RT_X86_READS_SI) && rt_touches(watch, from, slack)))
		return RT_ACCESS_READ;
	return 0;
}
NOKPROBE_SYMBOL(rt_touch_string);

/* A load overwrote its own address register: compare it with the value at the watched bytes. */
static bool has_loaded(const struct rt_watch *watch, struct pt_regs *regs,
		       const struct rt_x86_insn *insn)
{
	u64 got = rt_x86_register((const u64 *)regs, insn->source), word = 0;
	u32 at, bytes = min_t(u32, insn->size, 8);

	if (!(insn->flags & RT_X86_MOVES) || !bytes ||
	    rt_port_read(&word, watch->address & ~7ULL, sizeof(word)))
		return false;
	for (at = 0; at < 8; at += bytes)
		if (rt_touches(watch, (watch->address & ~7ULL) + at, bytes) &&
		    !memcmp((u8 *)&word + at, &got, bytes))
			return true;
	return false;
}
NOKPROBE_SYMBOL(has_loaded);

u32 rt_touch_by(const struct rt_watch *watch, struct pt_regs *regs, const struct rt_x86_insn *insn,
		u64 next)
{
	u64 address;

	if (insn->op == RT_X86_STRING)
		return rt_touch_string(watch, regs, insn,
				       insn->flags & RT_X86_REPEAT ? RT_STRING_SLACK : insn->size);
	if ((insn->flags & RT_X86_PUSHES) && rt_touches(watch, regs->sp, 8))
		return RT_ACCESS_WRITE;
	if ((insn->flags & RT_X86_POPS) && rt_touches(watch, regs->sp - 8, 8))
		return RT_ACCESS_READ;
	if (insn->op == RT_X86_NONE)
		return 0;
	if (!rt_touch_operand(insn, regs, next, &address)) {
		if (!(insn->flags & RT_X86_LOST) || insn->op != RT_X86_READ)
			return RT_TOUCH_UNSURE;
		return has_loaded(watch, regs, insn) ? RT_ACCESS_READ : RT_TOUCH_UNSURE;
	}
	if (!rt_touches(watch, address, insn->size ? insn->size : LONG_OPERAND))
		return 0;
	if (insn->op == RT_X86_UNKNOWN)
		return RT_TOUCH_UNSURE;
	return insn->op == RT_X86_READ ? RT_ACCESS_READ : RT_ACCESS_WRITE;
}
NOKPROBE_SYMBOL(rt_touch_by);
#endif
