// SPDX-License-Identifier: GPL-2.0
/*
 * Must not compile: if it does, the flags let unknown functions pass and every
 * probe would say yes.
 */
#include <linux/kernel.h>

int rt_probe(void);
int rt_probe(void)
{
	return rt_no_kernel_has_this_function(0);
}
