// SPDX-License-Identifier: GPL-2.0
/* 5.12: 923e1e7d8278 "arm64: uaccess: rename privileged uaccess routines"; arm64 only */
#include <linux/uaccess.h>

void rt_probe(void);
void rt_probe(void)
{
	uaccess_enable_privileged();
	uaccess_disable_privileged();
}
