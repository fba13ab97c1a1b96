// SPDX-License-Identifier: GPL-2.0
/* lab_deadlock - takes two locks in both orders when loaded. */

#include <linux/module.h>
#include <linux/mutex.h>

static DEFINE_MUTEX(lab_first);
static DEFINE_MUTEX(lab_second);

static int __init lab_deadlock_init(void)
{
	mutex_lock(&lab_first);
	mutex_lock(&lab_second);
	mutex_unlock(&lab_second);
	mutex_unlock(&lab_first);

	mutex_lock(&lab_second);
	mutex_lock(&lab_first);
	mutex_unlock(&lab_first);
	mutex_unlock(&lab_second);
	return 0;
}

module_init(lab_deadlock_init);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("takes two locks in both orders when loaded");
