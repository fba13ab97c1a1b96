// SPDX-License-Identifier: GPL-2.0
/*
 * watch_decode_x86.c - x86 traps when the access is done, with the address of the next
 * instruction.  Decoding backwards is ambiguous, so the function is decoded from its
 * beginning, by the kernel's own decoder; that is done once for each place, and what was
 * found is kept in a small table.
 *
 * Of user code no functions are known here.  But decoding that begins in the middle of an
 * instruction falls into step with the code after a few: walks are begun at many bytes some way
 * before, and where the last instruction begins counts if all walks agree.
 */
#ifdef CONFIG_X86
#include <linux/hash.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/ptrace.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <asm/insn.h>

#include "lookup.h"
#include "watch.h"
#include "watch_decode.h"

/* Longer functions are not walked through inside a trap. */
#define FUNCTION_MAX (64U << 10)

/* User code: so many bytes are decoded, by walks from each of the first. */
#define USER_BYTES 80U
#define USER_WALKS 32U

/* A breakpoint of a kprobe hides the first byte of an instruction. */
#define INT3 0xcc

static typeof(&kallsyms_lookup_size_offset) find_symbol __read_mostly;
static typeof(&insn_init) decode_init __read_mostly;
static typeof(&insn_get_length) decode_length __read_mostly;

/*
 * What was found: the address, without its uppermost byte, which all kernel addresses
 * share, and how far before it the instruction begins (0: not found).  One word each, so
 * that no CPU sees half of one.
 */
#define PLACES_SHIFT 8
static u64 places[1 << PLACES_SHIFT];

void rt_watch_decode_init(void)
{
	find_symbol = (void *)rt_lookup_address(RT_LOOKUP_SYMBOL_SIZE);
	decode_init = (void *)rt_lookup_address(RT_LOOKUP_INSN_INIT);
	decode_length = (void *)rt_lookup_address(RT_LOOKUP_INSN_LENGTH);
}

void rt_watch_decode_forget(void)
{
	memset(places, 0, sizeof(places));
}

/* The bytes of the instruction at ADDRESS, 0 if they make none. */
static u32 length_at(unsigned long address, u8 *bytes)
{
	struct insn insn;

	if (copy_from_kernel_nofault(bytes, (void *)address, MAX_INSN_SIZE) || bytes[0] == INT3)
		return 0;
	decode_init(&insn, bytes, MAX_INSN_SIZE, 1);
	decode_length(&insn);
	return insn.length <= MAX_INSN_SIZE ? insn.length : 0;
}
NOKPROBE_SYMBOL(length_at);

/* How far before IP the instruction in front of it begins; 0: not found. */
static u32 walk_function(unsigned long ip)
{
	unsigned long size, offset, at, begin;
	u8 bytes[MAX_INSN_SIZE];
	u32 length;

	/* The last instruction of a function may be the one: look in front of it. */
	if (!find_symbol || !decode_init || !decode_length ||
	    !find_symbol(ip - 1, &size, &offset) || offset > FUNCTION_MAX)
		return 0;
	begin = ip - 1 - offset;
	for (at = begin; at < ip; at += length) {
		length = length_at(at, bytes);
		if (!length)
			return 0;
		if (at + length == ip)
			return length;
	}
	return 0;
}
NOKPROBE_SYMBOL(walk_function);

static bool read_user(void *to, unsigned long from, u32 size)
{
	return !copy_from_user_nofault(to, (const void __user *)from, size);
}
NOKPROBE_SYMBOL(read_user);

/* How far before IP, in user code, the instruction in front of it begins; 0: not certain. */
static u32 walk_user(struct pt_regs *regs, unsigned long ip)
{
	u8 code[USER_BYTES + MAX_INSN_SIZE] = { 0 }, length[USER_BYTES] = { 0 };
	u32 begin, at, last, found = 0;
	struct insn insn;

	if (!decode_init || !decode_length || !read_user(code, ip - USER_BYTES, USER_BYTES))
		return 0;
	/* What is cut off would pass for shorter than it is; zeros serve where there is nothing. */
	read_user(code + USER_BYTES, ip, MAX_INSN_SIZE);
	for (begin = 0; begin < USER_WALKS; begin++) {
		/* Where an earlier walk has been, this one would go the same way. */
		for (at = last = begin; at < USER_BYTES && !length[at]; at += length[at]) {
			decode_init(&insn, code + at, MAX_INSN_SIZE, user_64bit_mode(regs));
			decode_length(&insn);
			if (!insn.length || insn.length > MAX_INSN_SIZE)
				break;
			length[at] = insn.length;
			last = at;
		}
		if (at != USER_BYTES)
			continue;
		if (found)
			return 0;
		found = USER_BYTES - last;
	}
	return found;
}
NOKPROBE_SYMBOL(walk_user);

static u32 step_of(const u8 *bytes, u32 at)
{
	/* Only the widths of the string operations that follow a prefix. */
	if (!(bytes[at] & 1))
		return 1;
	if (at >= 1 && (bytes[at - 1] & 0xf8) == 0x48)
		return 8;
	return bytes[0] == 0x66 || bytes[1] == 0x66 ? 2 : 4;
}
NOKPROBE_SYMBOL(step_of);

/* Whether the CPU is in the middle of a repeated string operation that has just touched the watch. */
static bool in_string(const struct rt_watch *watch, struct pt_regs *regs)
{
	u8 bytes[4] __aligned(4);
	bool repeat = false;
	u64 at, to = regs->di, from = regs->si;
	u32 i, step;

	if (user_mode(regs) ? !read_user(bytes, regs->ip, sizeof(bytes)) :
			      !rt_compat_peek_u32((u32 *)bytes, regs->ip))
		return false;
	for (i = 0; i < sizeof(bytes) - 1; i++) {
		if (bytes[i] == 0xf3 || bytes[i] == 0xf2)
			repeat = true;
		else if (bytes[i] != 0x66 && (bytes[i] & 0xf0) != 0x40)
			break;
	}
	/* movs, cmps, stos, lods, scas */
	if (!repeat ||
	    !((bytes[i] >= 0xa4 && bytes[i] <= 0xa7) || (bytes[i] >= 0xaa && bytes[i] <= 0xaf)))
		return false;
	step = step_of(bytes, i);
	at = regs->flags & X86_EFLAGS_DF ? 0 : -(u64)step;
	to += regs->flags & X86_EFLAGS_DF ? step : at;
	from += regs->flags & X86_EFLAGS_DF ? step : at;
	return (to < watch->address + watch->length && to + step > watch->address) ||
	       (from < watch->address + watch->length && from + step > watch->address);
}
NOKPROBE_SYMBOL(in_string);

bool rt_watch_decode_start(const struct rt_watch *watch, struct pt_regs *regs, u64 *ip)
{
	u64 *place = &places[hash_long(*ip, PLACES_SHIFT)], seen = READ_ONCE(*place);
	u32 back;

	if (in_string(watch, regs))
		return true;
	if (user_mode(regs)) {
		back = walk_user(regs, *ip);
	} else if (seen >> 8 == (*ip & (~0ULL >> 8))) {
		back = seen & 0xff;
	} else {
		back = walk_function(*ip);
		WRITE_ONCE(*place, *ip << 8 | back);
	}
	*ip -= back;
	return back;
}
NOKPROBE_SYMBOL(rt_watch_decode_start);

void rt_watch_decode(const struct rt_watch *watch, struct pt_regs *regs, struct rt_access *access)
{
}
#endif
