/* SPDX-License-Identifier: GPL-2.0 */
/* kdump.h - a compressed kdump, for the files that read it. */
#ifndef RT_IMAGE_KDUMP_H
#define RT_IMAGE_KDUMP_H

#include "image/memory.h"
#include "image/unpack.h"

#define RT_KDUMP_CHUNK	    32768U	 /* pages whose bits are read at a time */
#define RT_KDUMP_PAGES_MAX  (1ULL << 34) /* 64 TB */
#define RT_KDUMP_INCOMPLETE 0x8U	 /* in the header's status */
#define RT_KDUMP_HOW	    0x27U	 /* in a page's flags: enum rt_packed */

struct rt_kdump_page {
	uint64_t at;
	uint32_t bytes, flags;
	uint64_t page_flags;
};

struct rt_kdump_part {
	struct rt_bytes *bytes;
	uint64_t exists, dumped, pages; /* places of the bitmaps and the descriptors */
	uint64_t pfns;			/* of the machine */
	uint64_t first, end;		/* pages that this part has */
	uint64_t *rank;			/* descriptors before each chunk, from that of `first` on */
};

struct rt_kdump_bits {
	const struct rt_kdump_part *part;
	uint64_t chunk;
	uint64_t bits[RT_KDUMP_CHUNK / 64];
};

struct rt_kdump {
	struct rt_memory memory;
	struct rt_kdump_part *part; /* by address */
	size_t parts;
	uint32_t block; /* bytes of a page */
	bool without_zeros, incomplete;
	struct rt_unpacker *unpacker;
	struct rt_kdump_bits cache[2]; /* of each bitmap, what was read last */
	uint64_t loaded;	       /* the page in `page`; UINT64_MAX: none */
	uint8_t *page, *packed;
};

int rt_kdump_scan(struct rt_memory *m, rt_memory_look *look, void *arg);

/* For the scan.  DUMPED: bitmap 2, else bitmap 1. */
const uint64_t *rt_kdump_bits(struct rt_kdump *d, struct rt_kdump_part *p, bool dumped,
			      uint64_t chunk);
uint64_t rt_kdump_count(struct rt_kdump *d, struct rt_kdump_part *p, uint64_t first, uint64_t end);
size_t rt_kdump_unpack(struct rt_kdump *d, const struct rt_kdump_page *page, const uint8_t *packed,
		       uint8_t *to, size_t room);

#endif
