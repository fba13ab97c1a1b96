/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions the kernel has but does not export.  Nothing may depend on one:
 * whoever asks for an address has a way of its own when there is none.
 */
#ifndef RT_LOOKUP_H
#define RT_LOOKUP_H

#include <linux/types.h>

/* Once, at load. */
void rt_lookup_init(void);

/* The RT_LOOKUP_* bits that were found. */
u64 rt_lookup_found(void);

/* The address behind one RT_LOOKUP_* bit, or 0. */
unsigned long rt_lookup_address(u64 bit);

#endif
