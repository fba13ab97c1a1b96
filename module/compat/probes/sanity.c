// SPDX-License-Identifier: GPL-2.0
/* Must compile and link on any prepared kernel tree.  If it does not, no other result is valid. */
#include <linux/kernel.h>
#include <linux/module.h>

void rt_probe(void);
void rt_probe(void)
{
	printk("ringtail\n");
}
