// SPDX-License-Identifier: GPL-2.0
/*
 * 4.14: kernel_read() takes a pointer to the position, as its last argument.
 * The replacement needs the older layout of the arguments.
 */
#include <linux/fs.h>

ssize_t rt_probe(struct file *file, void *to, loff_t *at);
ssize_t rt_probe(struct file *file, void *to, loff_t *at)
{
	return kernel_read(file, to, 1, at);
}
