// SPDX-License-Identifier: GPL-2.0
/*
 * 4.10: "arm64: Factor out PAN enabling/disabling into separate uaccess_* macros"; arm64 only.
 * The replacement needs the older layout of its alternatives.
 */
#include <linux/uaccess.h>

void rt_probe(void);
void rt_probe(void)
{
	uaccess_enable();
	uaccess_disable();
}
