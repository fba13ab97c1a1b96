// SPDX-License-Identifier: GPL-2.0
/* 4.20: 3c88ee194c28 "x86: ptrace: Add function argument access API" */
#include <linux/ptrace.h>

unsigned long rt_probe(struct pt_regs *regs);
unsigned long rt_probe(struct pt_regs *regs)
{
	return regs_get_kernel_argument(regs, 1);
}
