/* SPDX-License-Identifier: GPL-2.0 */
/* dwarf_bytes.h - read numbers from a section of DWARF, of this machine's byte order. */
#ifndef RT_TYPES_DWARF_BYTES_H
#define RT_TYPES_DWARF_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* What is left to read; at is NULL after a read beyond the end. */
struct rt_dwarf_bytes {
	const uint8_t *at, *end;
};

static inline uint64_t rt_dwarf_get(struct rt_dwarf_bytes *b, unsigned int size)
{
	uint64_t value = 0;

	if (!b->at || (size_t)(b->end - b->at) < size) {
		b->at = NULL;
		return 0;
	}
	memcpy(&value, b->at, size);
	b->at += size;
	return value;
}

static inline void rt_dwarf_skip(struct rt_dwarf_bytes *b, uint64_t size)
{
	if (b->at && (uint64_t)(b->end - b->at) >= size)
		b->at += size;
	else
		b->at = NULL;
}

static inline uint64_t rt_dwarf_get_leb(struct rt_dwarf_bytes *b, bool is_signed)
{
	unsigned int shift = 0;
	uint64_t value = 0, byte;

	do {
		byte = rt_dwarf_get(b, 1);
		if (shift < 64)
			value |= (byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	if (is_signed && shift < 64 && byte & 0x40)
		value |= ~0ULL << shift;
	return value;
}

/* The bytes behind a length of 32 bits; *B steps over them.  Longer lengths are not read here. */
static inline struct rt_dwarf_bytes rt_dwarf_get_part(struct rt_dwarf_bytes *b)
{
	uint32_t size = rt_dwarf_get(b, sizeof(size));
	struct rt_dwarf_bytes part = { b->at, NULL };

	if (size == UINT32_MAX)
		b->at = NULL;
	rt_dwarf_skip(b, size);
	part.end = b->at;
	if (!b->at)
		part.at = NULL;
	return part;
}

#endif
