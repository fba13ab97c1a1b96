// SPDX-License-Identifier: GPL-2.0
/*
 * watch_moved_x86.c - see watch_moved_x86.h.
 *
 * A copy ends with a jump back to the code behind the probed instruction, unless the kernel wants to
 * know when it was executed; then the probe is the CPU's current one.  An optimised probe has a copy
 * of several instructions, with one such jump behind them.
 */
#ifdef CONFIG_X86
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <linux/string.h>

#include "kernel/lookup.h"
#include "watch_moved_x86.h"
#include "x86_insn.h"

#define JUMP	   0xe9
#define JUMP_BYTES 5
/* The longest copy: an optimised probe replaces five bytes, and the last instruction may begin in them. */
#define COPY_BYTES (JUMP_BYTES - 1 + RT_X86_LENGTH_LIMIT)

static struct kprobe *__percpu *running __read_mostly;

void rt_moved_init(void)
{
	running = (struct kprobe * __percpu *)rt_lookup_name("current_kprobe");
}

/* Whether LENGTH bytes in front of IP do what the code in front of ORIGINAL does. */
static bool is_same(struct pt_regs *regs, unsigned long ip, const u8 *copy, unsigned long original,
		    const u8 *code, u32 length)
{
	struct rt_x86_insn ours, theirs;
	u64 at = 0, from = 0;
	bool known;

	rt_x86_insn_parse(&ours, copy, length, true);
	rt_x86_insn_parse(&theirs, code, length, true);
	/* An address relative to the code differs in the copy. */
	known = rt_x86_address(&ours, (const u64 *)regs, ip, 0, &at);
	if (known != rt_x86_address(&theirs, (const u64 *)regs, original, 0, &from))
		return false;
	return ours.op == theirs.op && ours.size == theirs.size && ours.flags == theirs.flags &&
	       ours.source == theirs.source && ours.base == theirs.base && at == from;
}
NOKPROBE_SYMBOL(is_same);

static u32 take_original(struct pt_regs *regs, unsigned long ip, unsigned long original,
			 u8 code[RT_WALK_BYTES], s64 *by)
{
	u8 copy[RT_WALK_BYTES] = { 0 };
	u32 length = rt_walk_back(regs, original, code);

	if (!length || !rt_walk_read(regs, ip - length, copy, RT_X86_LENGTH_LIMIT) ||
	    !is_same(regs, ip, copy, original, code, length))
		return 0;
	memcpy(code, copy, sizeof(copy));
	*by = original - ip;
	return length;
}
NOKPROBE_SYMBOL(take_original);

/* Where the code continues behind the original of a copy; 0: there is no jump. */
static unsigned long find_jump(struct pt_regs *regs, unsigned long ip)
{
	u8 code[COPY_BYTES + RT_X86_LENGTH_LIMIT] = { 0 };
	u32 at, length;
	s32 distance;

	if (!rt_walk_read(regs, ip, code, sizeof(code)))
		return 0;
	for (at = 0; at < COPY_BYTES; at += length) {
		if (code[at] == JUMP) {
			memcpy(&distance, code + at + 1, sizeof(distance));
			return ip + JUMP_BYTES + distance;
		}
		length = rt_walk_length(code + at);
		if (!length)
			return 0;
	}
	return 0;
}
NOKPROBE_SYMBOL(find_jump);

u32 rt_moved_back(struct pt_regs *regs, unsigned long ip, u8 code[RT_WALK_BYTES], s64 *by)
{
	struct kprobe *probe = running ? *this_cpu_ptr(running) : NULL;
	unsigned long original, into;
	u32 length = 0;

	if (probe) {
		into = ip - (unsigned long)probe->ainsn.insn;
		if (into && into <= RT_X86_LENGTH_LIMIT)
			length = take_original(regs, ip, (unsigned long)probe->addr + into, code,
					       by);
	}
	if (length)
		return length;
	original = find_jump(regs, ip);
	return original ? take_original(regs, ip, original, code, by) : 0;
}
NOKPROBE_SYMBOL(rt_moved_back);
#endif
