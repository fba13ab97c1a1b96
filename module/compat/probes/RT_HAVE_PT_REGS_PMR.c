// SPDX-License-Identifier: GPL-2.0
/* 6.13: the member pmr_save of arm64's struct pt_regs is now called pmr. */
#include <linux/ptrace.h>

u64 rt_probe(const struct pt_regs *regs);
u64 rt_probe(const struct pt_regs *regs)
{
	return regs->pmr;
}
