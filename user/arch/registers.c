// SPDX-License-Identifier: GPL-2.0
/*
 * registers.c - the one table of registers: a row has every number and name of one register.
 *
 * The row of perf's register N is at index N, so no search is needed; an empty row fills a gap.
 * Registers without a number in perf follow.  perf's numbers are those of the kernel's
 * asm/perf_regs.h; the slots are those of its struct pt_regs.
 */
#include "arch/registers.h"

#include <string.h>

#define NO RT_REGISTER_NONE

/* perf's name, the user's name, slot, DWARF number, DWARF number of 32-bit code */
#define ROW(perf, user, slot, dwarf, dwarf32)    \
	{                                        \
		perf, user, slot, dwarf, dwarf32 \
	}
/* A register that occurs only in perf's samples; without and with the DWARF number NUMBER. */
#define NAME(perf)	    ROW(perf, NULL, NO, NO, NO)
#define DWARF(perf, number) ROW(perf, NULL, NO, number, NO)
/* 128-bit registers take two numbers each. */
#define XMM(n) NAME("XMM" #n), NAME("XMM" #n)

static const struct rt_register x86[] = {
	ROW("AX", "ax", 10, 0, 0),
	ROW("BX", "bx", 5, 3, 3),
	ROW("CX", "cx", 11, 2, 1),
	ROW("DX", "dx", 12, 1, 2),
	ROW("SI", "si", 13, 4, 6),
	ROW("DI", "di", 14, 5, 7),
	ROW("BP", "bp", 4, 6, 5),
	ROW("SP", "sp", 19, 7, 4),
	ROW("IP", "ip", 16, 16, 8),
	ROW("FLAGS", "flags", 18, NO, NO),
	ROW("CS", "cs", 17, NO, NO),
	ROW("SS", "ss", 20, NO, NO),
	ROW("DS", NULL, NO, NO, NO),
	ROW("ES", NULL, NO, NO, NO),
	ROW("FS", NULL, NO, NO, NO),
	ROW("GS", NULL, NO, NO, NO),
	ROW("R8", "r8", 9, 8, NO),
	ROW("R9", "r9", 8, 9, NO),
	ROW("R10", "r10", 7, 10, NO),
	ROW("R11", "r11", 6, 11, NO),
	ROW("R12", "r12", 3, 12, NO),
	ROW("R13", "r13", 2, 13, NO),
	ROW("R14", "r14", 1, 14, NO),
	ROW("R15", "r15", 0, 15, NO),
	[32] = XMM(0),
	XMM(1),
	XMM(2),
	XMM(3),
	XMM(4),
	XMM(5),
	XMM(6),
	XMM(7),
	XMM(8),
	XMM(9),
	XMM(10),
	XMM(11),
	XMM(12),
	XMM(13),
	XMM(14),
	XMM(15),
	ROW(NULL, "orig_ax", 15, NO, NO),
};

static const struct rt_register arm64[] = {
	ROW("x0", "x0", 0, 0, NO),	 ROW("x1", "x1", 1, 1, NO),
	ROW("x2", "x2", 2, 2, NO),	 ROW("x3", "x3", 3, 3, NO),
	ROW("x4", "x4", 4, 4, NO),	 ROW("x5", "x5", 5, 5, NO),
	ROW("x6", "x6", 6, 6, NO),	 ROW("x7", "x7", 7, 7, NO),
	ROW("x8", "x8", 8, 8, NO),	 ROW("x9", "x9", 9, 9, NO),
	ROW("x10", "x10", 10, 10, NO),	 ROW("x11", "x11", 11, 11, NO),
	ROW("x12", "x12", 12, 12, NO),	 ROW("x13", "x13", 13, 13, NO),
	ROW("x14", "x14", 14, 14, NO),	 ROW("x15", "x15", 15, 15, NO),
	ROW("x16", "x16", 16, 16, NO),	 ROW("x17", "x17", 17, 17, NO),
	ROW("x18", "x18", 18, 18, NO),	 ROW("x19", "x19", 19, 19, NO),
	ROW("x20", "x20", 20, 20, NO),	 ROW("x21", "x21", 21, 21, NO),
	ROW("x22", "x22", 22, 22, NO),	 ROW("x23", "x23", 23, 23, NO),
	ROW("x24", "x24", 24, 24, NO),	 ROW("x25", "x25", 25, 25, NO),
	ROW("x26", "x26", 26, 26, NO),	 ROW("x27", "x27", 27, 27, NO),
	ROW("x28", "x28", 28, 28, NO),	 ROW("x29", "x29", 29, 29, NO),
	ROW("lr", "x30", 30, 30, NO),	 ROW("sp", "sp", 31, 31, NO),
	ROW("pc", "pc", 32, NO, NO),	 [46] = NAME("vg"),
	ROW(NULL, "pstate", 33, NO, NO),
};

static const struct rt_register arm[] = {
	DWARF("r0", 0),	 DWARF("r1", 1),  DWARF("r2", 2),   DWARF("r3", 3),
	DWARF("r4", 4),	 DWARF("r5", 5),  DWARF("r6", 6),   DWARF("r7", 7),
	DWARF("r8", 8),	 DWARF("r9", 9),  DWARF("r10", 10), DWARF("fp", 11),
	DWARF("ip", 12), DWARF("sp", 13), DWARF("lr", 14),  DWARF("pc", 15),
};

static const struct rt_register powerpc[] = {
	DWARF("r0", 0),	  DWARF("r1", 1),    DWARF("r2", 2),   DWARF("r3", 3),	 DWARF("r4", 4),
	DWARF("r5", 5),	  DWARF("r6", 6),    DWARF("r7", 7),   DWARF("r8", 8),	 DWARF("r9", 9),
	DWARF("r10", 10), DWARF("r11", 11),  DWARF("r12", 12), DWARF("r13", 13), DWARF("r14", 14),
	DWARF("r15", 15), DWARF("r16", 16),  DWARF("r17", 17), DWARF("r18", 18), DWARF("r19", 19),
	DWARF("r20", 20), DWARF("r21", 21),  DWARF("r22", 22), DWARF("r23", 23), DWARF("r24", 24),
	DWARF("r25", 25), DWARF("r26", 26),  DWARF("r27", 27), DWARF("r28", 28), DWARF("r29", 29),
	DWARF("r30", 30), DWARF("r31", 31),  NAME("nip"),      NAME("msr"),	 NAME("orig_r3"),
	NAME("ctr"),	  DWARF("link", 65), NAME("xer"),      NAME("ccr"),	 NAME("softe"),
	NAME("trap"),	  NAME("dar"),	     NAME("dsisr"),    NAME("sier"),	 NAME("mmcra"),
	NAME("mmcr0"),	  NAME("mmcr1"),     NAME("mmcr2"),    NAME("mmcr3"),	 NAME("sier2"),
	NAME("sier3"),	  NAME("pmc1"),	     NAME("pmc2"),     NAME("pmc3"),	 NAME("pmc4"),
	NAME("pmc5"),	  NAME("pmc6"),	     NAME("sdar"),     NAME("siar"),
};

static const struct rt_register riscv[] = {
	NAME("pc"),	 DWARF("ra", 1),   DWARF("sp", 2),   DWARF("gp", 3),  DWARF("tp", 4),
	DWARF("t0", 5),	 DWARF("t1", 6),   DWARF("t2", 7),   DWARF("s0", 8),  DWARF("s1", 9),
	DWARF("a0", 10), DWARF("a1", 11),  DWARF("a2", 12),  DWARF("a3", 13), DWARF("a4", 14),
	DWARF("a5", 15), DWARF("a6", 16),  DWARF("a7", 17),  DWARF("s2", 18), DWARF("s3", 19),
	DWARF("s4", 20), DWARF("s5", 21),  DWARF("s6", 22),  DWARF("s7", 23), DWARF("s8", 24),
	DWARF("s9", 25), DWARF("s10", 26), DWARF("s11", 27), DWARF("t3", 28), DWARF("t4", 29),
	DWARF("t5", 30), DWARF("t6", 31),
};

static const struct rt_register s390[] = {
	DWARF("R0", 0),	  DWARF("R1", 1),   DWARF("R2", 2),   DWARF("R3", 3),	DWARF("R4", 4),
	DWARF("R5", 5),	  DWARF("R6", 6),   DWARF("R7", 7),   DWARF("R8", 8),	DWARF("R9", 9),
	DWARF("R10", 10), DWARF("R11", 11), DWARF("R12", 12), DWARF("R13", 13), DWARF("R14", 14),
	DWARF("R15", 15), NAME("FP0"),	    NAME("FP1"),      NAME("FP2"),	NAME("FP3"),
	NAME("FP4"),	  NAME("FP5"),	    NAME("FP6"),      NAME("FP7"),	NAME("FP8"),
	NAME("FP9"),	  NAME("FP10"),	    NAME("FP11"),     NAME("FP12"),	NAME("FP13"),
	NAME("FP14"),	  NAME("FP15"),	    NAME("MASK"),     NAME("PC"),
};

static const struct rt_register mips[] = {
	NAME("PC"),  NAME("$1"),  NAME("$2"),  NAME("$3"),  NAME("$4"),	 NAME("$5"),
	NAME("$6"),  NAME("$7"),  NAME("$8"),  NAME("$9"),  NAME("$10"), NAME("$11"),
	NAME("$12"), NAME("$13"), NAME("$14"), NAME("$15"), NAME("$16"), NAME("$17"),
	NAME("$18"), NAME("$19"), NAME("$20"), NAME("$21"), NAME("$22"), NAME("$23"),
	NAME("$24"), NAME("$25"), NAME("$28"), NAME("$29"), NAME("$30"), NAME("$31"),
};

static const struct rt_register csky[] = {
	NAME("a0"),	  NAME("a1"),	    NAME("a2"),	      NAME("a3"),	NAME("regs0"),
	NAME("regs1"),	  NAME("regs2"),    NAME("regs3"),    NAME("regs4"),	NAME("regs5"),
	NAME("regs6"),	  NAME("regs7"),    NAME("regs8"),    NAME("regs9"),	NAME("sp"),
	NAME("lr"),	  NAME("exregs0"),  NAME("exregs1"),  NAME("exregs2"),	NAME("exregs3"),
	NAME("exregs4"),  NAME("exregs5"),  NAME("exregs6"),  NAME("exregs7"),	NAME("exregs8"),
	NAME("exregs9"),  NAME("exregs10"), NAME("exregs11"), NAME("exregs12"), NAME("exregs13"),
	NAME("exregs14"), NAME("tls"),	    NAME("hi"),	      NAME("lo"),
};

static const struct rt_register loongarch[] = {
	NAME("PC"),   NAME("%r1"),  NAME("%r2"),  NAME("%r3"),	NAME("%r4"),  NAME("%r5"),
	NAME("%r6"),  NAME("%r7"),  NAME("%r8"),  NAME("%r9"),	NAME("%r10"), NAME("%r11"),
	NAME("%r12"), NAME("%r13"), NAME("%r14"), NAME("%r15"), NAME("%r16"), NAME("%r17"),
	NAME("%r18"), NAME("%r19"), NAME("%r20"), NAME("%r21"), NAME("%r22"), NAME("%r23"),
	NAME("%r24"), NAME("%r25"), NAME("%r26"), NAME("%r27"), NAME("%r28"), NAME("%r29"),
	NAME("%r30"), NAME("%r31"),
};

#define REGISTERS(name)                                   \
	{                                                 \
#name, name, sizeof(name) / sizeof(*name) \
	}

static const struct rt_registers groups[] = {
	REGISTERS(x86),	 REGISTERS(arm64), REGISTERS(arm),  REGISTERS(powerpc),	  REGISTERS(riscv),
	REGISTERS(s390), REGISTERS(mips),  REGISTERS(csky), REGISTERS(loongarch),
};

const struct rt_registers *rt_registers_of(const char *group)
{
	size_t i;

	for (i = 0; i < sizeof(groups) / sizeof(groups[0]); i++)
		if (!strcmp(groups[i].group, group))
			return &groups[i];
	return NULL;
}

const struct rt_registers *rt_registers(enum rt_arch arch)
{
	return arch == RT_ARCH_ARM64 ? &groups[1] : &groups[0];
}

const char *rt_reg_name(const char *group, unsigned bit)
{
	const struct rt_registers *r = rt_registers_of(group);

	return r && bit < r->count && r->list[bit].perf_name ? r->list[bit].perf_name : "unknown";
}
