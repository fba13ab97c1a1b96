// SPDX-License-Identifier: GPL-2.0
/* Kernels before 5.2 or so do not export what these functions call; arm64 only. */
#include <linux/kernel.h>
#include <asm/hw_breakpoint.h>

int rt_probe(void);
int rt_probe(void)
{
	return get_num_wrps() + get_num_brps();
}
