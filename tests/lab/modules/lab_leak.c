// SPDX-License-Identifier: GPL-2.0
/* lab_leak - forgets memory it allocated when loaded. */

#include <linux/module.h>
#include <linux/slab.h>

static int __init lab_leak_init(void)
{
	int i;

	/* Many, because a stale copy of a pointer on some stack may hide one. */
	for (i = 0; i < 32; i++) {
		void *p = kmalloc(1000, GFP_KERNEL);

		if (!p)
			return -ENOMEM;
		OPTIMIZER_HIDE_VAR(p);
	}
	return 0;
}

module_init(lab_leak_init);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("forgets memory it allocated when loaded");
