// SPDX-License-Identifier: GPL-2.0
/* lab_sleep - sleeps in atomic context when loaded. */

#include <linux/delay.h>
#include <linux/module.h>
#include <linux/spinlock.h>

static DEFINE_SPINLOCK(lab_lock);

static int __init lab_sleep_init(void)
{
	spin_lock(&lab_lock);
	msleep(1);
	spin_unlock(&lab_lock);
	return 0;
}

module_init(lab_sleep_init);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("sleeps in atomic context when loaded");
