// SPDX-License-Identifier: GPL-2.0
/*
 * watch_decode_arm64.c - arm64 traps before the access.  What it is going to write is in
 * the instruction and the registers.
 */
#ifdef CONFIG_ARM64
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/ptrace.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <asm/sysreg.h>

#include "a64_access.h"
#include "a64_exclusive.h"
#include "watch.h"
#include "watch_access.h"
#include "watch_decode.h"

/* As much as one access of interest writes: four SIMD registers. */
#define IMAGE_BYTES (RT_A64_TURNS_MAX * RT_A64_VECTOR_BYTES)

/* The SIMD registers are not saved by the trap: they are where they were. */
#define STORE_VECTOR(n)                               \
	case n:                                       \
		asm volatile(".arch_extension fp\n"   \
			     ".arch_extension simd\n" \
			     "str q" #n ", [%0]\n"    \
			     :                        \
			     : "r"(to)                \
			     : "memory");             \
		break

static void read_vector(u32 n, void *to)
{
	switch (n) {
		STORE_VECTOR(0);
		STORE_VECTOR(1);
		STORE_VECTOR(2);
		STORE_VECTOR(3);
		STORE_VECTOR(4);
		STORE_VECTOR(5);
		STORE_VECTOR(6);
		STORE_VECTOR(7);
		STORE_VECTOR(8);
		STORE_VECTOR(9);
		STORE_VECTOR(10);
		STORE_VECTOR(11);
		STORE_VECTOR(12);
		STORE_VECTOR(13);
		STORE_VECTOR(14);
		STORE_VECTOR(15);
		STORE_VECTOR(16);
		STORE_VECTOR(17);
		STORE_VECTOR(18);
		STORE_VECTOR(19);
		STORE_VECTOR(20);
		STORE_VECTOR(21);
		STORE_VECTOR(22);
		STORE_VECTOR(23);
		STORE_VECTOR(24);
		STORE_VECTOR(25);
		STORE_VECTOR(26);
		STORE_VECTOR(27);
		STORE_VECTOR(28);
		STORE_VECTOR(29);
		STORE_VECTOR(30);
		STORE_VECTOR(31);
	}
}
NOKPROBE_SYMBOL(read_vector);

void rt_watch_decode_init(void)
{
}

void rt_watch_decode_forget(void)
{
}

static bool read_memory(const struct rt_watch *watch, void *to, u64 from, u32 size)
{
	if (watch->user)
		return !rt_port_read_user(to, from, size);
	return !copy_from_kernel_nofault(to, (void *)(unsigned long)from, size);
}
NOKPROBE_SYMBOL(read_memory);

static __always_inline bool read_insn(const struct pt_regs *regs, u32 *insn)
{
	if (user_mode(regs))
		return !rt_port_read_user(insn, regs->pc, sizeof(*insn));
	return rt_compat_peek_u32(insn, regs->pc);
}

static noinline void take_turns(const struct rt_a64_access *a, u8 *image)
{
	u64 vectors[IMAGE_BYTES / sizeof(u64)];
	u32 i;

	for (i = 0; i < a->count; i++)
		read_vector((a->vector[0] + i) & 31, &vectors[2 * i]);
	rt_a64_turns(a, (const u8 *)vectors, image);
}
NOKPROBE_SYMBOL(take_turns);

/* The bytes it will store, from its address on; false if that cannot be known. */
static bool make_image(const struct rt_watch *watch, const struct rt_a64_access *a, u8 *image)
{
	u32 size = a->count ? a->size / a->count : 0, i;
	u64 element[2] = { 0 };

	switch (a->store) {
	case RT_A64_PLAIN:
		if (!a->count) {
			memset(image, 0, IMAGE_BYTES);
			return true;
		}
		for (i = 0; i < a->count; i++)
			memcpy(image + i * size, &a->data[i], size);
		return true;
	case RT_A64_VECTOR:
		for (i = 0; i < a->count; i++) {
			u64 vector[2];

			read_vector(a->vector[i], vector);
			memcpy(image + i * size, vector, size);
		}
		return true;
	case RT_A64_TURNS:
		take_turns(a, image);
		return true;
	case RT_A64_NONE:
	case RT_A64_UNKNOWN:
		return false;
	default:
		break;
	}
	for (i = 0; i < a->count; i++)
		if (!read_memory(watch, &element[i], a->address + i * size, size))
			return false;
	if (a->store != RT_A64_COMPARE) {
		element[0] = rt_a64_result(a, element[0], size);
	} else if (!memcmp(&element[0], &a->expect[0], size) &&
		   (a->count < 2 || !memcmp(&element[1], &a->expect[1], size))) {
		element[0] = a->data[0];
		element[1] = a->data[1];
	}
	for (i = 0; i < a->count; i++)
		memcpy(image + i * size, &element[i], size);
	return true;
}
NOKPROBE_SYMBOL(make_image);

/* Those bytes of the image that are watched replace the old ones. */
static void overlay(const struct rt_watch *watch, const struct rt_a64_access *a, const u8 *image,
		    struct rt_access *access)
{
	u8 *value = (u8 *)&access->new;
	u64 at;
	u32 i;

	access->new = access->old;
	for (i = 0; i < watch->length; i++) {
		at = watch->address + i - a->address;
		if (at < a->size)
			value[i] = a->count ? image[at] : 0;
	}
}
NOKPROBE_SYMBOL(overlay);

static u32 zero_block(void)
{
	return 4U << (read_sysreg(dczid_el0) & 15);
}
NOKPROBE_SYMBOL(zero_block);

/* --- exclusives ------------------------------------------------------------------ */

static int fetch_insn(u64 pc, u32 *insn)
{
	return copy_from_kernel_nofault(insn, (void *)(unsigned long)pc, sizeof(*insn));
}
NOKPROBE_SYMBOL(fetch_insn);

static int load_word(u64 address, u32 size, u64 *value)
{
	*value = 0;
	return copy_from_kernel_nofault(value, (void *)(unsigned long)address, size);
}
NOKPROBE_SYMBOL(load_word);

/* With the barriers of the strongest form, whichever the program had. */
static int exchange_word(u64 address, u32 size, u64 old, u64 new, u64 *was)
{
	void *at = (void *)(unsigned long)address;

	switch (size) {
	case 1:
		*was = cmpxchg((u8 *)at, old, new);
		break;
	case 2:
		*was = cmpxchg((u16 *)at, old, new);
		break;
	case 4:
		*was = cmpxchg((u32 *)at, old, new);
		break;
	default:
		*was = cmpxchg((u64 *)at, old, new);
	}
	return 0;
}
NOKPROBE_SYMBOL(exchange_word);

/* Do the whole sequence; what it did is exact, whoever else writes. */
static bool run_exclusive(const struct rt_watch *watch, struct pt_regs *regs,
			  struct rt_access *access)
{
	struct rt_a64_machine m = {
		.regs = regs->regs,
		.pc = regs->pc,
		.nzcv = regs->pstate & (0xfU << 28),
		.fetch = fetch_insn,
		.load = load_word,
		.exchange = exchange_word,
	};
	struct rt_a64_access a = { .store = RT_A64_PLAIN, .count = 1 };

	if (watch->user || user_mode(regs) || !rt_a64_exclusive_run(&m))
		return false;
	regs->pc = m.pc;
	regs->pstate = (regs->pstate & ~(0xfULL << 28)) | m.nzcv;
	access->whole = true;
	access->rw = m.stored ? RT_ACCESS_WRITE : RT_ACCESS_READ;
	a.address = m.address;
	a.size = m.size;
	overlay(watch, &a, (u8 *)&m.old, access);
	access->old = access->new;
	if (m.stored)
		overlay(watch, &a, (u8 *)&m.new, access);
	return true;
}
NOKPROBE_SYMBOL(run_exclusive);

/* Whatever it is. */
static noinline void decode_any(const struct rt_watch *watch, struct pt_regs *regs, u32 insn,
				struct rt_access *access)
{
	struct rt_a64_access a;
	u8 image[IMAGE_BYTES];

	/* x0 … x30 and sp follow each other in struct pt_regs. */
	if (!rt_a64_access(insn, regs->regs, zero_block(), &a)) {
		access->flags |= RT_WATCH_NO_NEW;
		return;
	}
	if (a.exclusive && run_exclusive(watch, regs, access))
		return;
	access->stuck = a.exclusive;
	/* An atomic writes, whatever else it does; the hardware says so, too. */
	access->rw = a.store ? RT_ACCESS_WRITE : RT_ACCESS_READ;
	if (!a.store)
		access->new = access->old;
	else if (access->flags & RT_WATCH_NO_OLD || !make_image(watch, &a, image))
		access->flags |= RT_WATCH_NO_NEW;
	else
		overlay(watch, &a, image, access);
}
NOKPROBE_SYMBOL(decode_any);

/*
 * STR of one register at an address with an offset, of exactly the watched bytes: what most
 * compilers make of most stores.
 */
static __always_inline bool is_whole_store(const struct rt_watch *watch, const struct pt_regs *regs,
					   u32 insn)
{
	const u64 *reg = regs->regs;
	u32 scale = insn >> 30;

	return (insn & 0x3fc00000) == 0x39000000 && watch->length == 1U << scale &&
	       reg[insn >> 5 & 31] + ((u64)(insn >> 10 & 0xfff) << scale) == watch->address;
}

void rt_watch_decode(const struct rt_watch *watch, struct pt_regs *regs, struct rt_access *access)
{
	u32 insn, rt;

	if (unlikely(!read_insn(regs, &insn))) {
		access->flags |= RT_WATCH_NO_NEW;
		return;
	}
	if (!is_whole_store(watch, regs, insn)) {
		decode_any(watch, regs, insn, access);
		return;
	}
	rt = insn & 31;
	access->rw = RT_ACCESS_WRITE;
	access->new = rt == RT_A64_SP ? 0 : regs->regs[rt] & watch->mask;
}
NOKPROBE_SYMBOL(rt_watch_decode);
#endif
