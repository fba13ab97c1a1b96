// SPDX-License-Identifier: GPL-2.0
/*
 * 4.6: in_compat_syscall(), which was is_compat_task().
 * The replacement needs that name of the older layout.
 */
#include <linux/compat.h>

int rt_probe(void);
int rt_probe(void)
{
	return in_compat_syscall();
}
