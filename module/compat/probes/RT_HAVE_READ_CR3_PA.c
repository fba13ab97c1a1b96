// SPDX-License-Identifier: GPL-2.0
/*
 * 4.13, x86: read_cr3_pa(), which was read_cr3().
 * The replacement needs that name of the older layout.
 */
#include <linux/mm.h>
#include <asm/processor.h>

unsigned long rt_probe(void);
unsigned long rt_probe(void)
{
	return read_cr3_pa();
}
