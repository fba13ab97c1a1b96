// SPDX-License-Identifier: GPL-2.0
/*
 * The sub-buffer decoder against arbitrary bytes: no read outside them, no endless
 * walk, and what it says of them consistent.  The first byte chooses: raw bytes, or
 * a good header with the rest as its records.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "agent/live.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int good)
{
	if (!good)
		abort();
}

static uint64_t touch(const struct rt_record *rec)
{
	const uint8_t *p = rec->payload;
	uint64_t sum = rec->time + rec->id;
	uint32_t i;

	for (i = 0; i < rec->bytes; i++)
		sum += p[i];
	return sum;
}

static void walk(void *bytes, size_t size)
{
	struct rt_subbuf_reader r;
	struct rt_record rec;
	uint64_t n = 0, sum = 0;

	if (rt_subbuf_open(&r, bytes, size, NULL))
		return;
	while (rt_subbuf_next(&r, &rec)) {
		require(++n <= size / 8);
		sum += touch(&rec);
	}
	require(n == r.records && r.at == r.words);

	/* The live walk sees the same ones, or waits before one of them. */
	rt_subbuf_open(&r, bytes, size, NULL);
	while (rt_subbuf_next_live(&r, &rec) == RT_LIVE_RECORD)
		sum -= touch(&rec);
	require(r.records <= n);
	require(r.at < r.words || r.records < n || sum == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rt_subbuf *sub;
	size_t bytes;

	if (!size)
		return 0;
	bytes = data[0] & 1 ? 4096U << (data[0] >> 1 & 1) : size - 1;
	sub = malloc(bytes + 1);
	if (data[0] & 1) {
		memset(sub, 0, bytes);
		if (size - 1 > bytes - sizeof(*sub))
			size = bytes - sizeof(*sub) + 1;
		memcpy(sub + 1, data + 1, size - 1);
		sub->magic = RT_SUBBUF_MAGIC;
		sub->abi_major = RT_ABI_MAJOR;
		sub->bytes = bytes;
		sub->commit = data[0] & 4 ? bytes : 0;
	} else {
		memcpy(sub, data + 1, bytes);
	}
	walk(sub, bytes);
	free(sub);
	return 0;
}
