// SPDX-License-Identifier: GPL-2.0
/*
 * 6.12: "uprobes: make uprobe_register() return struct uprobe *": before, a probe was known by inode and
 * offset; the replacement needs the older layout of the arguments.
 */
#include <linux/uprobes.h>

struct uprobe *rt_probe(struct inode *inode, struct uprobe_consumer *consumer);
struct uprobe *rt_probe(struct inode *inode, struct uprobe_consumer *consumer)
{
	struct uprobe *uprobe = uprobe_register(inode, 0, 0, consumer);

	uprobe_unregister_nosync(uprobe, consumer);
	uprobe_unregister_sync();
	return uprobe;
}
