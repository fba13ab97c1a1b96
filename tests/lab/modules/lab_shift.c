// SPDX-License-Identifier: GPL-2.0
/* lab_shift - shifts further than an int is wide when loaded. */

#include <linux/module.h>

static int lab_shift = 40;
module_param(lab_shift, int, 0);

static int __init lab_shift_init(void)
{
	pr_info("lab_shift: %d\n", 1 << lab_shift);
	return 0;
}

module_init(lab_shift_init);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("shifts further than an int is wide when loaded");
