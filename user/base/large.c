// SPDX-License-Identifier: GPL-2.0
#include "base/large.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define LINE ((size_t)64)      /* of the processor's cache */
#define HUGE ((size_t)2 << 20) /* of most systems */

/* Without huge pages everything works, only slower. */
static void ask_for_huge(void *memory, size_t bytes)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), from = (uintptr_t)memory & ~(page - 1);

	madvise((void *)from, (uintptr_t)memory + bytes - from, MADV_HUGEPAGE);
}

void *rt_large_table(size_t count, size_t size)
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
	if (align == HUGE)
		ask_for_huge(memory, bytes);
	return memset(memory, 0, bytes);
}

void *rt_large_list(void *list, size_t count, size_t size)
{
	void *memory;

	if (size && count > SIZE_MAX / size)
		return NULL;
	memory = realloc(list, count * size);
	if (memory && count * size >= 2 * HUGE)
		ask_for_huge(memory, count * size);
	return memory;
}
