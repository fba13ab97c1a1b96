// SPDX-License-Identifier: GPL-2.0
/*
 * x86, 4.0 to 5.7: 959274753857 "x86, traps: Track entry into and exit from IST context"
 * The traps of newer kernels need the older layout of preempt_count() to use this.
 */
#include <asm/traps.h>

unsigned long rt_probe(void);
unsigned long rt_probe(void)
{
	return sizeof(&ist_enter);
}
