// SPDX-License-Identifier: GPL-2.0
/* 5.4: f5a1a536fa14 "lib: introduce copy_struct_from_user() helper" */
#include <linux/uaccess.h>

int rt_probe(void *to, const void __user *from);
int rt_probe(void *to, const void __user *from)
{
	return copy_struct_from_user(to, 8, from, 16);
}
