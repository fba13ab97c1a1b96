// SPDX-License-Identifier: GPL-2.0
/*
 * unpack.c - decompress (zstd) the stream of records inside compressed records.
 *
 * The compressed records of a file are pieces of one zstd stream (a new frame may begin in any of
 * them), and a record inside may begin in one piece and end in the next.  Output goes into blocks
 * of bounded size, one at a time, so a small record that unpacks to gigabytes costs time but no
 * memory.
 */
#include "perfdata/read/internal.h"

#include <errno.h>
#include <stdlib.h>
#include <zstd.h>

#define OUTPUT_BLOCK (512 * 1024) /* more than twice the largest record */

struct rt_unpack {
	ZSTD_DStream *stream;
	ZSTD_inBuffer in;
	struct rt_block *in_block;
	uint64_t in_offset;
	bool drained; /* the last call left room in its output: it needs more input */
	struct rt_span span;
};

struct rt_unpack *rt_unpack_new(void)
{
	struct rt_unpack *u = calloc(1, sizeof(*u));

	if (!u)
		return NULL;
	u->drained = true;
	u->span.packed = true;
	u->stream = ZSTD_createDStream();
	if (!u->stream || ZSTD_isError(ZSTD_initDStream(u->stream))) {
		rt_unpack_free(u);
		return NULL;
	}
	return u;
}

void rt_unpack_free(struct rt_unpack *u)
{
	if (!u)
		return;
	ZSTD_freeDStream(u->stream);
	rt_block_put(u->in_block);
	rt_block_put(u->span.block);
	free(u);
}

void rt_unpack_feed(struct rt_unpack *u, const void *data, size_t size, struct rt_block *block,
		    uint64_t offset)
{
	rt_block_get(block);
	rt_block_put(u->in_block);
	u->in_block = block;
	u->in = (ZSTD_inBuffer){ data, size, 0 };
	u->in_offset = offset;
	u->drained = false;
}

/* Start a new block with the rest of the old one. */
static int new_block(struct rt_unpack *u)
{
	size_t left = u->span.end - u->span.pos;
	struct rt_block *block = u->span.block;

	if (block && rt_block_alone(block)) {
		memmove(block->data, u->span.pos, left);
	} else {
		block = rt_block_new(OUTPUT_BLOCK);
		if (!block)
			return -ENOMEM;
		if (left)
			memcpy(block->data, u->span.pos, left);
		rt_block_put(u->span.block);
		u->span.block = block;
	}
	block->used = left;
	u->span.pos = block->data;
	u->span.end = block->data + left;
	return 0;
}

static int fill(struct rt_unpack *u, struct rt_err *err)
{
	struct rt_block *block;
	ZSTD_outBuffer out;
	size_t ret;

	if (new_block(u))
		return rt_err_set(err, ENOMEM, "no memory to decompress records");
	block = u->span.block;
	u->span.offset = u->in_offset;
	out = (ZSTD_outBuffer){ block->data, block->size, block->used };
	while (out.pos < out.size && !u->drained) {
		size_t was = out.pos, read = u->in.pos;

		ret = ZSTD_decompressStream(u->stream, &out, &u->in);
		if (ZSTD_isError(ret)) {
			block->used = out.pos;
			u->span.end = block->data + out.pos;
			return rt_err_set(err, EBADMSG,
					  "the compressed record at offset %#llx is damaged (%s)",
					  (unsigned long long)u->in_offset, ZSTD_getErrorName(ret));
		}
		u->drained = u->in.pos == u->in.size && out.pos < out.size;
		if (out.pos == was && u->in.pos == read)
			u->drained = true;
	}
	block->used = out.pos;
	u->span.end = block->data + out.pos;
	return 0;
}

int rt_unpack_need(struct rt_unpack *u, size_t need, struct rt_err *err)
{
	int ret;

	while ((size_t)(u->span.end - u->span.pos) < need) {
		if (u->drained)
			return 0;
		ret = fill(u, err);
		if (ret)
			return ret;
	}
	return 1;
}

struct rt_span *rt_unpack_span(struct rt_unpack *u)
{
	return &u->span;
}
