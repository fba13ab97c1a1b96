// SPDX-License-Identifier: GPL-2.0
/*
 * 5.0: 96d4f267e40f "Remove 'type' argument from access_ok() function"
 * The replacement needs the older layout of the arguments.
 */
#include <linux/uaccess.h>

int rt_probe(const void __user *at);
int rt_probe(const void __user *at)
{
	return access_ok(at, 8);
}
