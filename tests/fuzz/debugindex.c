// SPDX-License-Identifier: GPL-2.0
/*
 * Arbitrary bytes as a kept index of debug information: it is ignored, or gives answers.
 *
 * The checksum is made right, so that the fuzzer reaches what is behind it.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "types/debug_index_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int take_place(void *arg, uint64_t address, bool inlined)
{
	return ++*(int *)arg > 1000;
}

static int take_row(void *arg, const char *path, unsigned int line, uint64_t address)
{
	*(size_t *)arg += strlen(path) + line;
	return 0;
}

static int take_unit(void *arg, uint64_t offset)
{
	*(size_t *)arg += offset;
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct rt_buildid id = { 4, { 1, 2, 3, 4 } };
	struct rt_debug_index_head *h = malloc(size ? size : 1);
	struct rt_debug_index *x;
	size_t sum = 0;
	int count = 0;

	if (!h)
		abort();
	memcpy(h, data, size);
	if (size >= sizeof(*h)) {
		memcpy(h->magic, RT_DEBUG_INDEX_MAGIC, sizeof(h->magic));
		memcpy(h->id, id.data, id.len);
		h->id_size = id.len;
		h->what = RT_DEBUG_INDEX_FUNCTIONS;
		h->sum = rt_hash_large(h + 1, size - sizeof(*h));
	}
	x = rt_debug_index_of_bytes(h, size, &id, RT_DEBUG_INDEX_FUNCTIONS);
	if (!x)
		return 0;
	rt_debug_index_function(x, "twice", take_place, &count);
	rt_debug_index_function(x, "", take_place, &count);
	rt_debug_index_lines(x, "seed.c", 0, UINT_MAX, take_row, &sum);
	rt_debug_index_lines(x, "c", 3, 7, take_row, &sum);
	rt_debug_index_units(x, "seed.c", take_unit, &sum);
	rt_debug_index_close(x);
	return 0;
}
