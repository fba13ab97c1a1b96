/* SPDX-License-Identifier: GPL-2.0 */
/* kernel_range.h - where the kernel's own image lies. */
#ifndef RT_HOST_KERNEL_RANGE_H
#define RT_HOST_KERNEL_RANGE_H

#include <stdint.h>

#include "host/kallsyms_cache.h"

/* Addresses of the kernel's symbols of these names; 0: the kernel does not show it. */
struct rt_kernel_range {
	uint64_t text, stext, etext, edata;
};

/*
 * Read them from the cache of the kernel's symbols if it can be used.  Otherwise read kallsyms and
 * write the cache.  0 or -errno.
 */
int rt_kernel_range_read(const struct rt_kallsyms_cache_place *place, struct rt_kernel_range *out);

#endif
