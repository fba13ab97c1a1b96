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

/* Before 4.14 it took the position by value, and in another place. */
#ifndef RT_HAVE_KERNEL_READ_POS
static inline ssize_t rt_compat_kernel_read(struct file *file, void *to, size_t count, loff_t *at)
{
	int bytes = kernel_read(file, *at, to, count);

	if (bytes > 0)
		*at += bytes;
	return bytes;
}
#define kernel_read rt_compat_kernel_read
#endif

/*
 * The inode that processes map: the one below an overlay, not the overlay's own.  Before d_real_inode()
 * the overlay opened the file below, so that the file's inode is that one already.
 */
static inline struct inode *rt_compat_mapped_inode(const struct file *file)
{
#ifdef RT_HAVE_D_REAL_INODE
	return d_real_inode(file->f_path.dentry);
#else
	return file->f_inode;
#endif
}

#ifndef RT_HAVE_IN_COMPAT_SYSCALL
#define in_compat_syscall is_compat_task
#endif

#endif
