// SPDX-License-Identifier: GPL-2.0
/*
 * 5.2: 214d8ca6ee85 "stacktrace: Provide common infrastructure"
 * The replacement needs the older layout of the arguments.
 */
#include <linux/stacktrace.h>

unsigned int rt_probe(unsigned long *store);
unsigned int rt_probe(unsigned long *store)
{
	return stack_trace_save(store, 8, 0);
}
