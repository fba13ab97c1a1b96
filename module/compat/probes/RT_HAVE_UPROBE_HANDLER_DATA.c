// SPDX-License-Identifier: GPL-2.0
/*
 * 6.13: "uprobe: Add data pointer to consumer handlers": without it handlers need the older layout of
 * their arguments.
 */
#include <linux/uprobes.h>

static int handler(struct uprobe_consumer *self, struct pt_regs *regs, __u64 *data)
{
	return 0;
}

void rt_probe(struct uprobe_consumer *consumer);
void rt_probe(struct uprobe_consumer *consumer)
{
	BUILD_BUG_ON(!__builtin_types_compatible_p(typeof(consumer->handler), typeof(&handler)));
	consumer->handler = handler;
}
