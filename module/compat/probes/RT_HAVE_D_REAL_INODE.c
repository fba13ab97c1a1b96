// SPDX-License-Identifier: GPL-2.0
/*
 * 4.6: d_real_inode()
 * The replacement needs the older layout, where an overlay's file has the inode below.
 */
#include <linux/dcache.h>
#include <linux/fs.h>

struct inode *rt_probe(struct file *file);
struct inode *rt_probe(struct file *file)
{
	return d_real_inode(file->f_path.dentry);
}
