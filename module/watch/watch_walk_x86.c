// SPDX-License-Identifier: GPL-2.0
/*
 * watch_walk_x86.c - x86 traps after the access, with the address of the next instruction.
 * Decoding backwards is ambiguous, so the kernel's own decoder decodes the function from its
 * beginning.
 *
 * The module does not know the functions of user code.  But decoding that begins in the middle of
 * an instruction meets the real instruction boundaries after a few steps.  So it starts walks at
 * many bytes some way before the address, and accepts the beginning of the last instruction if all
 * walks agree.
 */
#ifdef CONFIG_X86
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/ptrace.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <asm/insn.h>

#include "compat/insn.h"
#include "kernel/lookup.h"
#include "watch_walk.h"
#include "x86_insn.h"

/* Do not walk through longer functions inside a trap. */
#define FUNCTION_MAX (64U << 10)

/* User code: decode this many bytes, with one walk from each of the first few. */
#define USER_BYTES 80U
#define USER_WALKS 32U

/* A kprobe's breakpoint, or the padding after a return. */
#define INT3 0xcc
/* A kprobe that became a jump, which covers this many bytes. */
#define JUMP	   0xe9
#define JUMP_BYTES 5

static typeof(&insn_init) decode_init __read_mostly;
static typeof(&insn_get_length) decode_length __read_mostly;
/* Restores the bytes under a kprobe; returns 0, or the address whose bytes are valid in BYTES. */
static unsigned long (*find_unprobed)(u8 *bytes, unsigned long address) __read_mostly;

void rt_walk_init(void)
{
	decode_init = (void *)rt_lookup_address(RT_LOOKUP_INSN_INIT);
	decode_length = (void *)rt_lookup_address(RT_LOOKUP_INSN_LENGTH);
	find_unprobed = (void *)rt_lookup_address(RT_LOOKUP_UNPROBED);
}

bool rt_walk_read(struct pt_regs *regs, unsigned long ip, u8 *code, u32 bytes)
{
	u32 here = min_t(u32, bytes, PAGE_SIZE - offset_in_page(ip));
	bool user = user_mode(regs);

	if (user ? !copy_from_user_nofault(code, (const void __user *)ip, bytes) :
		   !copy_from_kernel_nofault(code, (void *)ip, bytes))
		return true;
	/* The code may end with the page. */
	memset(code, 0, bytes);
	return user ? !copy_from_user_nofault(code, (const void __user *)ip, here) :
		      !copy_from_kernel_nofault(code, (void *)ip, here);
}
NOKPROBE_SYMBOL(rt_walk_read);

/* --- the kernel ------------------------------------------------------------------ */

static u32 decode(const u8 *code, u32 bytes, bool is_64bit)
{
	struct insn insn;

	rt_compat_insn_init(decode_init, &insn, code, bytes, is_64bit);
	decode_length(&insn);
	return insn.length <= MAX_INSN_SIZE ? insn.length : 0;
}
NOKPROBE_SYMBOL(decode);

u32 rt_walk_length(const u8 *code)
{
	return decode_init && decode_length ? decode(code, MAX_INSN_SIZE, true) : 0;
}
NOKPROBE_SYMBOL(rt_walk_length);

/*
 * The length of the instruction at ADDRESS, 0 if the bytes are not one.  A kprobe hides its first
 * byte or, up to *COVERED, more bytes; the kernel knows the original ones.
 */
static u32 length_at(struct pt_regs *regs, unsigned long address, u8 *code, bool *padding,
		     unsigned long *covered)
{
	u8 bytes[MAX_INSN_SIZE + 1];
	unsigned long from;

	if (!rt_walk_read(regs, address, code, MAX_INSN_SIZE))
		return 0;
	if (code[0] == JUMP && find_unprobed)
		*covered = address + JUMP_BYTES;
	if (code[0] == INT3 || address < *covered) {
		from = find_unprobed ? find_unprobed(bytes, address) : 0;
		if (from == (unsigned long)bytes)
			memcpy(code, bytes, MAX_INSN_SIZE);
		else if (code[0] == INT3)
			*padding = true;
	}
	return decode(code, MAX_INSN_SIZE, true);
}
NOKPROBE_SYMBOL(length_at);

/* Whether the CPU never continues after the instruction. */
static bool leaves(const u8 *code, u32 length)
{
	struct rt_x86_insn insn;

	rt_x86_insn_parse(&insn, code, length, true);
	return insn.flags & RT_X86_LEAVES;
}
NOKPROBE_SYMBOL(leaves);

static u32 walk_function(struct pt_regs *regs, unsigned long ip, u8 *code)
{
	unsigned long size, offset, at, covered = 0;
	u8 before[RT_WALK_BYTES] = { 0 };
	u32 length = 0, last;
	bool padding;

	/* The address may be just after the end of a function, so look up the byte before it. */
	if (!decode_init || !decode_length || !rt_lookup_extent(ip - 1, &size, &offset) ||
	    offset > FUNCTION_MAX)
		return 0;
	for (at = ip - 1 - offset; at < ip; at += length) {
		memcpy(before, code, MAX_INSN_SIZE);
		last = length;
		padding = false;
		length = length_at(regs, at, code, &padding, &covered);
		/* After a return, int3 is padding, not an instruction under a probe. */
		if (!length || (padding && !(last && leaves(before, last))))
			return 0;
		if (at + length == ip)
			return length;
	}
	return 0;
}
NOKPROBE_SYMBOL(walk_function);

/* --- user code ------------------------------------------------------------------- */

static u32 walk_user(struct pt_regs *regs, unsigned long ip, u8 *result)
{
	u8 code[USER_BYTES + MAX_INSN_SIZE] = { 0 }, length[USER_BYTES] = { 0 };
	u32 begin, at, last, found = 0;

	if (!decode_init || !decode_length ||
	    copy_from_user_nofault(code, (const void __user *)(ip - USER_BYTES), USER_BYTES))
		return 0;
	/* Read on, because a truncated instruction would seem shorter; unreadable bytes are 0. */
	rt_walk_read(regs, ip, code + USER_BYTES, MAX_INSN_SIZE);
	for (begin = 0; begin < USER_WALKS; begin++) {
		/* From where an earlier walk has been, this one would go the same way. */
		for (at = last = begin; at < USER_BYTES && !length[at]; at += length[at]) {
			length[at] = decode(code + at, MAX_INSN_SIZE, user_64bit_mode(regs));
			if (!length[at])
				break;
			last = at;
		}
		if (at != USER_BYTES)
			continue;
		if (found)
			return 0;
		found = USER_BYTES - last;
	}
	memcpy(result, code + USER_BYTES - found, MAX_INSN_SIZE);
	return found;
}
NOKPROBE_SYMBOL(walk_user);

u32 rt_walk_back(struct pt_regs *regs, unsigned long ip, u8 code[RT_WALK_BYTES])
{
	BUILD_BUG_ON(MAX_INSN_SIZE > RT_WALK_BYTES);
	return user_mode(regs) ? walk_user(regs, ip, code) : walk_function(regs, ip, code);
}
NOKPROBE_SYMBOL(rt_walk_back);

bool rt_walk_is_entry(unsigned long ip)
{
	unsigned long size, offset;

	return rt_lookup_extent(ip, &size, &offset) && !offset;
}
NOKPROBE_SYMBOL(rt_walk_is_entry);
#endif
