// SPDX-License-Identifier: GPL-2.0
#include "image/unpack.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#define ZSTD_PAGE (1U << 16) /* the largest page */

struct rt_unpacker {
	z_stream zlib;
	ZSTD_DCtx *zstd;
	uint8_t page[ZSTD_PAGE];
};

struct rt_unpacker *rt_unpacker_new(void)
{
	struct rt_unpacker *u = calloc(1, sizeof(*u));

	if (!u)
		return NULL;
	u->zstd = ZSTD_createDCtx();
	if (!u->zstd || inflateInit(&u->zlib) != Z_OK) {
		ZSTD_freeDCtx(u->zstd);
		free(u);
		return NULL;
	}
	return u;
}

void rt_unpacker_free(struct rt_unpacker *u)
{
	if (!u)
		return;
	inflateEnd(&u->zlib);
	ZSTD_freeDCtx(u->zstd);
	free(u);
}

static size_t unpack_zlib(struct rt_unpacker *u, const uint8_t *from, size_t bytes, uint8_t *to,
			  size_t room)
{
	if (inflateReset(&u->zlib) != Z_OK)
		return 0;
	u->zlib.next_in = (uint8_t *)from;
	u->zlib.avail_in = bytes;
	u->zlib.next_out = to;
	u->zlib.avail_out = room;
	inflate(&u->zlib, Z_SYNC_FLUSH);
	return room - u->zlib.avail_out;
}

static size_t unpack_zstd(struct rt_unpacker *u, const uint8_t *from, size_t bytes, uint8_t *to,
			  size_t room)
{
	size_t got = ZSTD_decompressDCtx(u->zstd, u->page, sizeof(u->page), from, bytes);

	if (ZSTD_isError(got))
		return 0;
	if (got > room)
		got = room;
	memcpy(to, u->page, got);
	return got;
}

size_t rt_unpack(struct rt_unpacker *u, enum rt_packed how, const uint8_t *from, size_t bytes,
		 uint8_t *to, size_t room)
{
	switch (how) {
	case RT_PACKED_NOT:
		bytes = bytes < room ? bytes : room;
		memcpy(to, from, bytes);
		return bytes;
	case RT_PACKED_ZLIB:
		return unpack_zlib(u, from, bytes, to, room);
	case RT_PACKED_LZO:
		return rt_unpack_lzo(from, bytes, to, room);
	case RT_PACKED_SNAPPY:
		return rt_unpack_snappy(from, bytes, to, room);
	case RT_PACKED_ZSTD:
		return unpack_zstd(u, from, bytes, to, room);
	}
	return 0;
}
