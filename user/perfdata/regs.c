// SPDX-License-Identifier: GPL-2.0
#include "perfdata/regs.h"

#include <ctype.h>
#include <string.h>
#include <sys/utsname.h>

static const char *const x86[] = {
	"AX",
	"BX",
	"CX",
	"DX",
	"SI",
	"DI",
	"BP",
	"SP",
	"IP",
	"FLAGS",
	"CS",
	"SS",
	"DS",
	"ES",
	"FS",
	"GS",
	"R8",
	"R9",
	"R10",
	"R11",
	"R12",
	"R13",
	"R14",
	"R15",
	/* 128-bit registers take two bits each, from 32 on */
	[32] = "XMM0",
	"XMM0",
	"XMM1",
	"XMM1",
	"XMM2",
	"XMM2",
	"XMM3",
	"XMM3",
	"XMM4",
	"XMM4",
	"XMM5",
	"XMM5",
	"XMM6",
	"XMM6",
	"XMM7",
	"XMM7",
	"XMM8",
	"XMM8",
	"XMM9",
	"XMM9",
	"XMM10",
	"XMM10",
	"XMM11",
	"XMM11",
	"XMM12",
	"XMM12",
	"XMM13",
	"XMM13",
	"XMM14",
	"XMM14",
	"XMM15",
	"XMM15",
};

static const char *const arm64[] = {
	"x0",  "x1",  "x2",  "x3",  "x4",  "x5",  "x6",	 "x7",	"x8",  "x9",	    "x10", "x11",
	"x12", "x13", "x14", "x15", "x16", "x17", "x18", "x19", "x20", "x21",	    "x22", "x23",
	"x24", "x25", "x26", "x27", "x28", "x29", "lr",	 "sp",	"pc",  [46] = "vg",
};

static const char *const arm[] = {
	"r0", "r1", "r2",  "r3", "r4", "r5", "r6", "r7",
	"r8", "r9", "r10", "fp", "ip", "sp", "lr", "pc",
};

static const char *const powerpc[] = {
	"r0",	 "r1",	 "r2",	  "r3",	  "r4",	     "r5",    "r6",    "r7",	"r8",	 "r9",
	"r10",	 "r11",	 "r12",	  "r13",  "r14",     "r15",   "r16",   "r17",	"r18",	 "r19",
	"r20",	 "r21",	 "r22",	  "r23",  "r24",     "r25",   "r26",   "r27",	"r28",	 "r29",
	"r30",	 "r31",	 "nip",	  "msr",  "orig_r3", "ctr",   "link",  "xer",	"ccr",	 "softe",
	"trap",	 "dar",	 "dsisr", "sier", "mmcra",   "mmcr0", "mmcr1", "mmcr2", "mmcr3", "sier2",
	"sier3", "pmc1", "pmc2",  "pmc3", "pmc4",    "pmc5",  "pmc6",  "sdar",	"siar",
};

static const char *const riscv[] = {
	"pc", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "s0", "s1", "a0",
	"a1", "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
	"s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6",
};

static const char *const s390[] = {
	"R0",  "R1",  "R2",   "R3",   "R4",   "R5",   "R6",   "R7",   "R8",   "R9",  "R10", "R11",
	"R12", "R13", "R14",  "R15",  "FP0",  "FP1",  "FP2",  "FP3",  "FP4",  "FP5", "FP6", "FP7",
	"FP8", "FP9", "FP10", "FP11", "FP12", "FP13", "FP14", "FP15", "MASK", "PC",
};

static const char *const mips[] = {
	"PC",  "$1",  "$2",  "$3",  "$4",  "$5",  "$6",	 "$7",	"$8",  "$9",
	"$10", "$11", "$12", "$13", "$14", "$15", "$16", "$17", "$18", "$19",
	"$20", "$21", "$22", "$23", "$24", "$25", "$28", "$29", "$30", "$31",
};

static const char *const csky[] = {
	"a0",	    "a1",	"a2",	    "a3",      "regs0",	  "regs1",    "regs2",
	"regs3",    "regs4",	"regs5",    "regs6",   "regs7",	  "regs8",    "regs9",
	"sp",	    "lr",	"exregs0",  "exregs1", "exregs2", "exregs3",  "exregs4",
	"exregs5",  "exregs6",	"exregs7",  "exregs8", "exregs9", "exregs10", "exregs11",
	"exregs12", "exregs13", "exregs14", "tls",     "hi",	  "lo",
};

static const char *const loongarch[] = {
	"PC",	"%r1",	"%r2",	"%r3",	"%r4",	"%r5",	"%r6",	"%r7",	"%r8",	"%r9",	"%r10",
	"%r11", "%r12", "%r13", "%r14", "%r15", "%r16", "%r17", "%r18", "%r19", "%r20", "%r21",
	"%r22", "%r23", "%r24", "%r25", "%r26", "%r27", "%r28", "%r29", "%r30", "%r31",
};

#define ARCH(name)                                        \
	{                                                 \
#name, name, sizeof(name) / sizeof(*name) \
	}

static const struct {
	const char *name;
	const char *const *regs;
	size_t count;
} archs[] = {
	ARCH(x86),  ARCH(arm64), ARCH(arm),  ARCH(powerpc),   ARCH(riscv),
	ARCH(s390), ARCH(mips),	 ARCH(csky), ARCH(loongarch),
};

static bool begins(const char *s, const char *with)
{
	return !strncmp(s, with, strlen(with));
}

static const char *normalise(const char *machine)
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

const char *rt_env_arch(const struct rt_env *env)
{
	static struct utsname uts; /* filled with the same bytes by whoever comes first */

	if (env && env->arch)
		return normalise(env->arch);
	if (!uts.machine[0] && uname(&uts))
		return "";
	return normalise(uts.machine);
}

const char *rt_reg_name(const char *arch, unsigned bit)
{
	size_t i;

	for (i = 0; i < sizeof(archs) / sizeof(archs[0]); i++)
		if (!strcmp(archs[i].name, arch) && bit < archs[i].count && archs[i].regs[bit])
			return archs[i].regs[bit];
	return "unknown";
}
