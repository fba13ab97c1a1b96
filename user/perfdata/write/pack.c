// SPDX-License-Identifier: GPL-2.0
/*
 * pack.c - compress the buffer (zstd) into compressed records, as `perf record -z` does.
 *
 * All compressed records of a file are one zstd stream, flushed at the end of each record.  perf
 * maps as much memory for each of them as the header promises, and keeps it, so a piece is small; and
 * a piece ends where a record ends, so that the file may be cut behind any of them.  What does not
 * fit into one record after compression is written as it is.
 */
#include "perfdata/write/internal.h"

#include <errno.h>
#include <stdlib.h>
#include <zstd.h>

struct rt_pack {
	ZSTD_CCtx *stream;
	int level;
	uint64_t plain, packed; /* bytes so far */
	uint8_t *out;
	size_t used;
	unsigned int count; /* of compressed records in `out` */
	uint32_t samples[RT_WRITER_BUFFER / RT_PACK_PIECE * 2 + 2]; /* of each of them */
};

struct rt_pack *rt_pack_new(int level)
{
	struct rt_pack *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->level = level;
	p->stream = ZSTD_createCCtx();
	/* Every piece adds a head, and in the worst case a few bytes of the stream's. */
	p->out = malloc(2 * RT_WRITER_BUFFER);
	if (!p->stream || !p->out ||
	    ZSTD_isError(ZSTD_CCtx_setParameter(p->stream, ZSTD_c_compressionLevel, level))) {
		rt_pack_free(p);
		return NULL;
	}
	return p;
}

void rt_pack_free(struct rt_pack *p)
{
	if (!p)
		return;
	ZSTD_freeCCtx(p->stream);
	free(p->out);
	free(p);
}

/* Count the bytes and samples of the whole records at DATA, at most one piece of them. */
static size_t next_piece(const uint8_t *data, size_t size, uint32_t *samples)
{
	const struct rt_perf_record_header *hdr;
	size_t at = 0;

	for (*samples = 0; at < size; at += hdr->size) {
		hdr = (const void *)(data + at);
		if (at && at + hdr->size > RT_PACK_PIECE)
			break;
		*samples += hdr->type == RT_PERF_RECORD_SAMPLE;
	}
	return at;
}

static int put_piece(struct rt_pack *p, const uint8_t *data, size_t size)
{
	struct rt_perf_record_header hdr = { .type = RT_PERF_RECORD_COMPRESSED };
	ZSTD_outBuffer out = { p->out + p->used + sizeof(hdr), RT_PACK_PIECE_MOST - sizeof(hdr),
			       0 };
	ZSTD_inBuffer in = { data, size, 0 };
	size_t left;

	left = ZSTD_compressStream2(p->stream, &out, &in, ZSTD_e_flush);
	if (ZSTD_isError(left) || left || in.pos != in.size)
		return -EIO;
	hdr.size = sizeof(hdr) + out.pos;
	memcpy(p->out + p->used, &hdr, sizeof(hdr));
	p->used += hdr.size;
	return 0;
}

int rt_pack_buffer(struct rt_pack *p, const uint8_t *data, size_t size, struct rt_packed *to)
{
	size_t at = 0, piece;
	int ret;

	p->used = 0;
	p->count = 0;
	while (at < size) {
		piece = next_piece(data + at, size - at, &p->samples[p->count]);
		if (piece > RT_PACK_PIECE) {
			/* One long record: even if it does not shrink, it must fit. */
			memcpy(p->out + p->used, data + at, piece);
			p->used += piece;
		} else {
			ret = put_piece(p, data + at, piece);
			if (ret)
				return ret;
			p->count++;
		}
		at += piece;
	}
	p->plain += size;
	p->packed += p->used;
	*to = (struct rt_packed){ p->out, p->used };
	return 0;
}

uint32_t rt_pack_samples(const struct rt_pack *p, unsigned int piece)
{
	return p->samples[piece];
}

void rt_pack_feature(const struct rt_pack *p, struct rt_section *s)
{
	rt_section_u32(s, 1); /* version of this section */
	rt_section_u32(s, 1); /* zstd */
	rt_section_u32(s, p->level);
	rt_section_u32(s, p->packed ? p->plain / p->packed : 0);
	rt_section_u32(s, 65536); /* most bytes that a record unpacks to */
}
