// SPDX-License-Identifier: GPL-2.0
/* lab_race - lets two threads write one variable without a lock when loaded. */

#include <linux/delay.h>
#include <linux/err.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/module.h>

#define LAB_RACE_SECONDS 15

static unsigned long lab_race_counter;

static int lab_race_count(void *unused)
{
	unsigned long end = jiffies + LAB_RACE_SECONDS * HZ;

	while (time_before(jiffies, end)) {
		lab_race_counter++;
		cond_resched();
	}
	while (!kthread_should_stop())
		msleep(20);
	return 0;
}

static int __init lab_race_init(void)
{
	struct task_struct *one, *two;

	one = kthread_run(lab_race_count, NULL, "lab_race/1");
	if (IS_ERR(one))
		return PTR_ERR(one);
	two = kthread_run(lab_race_count, NULL, "lab_race/2");
	msleep(LAB_RACE_SECONDS * 1000);
	kthread_stop(one);
	if (IS_ERR(two))
		return PTR_ERR(two);
	kthread_stop(two);
	return 0;
}

module_init(lab_race_init);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("lets two threads write one variable without a lock when loaded");
