/* SPDX-License-Identifier: GPL-2.0 */
/* unpack.h - one compressed page of a dump. */
#ifndef RT_IMAGE_UNPACK_H
#define RT_IMAGE_UNPACK_H

#include <stddef.h>
#include <stdint.h>

/* How a page is compressed: the flags in a compressed kdump. */
enum rt_packed {
	RT_PACKED_NOT = 0,
	RT_PACKED_ZLIB = 0x1,
	RT_PACKED_LZO = 0x2,
	RT_PACKED_SNAPPY = 0x4,
	RT_PACKED_ZSTD = 0x20,
};

struct rt_unpacker;

struct rt_unpacker *rt_unpacker_new(void);
void rt_unpacker_free(struct rt_unpacker *u);

/*
 * Unpack the first ROOM bytes of a page and return how many there are; what follows need not be
 * unpacked.  Bytes are right even if those after them are damaged.  0 also for a way of compression
 * that is not known.
 */
size_t rt_unpack(struct rt_unpacker *u, enum rt_packed how, const uint8_t *from, size_t bytes,
		 uint8_t *to, size_t room);

/* The formats that need no library. */
size_t rt_unpack_lzo(const uint8_t *from, size_t bytes, uint8_t *to, size_t room);
size_t rt_unpack_snappy(const uint8_t *from, size_t bytes, uint8_t *to, size_t room);

#endif
