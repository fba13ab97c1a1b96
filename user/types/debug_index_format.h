/* SPDX-License-Identifier: GPL-2.0 */
/* debug_index_format.h - the layout of a kept index, in the byte order of the machine; internal. */
#ifndef RT_TYPES_DEBUG_INDEX_FORMAT_H
#define RT_TYPES_DEBUG_INDEX_FORMAT_H

#include "types/debug_index.h"

#define RT_DEBUG_INDEX_MAGIC "rtdebug3" /* the digit is the version */

/* Addresses are 31 bits above a base; the top bit of a place says that a function was inlined there. */
#define RT_DEBUG_INDEX_INLINED (1U << 31)

struct rt_debug_index_head {
	char magic[8];
	uint64_t sum; /* of everything behind the head */
	uint64_t base;
	uint8_t id[RT_BUILDID_MAX];
	uint32_t id_size;
	uint32_t functions, places, files, rows;
	uint32_t names; /* bytes; the last is 0 */
	uint32_t what;	/* enum rt_debug_index_what */
};

/* A function and its places, a file and its units (as places), or a file and its rows: they end where those of the next begin. */
struct rt_debug_index_entry {
	uint32_t name; /* in the names; sorted by it */
	uint32_t first;
};

/*
 * The head is followed by functions + 1 entries, files + 1 entries, rows (64 bits: the line, the
 * address; those of a file are sorted), places (32 bits) and names.
 */
static inline uint32_t rt_debug_index_line(uint64_t row)
{
	return row >> 32;
}

#endif
