/* SPDX-License-Identifier: GPL-2.0 */
/*
 * lookup.h - functions that the kernel has but does not export.  Each user must have a fallback for
 * the case that the address is not found.
 */
#ifndef RT_LOOKUP_H
#define RT_LOOKUP_H

#include <linux/kallsyms.h>
#include <linux/types.h>

/* Once, at load. */
void rt_lookup_init(void);

/* The RT_LOOKUP_* bits that were found. */
u64 rt_lookup_found(void);

/* The address behind one RT_LOOKUP_* bit, or 0. */
unsigned long rt_lookup_address(u64 bit);

/* The address of any symbol, "name" or "module:name", or 0. */
unsigned long rt_lookup_name(const char *name);

/* The same for a function that is going to be called; 0 also if the CPU would not let us. */
unsigned long rt_lookup_callable(const char *name);

/* The same for a function, whose size goes to *SIZE; 0: the size is not known. */
unsigned long rt_lookup_function(const char *name, unsigned long *size);

extern typeof(&kallsyms_lookup_size_offset) rt_lookup_size_offset;

/* The size of the function at ADDRESS, and how far into it that is; false: not known.  Any context. */
static __always_inline bool rt_lookup_extent(unsigned long address, unsigned long *size,
					     unsigned long *offset)
{
	return rt_lookup_size_offset && rt_lookup_size_offset(address, size, offset);
}

#endif
