// SPDX-License-Identifier: GPL-2.0
/*
 * Removed in 5.12: 7ee31a3aa8f4 "arm64: kprobes: Use BRK instead of single-step when executing
 * instructions out-of-line"
 */
#include <linux/kprobes.h>

unsigned long rt_probe(const struct kprobe_ctlblk *block);
unsigned long rt_probe(const struct kprobe_ctlblk *block)
{
	return block->ss_ctx.match_addr;
}
