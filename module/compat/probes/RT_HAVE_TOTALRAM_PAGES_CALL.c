// SPDX-License-Identifier: GPL-2.0
/*
 * 5.0: ca79b0c211af "mm: convert totalram_pages and totalhigh_pages variables to atomic"
 * The replacement needs the older layout, a variable.
 */
#include <linux/mm.h>

unsigned long rt_probe(void);
unsigned long rt_probe(void)
{
	return totalram_pages();
}
