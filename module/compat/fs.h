/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RT_COMPAT_FS_H
#define RT_COMPAT_FS_H

#include <linux/compat.h>
#include <linux/fs.h>

#ifndef RT_HAVE_COMPAT_PTR_IOCTL
#ifdef CONFIG_COMPAT
static inline long rt_compat_ptr_ioctl(struct file *file, unsigned int number,
				       unsigned long argument)
{
	return file->f_op->unlocked_ioctl(file, number, (unsigned long)compat_ptr(argument));
}
#undef compat_ptr_ioctl
#define compat_ptr_ioctl rt_compat_ptr_ioctl
#else
#undef compat_ptr_ioctl
#define compat_ptr_ioctl NULL
#endif
#endif

#endif
