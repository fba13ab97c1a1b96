// SPDX-License-Identifier: GPL-2.0
/* 5.5: 2952db0fd51b "compat_ioctl: add compat_ptr_ioctl()" */
#include <linux/fs.h>

const struct file_operations *rt_probe(void);
const struct file_operations *rt_probe(void)
{
	static const struct file_operations operations = { .compat_ioctl = compat_ptr_ioctl };

	return &operations;
}
