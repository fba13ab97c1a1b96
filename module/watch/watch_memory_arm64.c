// SPDX-License-Identifier: GPL-2.0
/*
 * watch_memory_arm64.c - read and write watched memory in place of an instruction: with the same
 * width, in one access, and without handling a page fault.
 */
#ifdef CONFIG_ARM64
#include <linux/errno.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/uaccess.h>
#include <asm/sysreg.h>

#include "compat/exchange.h"
#include "compat/traps.h"
#include "program/program_port.h"
#include "watch.h"
#include "watch_memory.h"

/* Expand DO(type, suffix of the instruction, width of its register) for SIZE. */
#define BY_SIZE(size, DO)          \
	switch (size) {            \
	case 1:                    \
		DO(u8, "b", "w");  \
		break;             \
	case 2:                    \
		DO(u16, "h", "w"); \
		break;             \
	case 4:                    \
		DO(u32, "", "w");  \
		break;             \
	case 8:                    \
		DO(u64, "", "x");  \
		break;             \
	}

static noinline int load_user(u64 address, u32 size, u64 *value)
{
	int err = -EFAULT;

	*value = 0;
	address = rt_compat_user_pointer(address);
	if (rt_port_untagged(address) >= TASK_SIZE)
		return err;
	pagefault_disable();
#define LOAD(type, suffix, width)                                                 \
	do {                                                                      \
		type v;                                                           \
                                                                                  \
		err = __get_user(v, (const type __user *)(unsigned long)address); \
		*value = v;                                                       \
	} while (0)
	BY_SIZE(size, LOAD)
#undef LOAD
	pagefault_enable();
	return err;
}
NOKPROBE_SYMBOL(load_user);

static noinline int store_user(u64 address, u32 size, u64 value)
{
	int err = -EFAULT;

	address = rt_compat_user_pointer(address);
	if (rt_port_untagged(address) >= TASK_SIZE)
		return err;
	pagefault_disable();
#define STORE(type, suffix, width) \
	err = __put_user((type)value, (type __user *)(unsigned long)address)
	BY_SIZE(size, STORE)
#undef STORE
	pagefault_enable();
	return err;
}
NOKPROBE_SYMBOL(store_user);

static __always_inline int load_kernel(u64 address, u32 size, u64 *value)
{
	bool read = false;

	*value = 0;
	/* Little endian: the low bytes come first. */
	switch (size) {
	case 1:
		read = rt_compat_peek_u8((u8 *)value, address);
		break;
	case 2:
		read = rt_compat_peek_u16((u16 *)value, address);
		break;
	case 4:
		read = rt_compat_peek_u32((u32 *)value, address);
		break;
	case 8:
		read = rt_compat_peek_u64(value, address);
		break;
	}
	return read ? 0 : -EFAULT;
}

/*
 * The kernel's mapping is valid and writable, because the CPU reports a page fault before it
 * reports a watch.  Sanitizers have already checked this store, so do not check it again.
 */
static __always_inline int store_kernel(u64 address, u32 size, u64 value)
{
#define STORE(type, suffix, width) \
	asm volatile("str" suffix " %" width "0, [%1]" : : "r"(value), "r"(address) : "memory")
	BY_SIZE(size, STORE)
#undef STORE
	return 0;
}

int rt_watch_load(bool user, u64 address, u32 size, u64 *value)
{
	unsigned long debug = rt_compat_debug_off();
	int err = user ? load_user(address, size, value) : load_kernel(address, size, value);

	rt_compat_debug_on(debug);
	return err;
}
NOKPROBE_SYMBOL(rt_watch_load);

int rt_watch_store(bool user, u64 address, u32 size, u64 value)
{
	unsigned long debug = rt_compat_debug_off();
	int err = user ? store_user(address, size, value) : store_kernel(address, size, value);

	rt_compat_debug_on(debug);
	return err;
}
NOKPROBE_SYMBOL(rt_watch_store);

int rt_watch_exchange(bool user, u64 address, u32 size, u64 old, u64 new, u64 *was)
{
	unsigned long debug = rt_compat_debug_off();
	int err = user ? rt_compat_exchange_user(address, size, old, new, was) :
			 rt_compat_exchange(address, size, old, new, was);

	rt_compat_debug_on(debug);
	return err;
}
NOKPROBE_SYMBOL(rt_watch_exchange);

int rt_watch_exchange_pair(bool user, u64 address, const u64 *old, const u64 *new, u64 *was)
{
	unsigned long debug = rt_compat_debug_off();
	int err = user ? rt_compat_exchange_pair_user(address, old, new, was) :
			 rt_compat_exchange_pair(address, old, new, was);

	rt_compat_debug_on(debug);
	return err;
}
NOKPROBE_SYMBOL(rt_watch_exchange_pair);

bool rt_watch_can_swap(u64 address)
{
	unsigned long flags;
	u64 par;
	u32 attributes;

	local_irq_save(flags);
	asm volatile("at s1e1r, %0" : : "r"(address));
	isb();
	par = read_sysreg(par_el1);
	local_irq_restore(flags);
	attributes = par >> 56;
	/* Write-back, inner and outer; the second value is the same with memory tags. */
	return !(par & 1) && ((attributes & 0xcc) == 0xcc || attributes == 0xf0);
}

u64 rt_watch_swap(const struct rt_watch *watch, u64 value)
{
	unsigned long at = watch->address, debug = rt_compat_debug_off();
	u64 was = 0;
	u32 fail;

#define SWAP(type, suffix, width)                                 \
	asm volatile("1:	ldxr" suffix " %" width "0, %2\n" \
		     "	stlxr" suffix " %w1, %" width "3, %2\n"   \
		     "	cbnz	%w1, 1b\n"                            \
		     "	dmb	ish\n"                                 \
		     : "=&r"(was), "=&r"(fail), "+Q"(*(type *)at) \
		     : "r"(value)                                 \
		     : "memory")
	BY_SIZE(watch->length, SWAP)
#undef SWAP
	rt_compat_debug_on(debug);
	return was;
}
NOKPROBE_SYMBOL(rt_watch_swap);
#endif
