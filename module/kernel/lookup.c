// SPDX-License-Identifier: GPL-2.0
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/string.h>

#include <uapi/ringtail.h>

#include "compat/landing.h"
#include "compat/stacktrace.h"
#include "lockdown.h"
#include "lookup.h"

static bool lookup = true;
module_param(lookup, bool, 0444);
MODULE_PARM_DESC(lookup, "look up functions the kernel does not export (default: yes)");

#define KALLSYMS "kallsyms_lookup_name"

static struct {
	u64 bit;
	const char *name;
	unsigned long address;
} functions[] = {
	/* First, because the others are looked up with it. */
	{ RT_LOOKUP_KALLSYMS, KALLSYMS },
	{ RT_LOOKUP_STACK_REGS, RT_COMPAT_STACK_REGS },
	{ RT_LOOKUP_STACK_USER, "stack_trace_save_user" },
	{ RT_LOOKUP_STRING_KERNEL, "strncpy_from_kernel_nofault" },
	{ RT_LOOKUP_STRING_USER, "strncpy_from_user_nofault" },
	{ RT_LOOKUP_NUMA_GROUP, "task_numa_group_id" },
	{ RT_LOOKUP_DRIVERNAME, "netdev_drivername" },
	{ RT_LOOKUP_TEXT, "_stext" },
	{ RT_LOOKUP_SYMBOL_SIZE, "kallsyms_lookup_size_offset" },
	{ RT_LOOKUP_INSN_INIT, "insn_init" },
	{ RT_LOOKUP_INSN_LENGTH, "insn_get_length" },
	{ RT_LOOKUP_TASK_WORK, "task_work_add" },
	{ RT_LOOKUP_UNPROBED, "recover_probed_instruction" },
	{ RT_LOOKUP_PERF_HOOK, "security_perf_event_open" },
};

/*
 * Register a kprobe, never armed, to resolve the name.  If the kernel marks function entries (IBT),
 * it puts the probe after the mark, and a call to that address would trap.  The exported
 * sprint_symbol() tells the offset, so this code need not know the marks.
 */
static unsigned long __init kallsyms_address(void)
{
	struct kprobe probe = { .symbol_name = KALLSYMS, .flags = KPROBE_FLAG_DISABLED };
	static char text[KSYM_SYMBOL_LEN] __initdata;
	unsigned long address;

	if (register_kprobe(&probe))
		return 0;
	address = (unsigned long)probe.addr;
	unregister_kprobe(&probe);

	sprint_symbol(text, address);
	if (strncmp(text, KALLSYMS "+", strlen(KALLSYMS "+")))
		return 0;
	return address - simple_strtoul(text + strlen(KALLSYMS "+"), NULL, 16);
}

typeof(&kallsyms_lookup_size_offset) rt_lookup_size_offset __read_mostly;
static unsigned long (*resolve)(const char *name) __read_mostly;

void __init rt_lookup_init(void)
{
	unsigned long address;
	size_t i;

	/* Do not register a kprobe if lockdown forbids kprobes. */
	if (!lookup || (rt_lockdown_refused() & RT_LOCKDOWN_KPROBES))
		return;
	address = kallsyms_address();
	if (!address || !rt_compat_may_call(address))
		return;
	resolve = (void *)address;
	for (i = 0; i < ARRAY_SIZE(functions); i++)
		functions[i].address = functions[i].bit == RT_LOOKUP_TEXT ?
					       resolve(functions[i].name) :
					       rt_lookup_callable(functions[i].name);
	rt_lookup_size_offset = (void *)rt_lookup_address(RT_LOOKUP_SYMBOL_SIZE);
}

unsigned long rt_lookup_name(const char *name)
{
	return resolve ? resolve(name) : 0;
}

unsigned long rt_lookup_callable(const char *name)
{
	unsigned long address = rt_lookup_name(name);

	return address && rt_compat_may_call(address) ? address : 0;
}

unsigned long rt_lookup_function(const char *name, unsigned long *size)
{
	unsigned long address = rt_lookup_name(name), offset;

	if (!address || !rt_lookup_extent(address, size, &offset) || offset)
		*size = 0;
	return address;
}

u64 rt_lookup_found(void)
{
	u64 found = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(functions); i++)
		if (functions[i].address)
			found |= functions[i].bit;
	return found;
}

unsigned long rt_lookup_address(u64 bit)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(functions); i++)
		if (functions[i].bit == bit)
			return functions[i].address;
	return 0;
}
