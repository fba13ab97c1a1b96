// SPDX-License-Identifier: GPL-2.0
#include "base/memory.h"

#include <stddef.h>

/* The linker's option --wrap makes these names: calls go to __wrap_…, and __real_… is the C library's. */
void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *old, size_t bytes);
void *__real_reallocarray(void *old, size_t count, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);
void *__wrap_reallocarray(void *old, size_t count, size_t bytes);

static bool failed;

static void *noted(void *memory)
{
	if (__builtin_expect(!memory, 0))
		__atomic_store_n(&failed, true, __ATOMIC_RELAXED);
	return memory;
}

void *__wrap_malloc(size_t bytes)
{
	return noted(__real_malloc(bytes));
}

void *__wrap_calloc(size_t count, size_t bytes)
{
	return noted(__real_calloc(count, bytes));
}

void *__wrap_realloc(void *old, size_t bytes)
{
	void *memory = __real_realloc(old, bytes);

	/* Of nothing it is NULL. */
	return bytes ? noted(memory) : memory;
}

void *__wrap_reallocarray(void *old, size_t count, size_t bytes)
{
	void *memory = __real_reallocarray(old, count, bytes);

	return count && bytes ? noted(memory) : memory;
}

bool rt_memory_failed(void)
{
	return __atomic_load_n(&failed, __ATOMIC_RELAXED);
}
