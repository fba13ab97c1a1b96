// SPDX-License-Identifier: GPL-2.0
/*
 * 6.12: "uprobes: get rid of enum uprobe_filter_ctx in uprobe filter callbacks": without it filters
 * need the older layout of their arguments.
 */
#include <linux/uprobes.h>

static bool filter(struct uprobe_consumer *self, struct mm_struct *mm)
{
	return true;
}

void rt_probe(struct uprobe_consumer *consumer);
void rt_probe(struct uprobe_consumer *consumer)
{
	BUILD_BUG_ON(!__builtin_types_compatible_p(typeof(consumer->filter), typeof(&filter)));
	consumer->filter = filter;
}
