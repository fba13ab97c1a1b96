// SPDX-License-Identifier: GPL-2.0
/* lab_overrun - writes past the end of what it allocated when loaded. */

#include <linux/module.h>
#include <linux/slab.h>

static int __init lab_overrun_init(void)
{
	size_t size = 40;
	char *p = kmalloc(size, GFP_KERNEL);

	if (!p)
		return -ENOMEM;
	OPTIMIZER_HIDE_VAR(size);
	((volatile char *)p)[size] = 1;
	kfree(p);
	return 0;
}

module_init(lab_overrun_init);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("writes past the end of what it allocated when loaded");
