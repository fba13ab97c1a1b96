// SPDX-License-Identifier: GPL-2.0
/* lab_hang - stops its CPU for ever when loaded. */

#include <linux/irqflags.h>
#include <linux/module.h>

static int __init lab_hang_init(void)
{
	local_irq_disable();
	for (;;)
		cpu_relax();
	return 0;
}

module_init(lab_hang_init);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("stops its CPU for ever when loaded");
