// SPDX-License-Identifier: GPL-2.0
/* lab_warn - warns when loaded. */

#include <linux/module.h>

static int __init lab_warn_init(void)
{
	WARN(1, "lab_warn: as asked\n");
	return 0;
}

module_init(lab_warn_init);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("warns when loaded");
