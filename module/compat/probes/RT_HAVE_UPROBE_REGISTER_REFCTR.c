// SPDX-License-Identifier: GPL-2.0
/*
 * 4.20: "uprobes: Support SDT markers having reference count (semaphore)": gone in 6.12, where
 * uprobe_register() takes the offset of the semaphore.
 */
#include <linux/uprobes.h>

int rt_probe(struct inode *inode, struct uprobe_consumer *consumer);
int rt_probe(struct inode *inode, struct uprobe_consumer *consumer)
{
	return uprobe_register_refctr(inode, 0, 0, consumer);
}
