// SPDX-License-Identifier: GPL-2.0
/*
 * 3.13: "uprobes: Introduce arch_uprobe->ixol".  Stands for user probes in files on tmpfs,
 * which came with 3.17 and which no header shows.
 * The replacement needs the older layout of struct address_space_operations.
 */
#include <linux/uprobes.h>

unsigned long rt_probe(void);
unsigned long rt_probe(void)
{
#if defined(CONFIG_UPROBES) && defined(CONFIG_X86)
	return sizeof(((struct arch_uprobe *)0)->ixol);
#else
	return 0;
#endif
}
