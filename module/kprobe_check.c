// SPDX-License-Identifier: GPL-2.0
#include "kprobe_check.h"

#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include <uapi/ringtail.h>

#include "kprobe_arm.h"
#include "lookup.h"

/*
 * The kernel calls these while it serves a probe, and does not forbid probes in them (perf is kept
 * off by their being notrace): on arm64 each hit would bring the next, without end.
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
 * Where ftrace's call goes in; a probe there is never made a jump.  A call that is there already
 * might be any other, too.
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
 * To see whether a jump can take the place of the probe, x86 decodes the function to its end.  The
 * last one of a module ends, for all it knows, with the last byte of a page, and an instruction
 * that seems to go on there is read from the next page, which need not exist.
 */
static bool ends_nowhere(unsigned long address)
{
	typeof(&kallsyms_lookup_size_offset) find;
	unsigned long size, offset;
	u8 byte;

	find = (void *)rt_lookup_address(RT_LOOKUP_SYMBOL_SIZE);
	if (!find || !find(address, &size, &offset))
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

bool rt_kprobe_bearable(const char *function, u64 offset)
{
	static char text[KSYM_SYMBOL_LEN];
	unsigned long (*resolve)(const char *name);
	unsigned long address = offset;

	lockdep_assert_held(&rt_kprobes_lock);
	if (!function) {
		sprint_symbol_no_offset(text, address);
		return !serves_probes(text) && !ends_nowhere(address);
	}
	/* The kernel's own text goes on behind each function, and its names take long to look up. */
	if (!strchr(function, ':'))
		return !serves_probes(function);
	resolve = (void *)rt_lookup_address(RT_LOOKUP_KALLSYMS);
	address = resolve ? resolve(function) : 0;
	/* If it is not there, the kernel will say so. */
	return !address || !ends_nowhere(address + offset);
}
