// SPDX-License-Identifier: GPL-2.0
#include "base/spread.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define LINE ((size_t)64)      /* of the processor's cache */
#define HUGE ((size_t)2 << 20) /* of most systems */

void *rt_spread_alloc(size_t count, size_t size)
{
	size_t bytes = count * size, align;
	void *memory;

	if (size && count > (SIZE_MAX - HUGE) / size)
		return NULL;
	align = bytes < HUGE ? LINE : HUGE;
	bytes = (bytes + align - 1) & ~(align - 1);
	memory = aligned_alloc(align, bytes);
	if (!memory)
		return NULL;
	/* Without huge pages everything works, only slower. */
	if (align == HUGE)
		madvise(memory, bytes, MADV_HUGEPAGE);
	return memset(memory, 0, bytes);
}
