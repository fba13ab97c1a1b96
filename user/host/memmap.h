/* SPDX-License-Identifier: GPL-2.0 */
/* memmap.h - the map of memory that firmware gave to the kernel, from sysfs. */
#ifndef RT_HOST_MEMMAP_H
#define RT_HOST_MEMMAP_H

#include <stdint.h>

#include "host/host.h"

#define RT_HOST_MEMMAP "/sys/firmware/memmap"

/* Bytes that are not System RAM, from START to the byte LAST. */
struct rt_memmap_gap {
	uint64_t start, last;
	char type[64]; /* firmware's word for them; empty: firmware's map does not have them */
};

/*
 * Look up the range from START to the byte LAST.  0: firmware calls all of it System RAM.  -ERANGE: not
 * all of it, and GAP is the first part of another type.  -ENOENT: the kernel shows no map, as on
 * machines without one; -EIO: part of the map cannot be read.
 */
int rt_host_memmap_ram(const struct rt_host *host, uint64_t start, uint64_t last,
		       struct rt_memmap_gap *gap);

#endif
