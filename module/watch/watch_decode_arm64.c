// SPDX-License-Identifier: GPL-2.0
/*
 * watch_decode_arm64.c - arm64 traps before the access.  The instruction and the registers tell
 * what it is going to write.  If all of that is known, the handler performs the access
 * (watch_do.h), and the CPU continues after it.
 */
#ifdef CONFIG_ARM64
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/ptrace.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <asm/sysreg.h>

#include "a64_access.h"
#include "watch.h"
#include "watch_access.h"
#include "watch_decode.h"
#include "watch_do.h"
#include "watch_held.h"
#include "watch_memory.h"

/* The most bytes that one supported access writes: four SIMD registers. */
#define IMAGE_BYTES (RT_A64_TURNS_MAX * RT_A64_VECTOR_BYTES)

/* The trap does not save the SIMD registers: the CPU still has their values. */
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

/* The bytes that the access will store, from its address on; false if they cannot be known. */
static bool make_image(const struct rt_watch *watch, const struct rt_a64_access *a,
		       const struct rt_access *access, u8 *image)
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
	/* Memory that the trap uses has another value when the operation runs. */
	if (access->held)
		return false;
	for (i = 0; i < a->count; i++)
		if (rt_watch_load(watch->user, a->address + a->tag + i * size, size, &element[i]))
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

/* Replace the watched bytes of the old value with those of the image. */
static void overlay(const struct rt_watch *watch, const struct rt_a64_access *a, const u8 *image,
		    struct rt_access *access)
{
	access->new = rt_watch_overlay(watch, a, image, access->old);
}
NOKPROBE_SYMBOL(overlay);

static u32 zero_block(void)
{
	return 4U << (read_sysreg(dczid_el0) & 15);
}
NOKPROBE_SYMBOL(zero_block);

/* The value before the access; where the trap's own is in memory, the last one that was seen. */
static void find_old(const struct rt_watch *watch, const struct pt_regs *regs,
		     struct rt_access *access)
{
	if (likely(!rt_watch_is_lost(regs, watch->address, watch->length))) {
		if (!rt_watch_read(watch, &access->old))
			access->flags |= RT_WATCH_NO_OLD;
		return;
	}
	access->old = watch->last_known ? watch->last : 0;
	access->flags |= watch->last_known ? RT_WATCH_OLD_LAST : RT_WATCH_NO_OLD;
}
NOKPROBE_SYMBOL(find_old);

static bool covers(const struct rt_a64_access *a, const struct rt_watch *watch)
{
	return a->address <= watch->address &&
	       a->address + a->size >= watch->address + watch->length;
}
NOKPROBE_SYMBOL(covers);

static bool decode_access(u32 insn, const struct pt_regs *regs, struct rt_a64_access *a)
{
	u64 address;

	/* x0 … x30 and sp follow each other in struct pt_regs. */
	if (!rt_a64_access(insn, regs->regs, zero_block(), a))
		return false;
	address = a->address + (a->relative ? regs->pc : 0);
	a->address = rt_port_untagged(address);
	a->tag = address - a->address;
	return true;
}
NOKPROBE_SYMBOL(decode_access);

/* Any access that the fast path does not handle. */
static noinline void decode_any(const struct rt_watch *watch, struct pt_regs *regs, u32 insn,
				struct rt_access *access)
{
	struct rt_a64_access a;
	u8 image[IMAGE_BYTES];
	bool known;

	if (!decode_access(insn, regs, &a)) {
		access->flags |= RT_WATCH_NO_NEW;
		access->step = true;
		return;
	}
	access->held = rt_watch_is_held(regs, a.address, a.size);
	access->from = a.address;
	access->bytes = a.size;
	/* An atomic operation counts as a write, even if it also loads; so the hardware reports. */
	access->rw = a.store ? RT_ACCESS_WRITE : RT_ACCESS_READ;
	if (a.exclusive) {
		/* It cannot be stepped over, and it would overwrite the trap's own frame. */
		access->stuck = rt_watch_is_lost(regs, a.address, a.size);
		if (access->stuck)
			access->flags |= RT_WATCH_NO_NEW;
		else
			rt_watch_do_exclusive(watch, regs, access);
		return;
	}
	known = !(access->flags & RT_WATCH_NO_OLD) && make_image(watch, &a, access, image);
	access->whole = !access->leave && (known || !a.store) &&
			rt_watch_do(watch, regs, &a, image, access);
	if (access->whole)
		return;
	access->step = true;
	if (!a.store)
		access->new = access->old;
	else if (!known)
		access->flags |= RT_WATCH_NO_NEW;
	else
		overlay(watch, &a, image, access);
	/* The other bytes are those that were seen last. */
	if (known && (access->flags & RT_WATCH_OLD_LAST) && !covers(&a, watch))
		access->flags |= RT_WATCH_UNCERTAIN;
}
NOKPROBE_SYMBOL(decode_any);

bool rt_watch_decode_range(u32 insn, const struct pt_regs *regs, u64 *from, u32 *bytes)
{
	struct rt_a64_access a;

	if (!decode_access(insn, regs, &a))
		return false;
	*from = a.address;
	*bytes = a.size;
	return true;
}
NOKPROBE_SYMBOL(rt_watch_decode_range);

void rt_watch_decode_insn(const struct rt_watch *watch, struct pt_regs *regs, u32 insn,
			  struct rt_access *access)
{
	access->leave = true;
	find_old(watch, regs, access);
	decode_any(watch, regs, insn, access);
}
NOKPROBE_SYMBOL(rt_watch_decode_insn);

/*
 * STR of one register, with an immediate offset, of exactly the watched bytes: the most common
 * store in compiled code.
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

	/* 32-bit code has another instruction set. */
	if (unlikely(compat_user_mode(regs) || !read_insn(regs, &insn))) {
		access->flags |= RT_WATCH_NO_NEW;
		access->step = true;
		return;
	}
	/* The swap is atomic, so the old value is exact even if other CPUs write. */
	if (!watch->swaps || access->leave || !is_whole_store(watch, regs, insn) ||
	    unlikely(rt_watch_is_held(regs, watch->address, watch->length))) {
		find_old(watch, regs, access);
		decode_any(watch, regs, insn, access);
		return;
	}
	rt = insn & 31;
	access->rw = RT_ACCESS_WRITE;
	access->new = rt == RT_A64_SP ? 0 : regs->regs[rt] & watch->mask;
	access->old = rt_watch_swap(watch, access->new);
	access->whole = true;
	access->exact = true;
	access->from = watch->address;
	access->bytes = watch->length;
	rt_watch_done(regs);
}
NOKPROBE_SYMBOL(rt_watch_decode);
#endif
