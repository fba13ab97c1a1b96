// SPDX-License-Identifier: GPL-2.0
/* 5.14: f39650de687e "kernel.h: split out panic and oops helpers" */
#include <linux/panic_notifier.h>

int rt_probe(struct notifier_block *block);
int rt_probe(struct notifier_block *block)
{
	return atomic_notifier_chain_register(&panic_notifier_list, block);
}
