// SPDX-License-Identifier: GPL-2.0
/* lab_oops - reads through a bad pointer when loaded. */

#include <linux/module.h>

static int __init lab_oops_init(void)
{
	/* An address no kernel maps, and not so near zero that compilers take offence. */
	unsigned long address = 0xdead0000;

	OPTIMIZER_HIDE_VAR(address);
	return *(volatile int *)address;
}

module_init(lab_oops_init);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("reads through a bad pointer when loaded");
