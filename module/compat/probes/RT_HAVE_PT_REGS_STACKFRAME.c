// SPDX-License-Identifier: GPL-2.0
/* 4.15: "arm64: unwind: reference pt_regs via embedded stack frame"; arm64 only. */
#include <linux/ptrace.h>

unsigned long rt_probe(const struct pt_regs *regs);
unsigned long rt_probe(const struct pt_regs *regs)
{
	return (unsigned long)&regs->stackframe;
}
