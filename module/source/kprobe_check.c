// SPDX-License-Identifier: GPL-2.0
#include "kprobe_check.h"

#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "kprobe_one.h"
#include "kernel/lookup.h"

/*
 * The kernel calls these functions while it handles a probe and does not forbid probes in them (perf
 * cannot probe them because they are notrace): on arm64 each hit would cause the next one, forever.
 */
static bool serves_probes(const char *function)
{
	static const char *const names[] = { "preempt_count", "preempt_schedule_notrace" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(function, names[i]))
			return true;
	return false;
}

#ifdef CONFIG_OPTPROBES

/*
 * Whether this is the place of ftrace's call; the kernel never turns a probe there into a jump.  Only
 * the nop is recognised: a call instruction might be any other call.
 */
static bool is_ftraces(unsigned long address)
{
	static const u8 mark[] = { 0xf3, 0x0f, 0x1e, 0xfa }; /* endbr64 */
	static const u8 nop[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };
	u8 code[sizeof(mark) + sizeof(nop)], *at = code;

	if (copy_from_kernel_nofault(code, (void *)address, sizeof(code)))
		return false;
	if (!memcmp(at, mark, sizeof(mark)))
		at += sizeof(mark);
	return !memcmp(at, nop, sizeof(nop));
}

/*
 * To find out whether a jump can replace the probe, x86 decodes the function to its end.  For the last
 * function of a module it takes the end of the page as that end, and reads an instruction that seems
 * to continue from the next page, which may not be mapped: the kernel crashes.
 */
static bool ends_nowhere(unsigned long address)
{
	unsigned long size, offset;
	u8 byte;

	if (!rt_lookup_extent(address, &size, &offset))
		return false;
	if (!offset && is_ftraces(address))
		return false;
	return copy_from_kernel_nofault(&byte, (void *)(address - offset + size), sizeof(byte));
}

#else

static bool ends_nowhere(unsigned long address)
{
	return false;
}

#endif

bool rt_kprobe_begins(unsigned long address)
{
	unsigned long size, offset;

	return rt_lookup_extent(address, &size, &offset) && !offset;
}

bool rt_kprobe_is_safe(const char *function, u64 offset)
{
	static char text[KSYM_SYMBOL_LEN];
	unsigned long address = offset;

	lockdep_assert_held(&rt_kprobes_lock);
	if (!function) {
		sprint_symbol_no_offset(text, address);
		return !serves_probes(text) && !ends_nowhere(address);
	}
	/* In the kernel's own text other code follows each function, and looking up its names is slow. */
	if (!strchr(function, ':'))
		return !serves_probes(function);
	address = rt_lookup_name(function);
	/* If the function does not exist, registering the probe fails. */
	return !address || !ends_nowhere(address + offset);
}
