// SPDX-License-Identifier: GPL-2.0
/*
 * watch_do_arm64.c - perform loads, stores and atomic operations; see watch_do.h.
 */
#ifdef CONFIG_ARM64
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/string.h>

#include "watch_do.h"
#include "watch_held.h"
#include "watch_memory.h"

/* Tries of an atomic operation when other CPUs keep changing the word. */
#define TRIES 1000

u64 rt_watch_overlay(const struct rt_watch *watch, const struct rt_a64_access *a, const u8 *image,
		     u64 old)
{
	u8 *value = (u8 *)&old;
	u64 at;
	u32 i;

	for (i = 0; i < watch->length; i++) {
		at = watch->address + i - a->address;
		if (at < a->size)
			value[i] = a->count ? image[at] : 0;
	}
	return old;
}
NOKPROBE_SYMBOL(rt_watch_overlay);

/* LENGTH bytes from the image's byte AT on, as a number. */
static u64 access_piece(const struct rt_a64_access *a, const u8 *image, u32 at, u32 length)
{
	u64 value = 0;

	if (a->count)
		memcpy(&value, image + at, length);
	return value;
}
NOKPROBE_SYMBOL(access_piece);

/* Store the bytes FROM … TO, in pieces as wide as their alignment allows. */
static int store_pieces(bool user, const struct rt_a64_access *a, const u8 *image, u64 from, u64 to)
{
	u32 width;
	int err = 0;

	for (; from < to && !err; from += width) {
		for (width = 8; from % width || width > to - from; width /= 2)
			;
		err = rt_watch_store(user, from + a->tag, width,
				     access_piece(a, image, from - a->address, width));
	}
	return err;
}
NOKPROBE_SYMBOL(store_pieces);

/* Store to the aligned word that holds the watched bytes, atomically: the old value is exact. */
static bool store_word(const struct rt_watch *watch, const struct rt_a64_access *a, const u8 *image,
		       u64 from, u64 to, struct rt_access *access)
{
	u64 word = watch->address & ~7ULL, at = word + a->tag, old, new, was, mask;
	u32 shift = 8 * (from - word), bits = 8 * (to - from), tries;

	mask = (bits == 64 ? ~0ULL : (1ULL << bits) - 1) << shift;
	if (rt_watch_load(false, at, 8, &old))
		return false;
	for (tries = 0; tries < TRIES; tries++, old = was) {
		new = (old & ~mask) | access_piece(a, image, from - a->address, to - from) << shift;
		if (rt_watch_exchange(false, at, 8, old, new, &was))
			return false;
		if (was != old)
			continue;
		access->old = old >> watch->shift & watch->mask;
		access->new = new >> watch->shift & watch->mask;
		access->exact = true;
		return true;
	}
	return false;
}
NOKPROBE_SYMBOL(store_word);

static bool do_store(const struct rt_watch *watch, const struct rt_a64_access *a, const u8 *image,
		     struct rt_access *access)
{
	u64 word = watch->address & ~7ULL, end = a->address + a->size;
	u64 from = max(a->address, word), to = min(end, word + 8);

	if (a->ordered)
		smp_mb();
	if (from < to && watch->cached) {
		/* Store the word first, which may fail; the rest cannot fail. */
		if (!store_word(watch, a, image, from, to, access))
			return false;
		store_pieces(false, a, image, a->address, from);
		store_pieces(false, a, image, to, end);
	} else {
		if (store_pieces(watch->user, a, image, a->address, end))
			return false;
		access->new = rt_watch_overlay(watch, a, image, access->old);
	}
	if (a->ordered)
		smp_mb();
	return true;
}
NOKPROBE_SYMBOL(do_store);

static bool do_load(const struct rt_watch *watch, const struct rt_a64_access *a, u64 *loaded,
		    struct rt_access *access)
{
	u32 size = a->size / a->count, i;
	u8 image[16];

	for (i = 0; i < a->count; i++) {
		if (rt_watch_load(watch->user, a->address + a->tag + i * size, size, &loaded[i]))
			return false;
		memcpy(image + i * size, &loaded[i], size);
	}
	if (a->ordered)
		smp_mb();
	access->old = access->new = rt_watch_overlay(watch, a, image, access->old);
	return true;
}
NOKPROBE_SYMBOL(do_load);

/* The new value that CAS or CASP stores, for the value in memory. */
static void access_compare(const struct rt_a64_access *a, u32 size, const u64 *old, u64 *new)
{
	u64 mask = size == 8 ? ~0ULL : (1ULL << 8 * size) - 1;
	bool equal = true;
	u32 i;

	for (i = 0; i < a->count; i++)
		equal = equal && old[i] == (a->expect[i] & mask);
	for (i = 0; i < a->count; i++)
		new[i] = equal ? a->data[i] & mask : old[i];
}
NOKPROBE_SYMBOL(access_compare);

/* Exchange one or two elements in one operation. */
static int exchange_elements(bool user, const struct rt_a64_access *a, u32 size, const u64 *old,
			     const u64 *new, u64 *was)
{
	u64 at = a->address + a->tag;
	int err;

	if (a->count == 1)
		return rt_watch_exchange(user, at, size, old[0], new[0], was);
	if (size == 8)
		return rt_watch_exchange_pair(user, at, old, new, was);
	err = rt_watch_exchange(user, at, 8, old[0] | old[1] << 32, new[0] | new[1] << 32, was);
	was[1] = was[0] >> 32;
	was[0] = (u32)was[0];
	return err;
}
NOKPROBE_SYMBOL(exchange_elements);

static bool do_atomic(const struct rt_watch *watch, const struct rt_a64_access *a, u64 *loaded,
		      struct rt_access *access)
{
	u64 new[2] = { 0 }, was[2] = { 0 };
	u32 size = a->size / a->count, i, tries;
	u8 image[16];

	if (a->address % a->size)
		return false;
	for (i = 0; i < a->count; i++)
		if (rt_watch_load(watch->user, a->address + a->tag + i * size, size, &loaded[i]))
			return false;
	for (tries = 0; tries < TRIES; tries++) {
		if (a->store == RT_A64_COMPARE)
			access_compare(a, size, loaded, new);
		else
			new[0] = rt_a64_result(a, loaded[0], size);
		if (exchange_elements(watch->user, a, size, loaded, new, was))
			return false;
		if (was[0] == loaded[0] && (a->count < 2 || was[1] == loaded[1]))
			break;
		loaded[0] = was[0];
		loaded[1] = was[1];
	}
	if (tries == TRIES)
		return false;
	for (i = 0; i < a->count; i++)
		memcpy(image + i * size, &loaded[i], size);
	access->old = rt_watch_overlay(watch, a, image, access->old);
	for (i = 0; i < a->count; i++)
		memcpy(image + i * size, &new[i], size);
	access->new = rt_watch_overlay(watch, a, image, access->old);
	access->exact = a->address <= watch->address &&
			a->address + a->size >= watch->address + watch->length;
	return true;
}
NOKPROBE_SYMBOL(do_atomic);

/* Whether the handler can perform the access so that nobody sees a difference. */
static bool can_do(const struct rt_watch *watch, const struct pt_regs *regs,
		   const struct rt_a64_access *a)
{
	u32 size = a->count ? a->size / a->count : a->size;

	/* If the access spans two pages, the second may be missing: leave the access to the CPU. */
	if (!a->whole || (a->address ^ (a->address + a->size - 1)) & PAGE_MASK)
		return false;
	/* A return to the kernel does not restore the stack pointer. */
	if (a->writes_back && a->base == RT_A64_SP && !user_mode(regs))
		return false;
	if (rt_watch_is_held(regs, a->address, a->size))
		return false;
	/* Some processors perform these in one piece wherever they lie within 16 bytes. */
	if (a->ordered && a->address % size)
		return false;
	/* What a device does may depend on the width of each access. */
	return watch->cached || watch->user || (a->count == 1 && size <= 8 && !(a->address % size));
}
NOKPROBE_SYMBOL(can_do);

bool rt_watch_do(const struct rt_watch *watch, struct pt_regs *regs, const struct rt_a64_access *a,
		 const u8 *image, struct rt_access *access)
{
	u64 loaded[2] = { 0 };
	bool done;

	if (!can_do(watch, regs, a))
		return false;
	/* Leave atomics on uncached kernel memory to the CPU too: they may fault there. */
	switch (a->store) {
	case RT_A64_NONE:
		done = do_load(watch, a, loaded, access);
		break;
	case RT_A64_PLAIN:
	case RT_A64_VECTOR:
	case RT_A64_TURNS:
		done = do_store(watch, a, image, access);
		break;
	default:
		done = (watch->cached || watch->user) && do_atomic(watch, a, loaded, access);
	}
	if (!done)
		return false;
	rt_a64_finish(a, loaded, regs->regs);
	rt_watch_done(regs);
	return true;
}
NOKPROBE_SYMBOL(rt_watch_do);
#endif
