// SPDX-License-Identifier: GPL-2.0
/* 3.16: 376e242429bf "kprobes: Introduce NOKPROBE_SYMBOL() macro to maintain kprobes blacklist" */
#include <linux/kprobes.h>

unsigned long rt_probe(const struct kprobe_blacklist_entry *entry);
unsigned long rt_probe(const struct kprobe_blacklist_entry *entry)
{
	return entry->list.next ? entry->start_addr : entry->end_addr;
}
