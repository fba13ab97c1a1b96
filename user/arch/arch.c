// SPDX-License-Identifier: GPL-2.0
#include "arch/arch.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

const char *rt_arch_name(enum rt_arch arch)
{
	return arch == RT_ARCH_ARM64 ? "arm64" : "x86_64";
}

static bool begins(const char *s, const char *with)
{
	return !strncmp(s, with, strlen(with));
}

const char *rt_arch_group(const char *machine)
{
	if (!strcmp(machine, "x86_64") || !strcmp(machine, "amd64") ||
	    (machine[0] == 'i' && isdigit((unsigned char)machine[1]) && !strcmp(machine + 2, "86")))
		return "x86";
	if (!strcmp(machine, "sun4u") || begins(machine, "sparc"))
		return "sparc";
	if (begins(machine, "aarch64") || begins(machine, "arm64"))
		return "arm64";
	if (begins(machine, "arm") || !strcmp(machine, "sa110"))
		return "arm";
	if (begins(machine, "s390"))
		return "s390";
	if (begins(machine, "parisc"))
		return "parisc";
	if (begins(machine, "powerpc") || begins(machine, "ppc"))
		return "powerpc";
	if (begins(machine, "mips"))
		return "mips";
	if (begins(machine, "riscv"))
		return "riscv";
	if (begins(machine, "loongarch"))
		return "loongarch";
	if (begins(machine, "sh") && isdigit((unsigned char)machine[2]))
		return "sh";
	return machine;
}
