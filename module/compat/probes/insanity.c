// SPDX-License-Identifier: GPL-2.0
/*
 * Must not compile.  If it does, the compiler flags accept unknown functions, and every probe would
 * pass.
 */
#include <linux/kernel.h>

int rt_probe(void);
int rt_probe(void)
{
	return rt_no_kernel_has_this_function(0);
}
