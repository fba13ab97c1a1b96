// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ringtail.h>

#include "arch/register_names.h"
#include "arch/registers.h"

/* Aliases of the same slots. */
static const struct {
	const char *name;
	const char *means;
	uint16_t bits;
} x86_64_aliases[] = {
	{ "rax", "ax", 64 },	{ "rbx", "bx", 64 },	 { "rcx", "cx", 64 },	{ "rdx", "dx", 64 },
	{ "rsi", "si", 64 },	{ "rdi", "di", 64 },	 { "rbp", "bp", 64 },	{ "rsp", "sp", 64 },
	{ "rip", "ip", 64 },	{ "pc", "ip", 64 },	 { "eax", "ax", 32 },	{ "ebx", "bx", 32 },
	{ "ecx", "cx", 32 },	{ "edx", "dx", 32 },	 { "esi", "si", 32 },	{ "edi", "di", 32 },
	{ "ebp", "bp", 32 },	{ "esp", "sp", 32 },	 { "r8d", "r8", 32 },	{ "r9d", "r9", 32 },
	{ "r10d", "r10", 32 },	{ "r11d", "r11", 32 },	 { "r12d", "r12", 32 }, { "r13d", "r13", 32 },
	{ "r14d", "r14", 32 },	{ "r15d", "r15", 32 },	 { "eflags", "flags", 64 },
	{ "rflags", "flags", 64 }, { "orig_rax", "orig_ax", 64 },
}, arm64_aliases[] = {
	{ "lr", "x30", 64 },
	{ "fp", "x29", 64 },
	{ "ip", "pc", 64 },
	{ "cpsr", "pstate", 64 },
	{ "flags", "pstate", 64 },
	{ "wsp", "sp", 32 },
};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

unsigned int rt_register_count(enum rt_arch arch)
{
	return arch == RT_ARCH_ARM64 ? RT_REGISTERS_ARM64 : RT_REGISTERS_X86_64;
}

const char *rt_register_name(enum rt_arch arch, unsigned int slot)
{
	const struct rt_registers *r = rt_registers(arch);
	size_t i;

	for (i = 0; i < r->count; i++)
		if (r->list[i].name && r->list[i].slot == (int)slot)
			return r->list[i].name;
	return NULL;
}

const char *rt_register_names(enum rt_arch arch)
{
	if (arch == RT_ARCH_ARM64)
		return "%x0 to %x30, %w0 to %w30, %sp, %pc, %lr, %fp, %pstate";
	return "%ax %bx %cx %dx %si %di %bp %sp %ip %r8 to %r15 %flags %cs %ss, also as %rax or %eax";
}

static int find_slot(enum rt_arch arch, const char *name)
{
	const struct rt_registers *r = rt_registers(arch);
	size_t i;

	for (i = 0; i < r->count; i++)
		if (r->list[i].name && !strcmp(r->list[i].name, name))
			return r->list[i].slot;
	return -ENOENT;
}

int rt_register_find(enum rt_arch arch, const char *name, struct rt_register_slot *out)
{
	char wide[8];
	int slot = find_slot(arch, name);
	size_t i;

	out->bits = 64;
	if (arch == RT_ARCH_ARM64) {
		for (i = 0; slot < 0 && i < COUNT(arm64_aliases); i++) {
			if (strcmp(arm64_aliases[i].name, name))
				continue;
			slot = find_slot(arch, arm64_aliases[i].means);
			out->bits = arm64_aliases[i].bits;
		}
		if (slot < 0 && name[0] == 'w' && strlen(name) <= 3) {
			snprintf(wide, sizeof(wide), "x%.3s", name + 1);
			slot = find_slot(arch, wide);
			out->bits = 32;
		}
	} else {
		for (i = 0; slot < 0 && i < COUNT(x86_64_aliases); i++) {
			if (strcmp(x86_64_aliases[i].name, name))
				continue;
			slot = find_slot(arch, x86_64_aliases[i].means);
			out->bits = x86_64_aliases[i].bits;
		}
	}
	if (slot < 0)
		return -ENOENT;
	out->slot = slot;
	return 0;
}

uint16_t rt_register_stack(enum rt_arch arch)
{
	return find_slot(arch, "sp");
}

uint16_t rt_register_pc(enum rt_arch arch)
{
	return find_slot(arch, arch == RT_ARCH_ARM64 ? "pc" : "ip");
}

uint16_t rt_register_return(enum rt_arch arch)
{
	return find_slot(arch, arch == RT_ARCH_ARM64 ? "x0" : "ax");
}

int rt_register_argument(enum rt_arch arch, unsigned int n)
{
	static const char *const x86_64[] = { "di", "si", "dx", "cx", "r8", "r9" };

	if (arch == RT_ARCH_ARM64)
		return n >= 1 && n <= 8 ? (int)n - 1 : -ENOENT;
	return n >= 1 && n <= COUNT(x86_64) ? find_slot(arch, x86_64[n - 1]) : -ENOENT;
}
