// SPDX-License-Identifier: GPL-2.0
/*
 * data_file.c - read one record after the other from a file, a pipe or a compressed stream; decode
 * only the header.
 */
#include "perfdata/read/internal.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define BYTES(span) ((size_t)((span)->end - (span)->pos))

static void advance(struct rt_span *span, size_t size)
{
	span->pos += size;
	if (!span->packed)
		span->offset += size;
}

/*
 * Make room behind the span: use free room of the block, or reuse the block if nobody else holds
 * it, or allocate a new one.
 */
static int pipe_room(struct rt_span *span)
{
	struct rt_block *block = span->block;
	size_t left = BYTES(span);

	if (block && block->used < block->size)
		return 0;
	if (block && rt_block_alone(block) && !block->runs) {
		memmove(block->data, span->pos, left);
	} else {
		block = rt_block_new(RT_PIPE_BLOCK);
		if (!block)
			return -ENOMEM;
		if (left)
			memcpy(block->data, span->pos, left);
		rt_block_put(span->block);
		span->block = block;
	}
	block->used = left;
	span->pos = block->data;
	span->end = block->data + left;
	return 0;
}

/* Make need bytes available at the front of the span; 1, or 0 at the end of the input. */
static int need(struct rt_reader *r, struct rt_data_file *src, size_t bytes)
{
	struct rt_span *span = &src->span;
	ssize_t got;

	while (BYTES(span) < bytes) {
		if (!src->pipe || src->eof)
			return 0;
		if (pipe_room(span))
			return rt_reader_fail(r, ENOMEM, "no memory to read from a pipe");
		if (r->opt.before_read && r->opt.before_read(r->opt.before_read_arg, src->fd) < 0)
			return rt_reader_fail(r, ECANCELED, "reading was stopped");
		got = read(src->fd, span->block->data + span->block->used,
			   span->block->size - span->block->used);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return rt_reader_fail(r, errno, "%s: reading failed: %s", src->path,
					      strerror(errno));
		src->eof = got == 0;
		span->block->used += got;
		span->end += got;
		r->stats.bytes_read += got;
	}
	return 1;
}

/* Collect tracing data from a pipe as it arrives; do not trust the size that it claims. */
static int pipe_collect(struct rt_reader *r, struct rt_data_file *src, struct rt_raw *raw)
{
	size_t have = 0, room = 0, part;
	uint8_t *data = NULL, *more;
	int ret;

	if (raw->payload_size > RT_PAYLOAD_MAX)
		return rt_reader_fail(r, EBADMSG,
				      "%s: %llu bytes of tracing data at offset %#llx are beyond "
				      "reason",
				      src->path, (unsigned long long)raw->payload_size,
				      (unsigned long long)raw->offset);
	while (have < raw->payload_size) {
		ret = need(r, src, 1);
		if (ret <= 0) {
			free(data);
			return ret ? ret :
				     rt_reader_fail(r, EBADMSG,
						    "%s ends inside the tracing data at "
						    "offset %#llx",
						    src->path, (unsigned long long)raw->offset);
		}
		part = BYTES(&src->span);
		if (part > raw->payload_size - have)
			part = raw->payload_size - have;
		if (have + part > room) {
			room = 2 * (have + part);
			more = realloc(data, room);
			if (!more) {
				free(data);
				return rt_reader_fail(r, ENOMEM, "no memory for tracing data");
			}
			data = more;
		}
		memcpy(data + have, src->span.pos, part);
		have += part;
		advance(&src->span, part);
	}
	raw->payload = data;
	return 0;
}

static int pipe_skip(struct rt_reader *r, struct rt_data_file *src, struct rt_raw *raw)
{
	uint64_t left = raw->payload_size;
	size_t part;
	int ret;

	while (left) {
		ret = need(r, src, 1);
		if (ret < 0)
			return ret;
		if (!ret)
			return rt_reader_fail(r, EBADMSG,
					      "%s ends inside the trace data at offset %#llx",
					      src->path, (unsigned long long)raw->offset);
		part = BYTES(&src->span) < left ? BYTES(&src->span) : left;
		advance(&src->span, part);
		left -= part;
	}
	return 0;
}

/* Take the data that belongs to a record but follows it, outside its size. */
static int take_payload(struct rt_reader *r, struct rt_data_file *src, struct rt_raw *raw,
			struct rt_span *span)
{
	const struct rt_perf_record_header *h = &raw->hdr;

	if (h->type == RT_PERF_RECORD_AUXTRACE && h->size >= sizeof(struct rt_perf_record_auxtrace))
		raw->payload_size = load64(raw->data + sizeof(*h), r->swapped);
	else if (h->type == RT_PERF_RECORD_HEADER_TRACING_DATA &&
		 h->size >= sizeof(struct rt_perf_record_tracing_data))
		raw->payload_size = load32(raw->data + sizeof(*h), r->swapped);
	if (!raw->payload_size)
		return 0;

	if (src->pipe && !span->packed) {
		/* Hold the record: reading on may move the contents of its block. */
		rt_block_get(raw->block);
		rt_block_put(r->lent);
		r->lent = raw->block;
		return h->type == RT_PERF_RECORD_AUXTRACE ? pipe_skip(r, src, raw) :
							    pipe_collect(r, src, raw);
	}
	if (raw->payload_size > BYTES(span))
		return rt_reader_fail(r, EBADMSG,
				      "%s: the record at offset %#llx says that %llu bytes follow "
				      "it, but there are only %zu",
				      src->path, (unsigned long long)raw->offset,
				      (unsigned long long)raw->payload_size, BYTES(span));
	raw->payload = span->pos;
	advance(span, raw->payload_size);
	return 0;
}

static int bad_size(struct rt_reader *r, struct rt_data_file *src, const struct rt_span *span,
		    const struct rt_perf_record_header *h)
{
	return rt_reader_fail(
		r, EBADMSG,
		"%s: the record at offset %#llx (type %u) has a size of %u bytes, less "
		"than a record's header",
		src->path, (unsigned long long)span->offset, h->type, h->size);
}

static int truncated(struct rt_reader *r, struct rt_data_file *src, const struct rt_span *span,
		     const char *what)
{
	return rt_reader_fail(r, EBADMSG,
			      "%s: %s ends in the middle of the record at offset %#llx; the "
			      "recording is incomplete",
			      src->path, what, (unsigned long long)span->offset);
}

static void take(struct rt_data_file *src, struct rt_span *span,
		 const struct rt_perf_record_header *h, struct rt_raw *raw)
{
	*raw = (struct rt_raw){
		.data = span->pos,
		.hdr = *h,
		.block = span->block,
		.offset = span->offset,
		.packed = span->packed,
		.source = src,
	};
	advance(span, h->size);
}

/* Return the next record inside compressed ones; 1, or 0 if more input is needed. */
static int next_packed(struct rt_reader *r, struct rt_data_file *src, struct rt_raw *raw)
{
	struct rt_span *span = rt_unpack_span(src->unpack);
	struct rt_perf_record_header h;
	int ret;

	ret = rt_unpack_need(src->unpack, sizeof(h), &r->error);
	if (ret > 0) {
		h = load_header(span->pos, r->swapped);
		if (h.size < sizeof(h))
			return bad_size(r, src, span, &h);
		ret = rt_unpack_need(src->unpack, h.size, &r->error);
	}
	if (ret < 0) {
		r->failed = ret;
		return rt_err_prefix(&r->error, ret, "%s", src->path);
	}
	if (ret > 0) {
		take(src, span, &h, raw);
		ret = take_payload(r, src, raw, span);
		return ret ? ret : 1;
	}
	return 0;
}

static int feed(struct rt_reader *r, struct rt_data_file *src, const struct rt_raw *raw)
{
	const uint8_t *data = raw->data + sizeof(raw->hdr);
	uint64_t size = raw->hdr.size - sizeof(raw->hdr), true_size;

	if (raw->hdr.type == RT_PERF_RECORD_COMPRESSED2) {
		true_size = size >= 8 ? load64(data, r->swapped) : UINT64_MAX;
		if (true_size > size - 8)
			return rt_reader_fail(
				r, EBADMSG,
				"%s: the compressed record at offset %#llx is shorter "
				"than it says",
				src->path, (unsigned long long)raw->offset);
		data += 8;
		size = true_size;
	}
	if (!src->unpack)
		src->unpack = rt_unpack_new();
	if (!src->unpack)
		return rt_reader_fail(r, ENOMEM, "no memory to decompress records");
	rt_unpack_feed(src->unpack, data, size, raw->block, raw->offset);
	r->stats.by_type[raw->hdr.type]++;
	return 0;
}

/*
 * Release the pages of the mapping that lie well behind, so that a big file does not count as used
 * memory.  A record there that somebody still holds is read from the file again.
 */
static void let_go(struct rt_data_file *src)
{
	size_t walked = src->span.pos - src->map;

	if (src->pipe || walked < src->given_back + 2 * RT_MAP_KEEP)
		return;
	walked = (walked - RT_MAP_KEEP) & ~(size_t)(RT_MAP_KEEP - 1);
	madvise(src->map + src->given_back, walked - src->given_back, MADV_DONTNEED);
	src->given_back = walked;
}

static int next_plain(struct rt_reader *r, struct rt_data_file *src, struct rt_raw *raw)
{
	struct rt_span *span = &src->span;
	struct rt_perf_record_header h;
	int ret;

	ret = need(r, src, sizeof(h));
	if (ret < 0)
		return ret;
	if (!ret && !BYTES(span)) {
		if (src->unpack && BYTES(rt_unpack_span(src->unpack)))
			return truncated(r, src, span, "the compressed data");
		if (src->missing)
			return rt_reader_fail(
				r, EBADMSG,
				"%s ends at offset %#llx, %llu bytes before the end of "
				"its data; the recording is incomplete",
				src->path, (unsigned long long)span->offset,
				(unsigned long long)src->missing);
		return 0;
	}
	if (!ret)
		return truncated(r, src, span, "the data");
	h = load_header(span->pos, r->swapped);
	if (h.size < sizeof(h))
		return bad_size(r, src, span, &h);
	ret = need(r, src, h.size);
	if (ret < 0)
		return ret;
	if (!ret)
		return truncated(r, src, span, "the data");
	let_go(src);
	take(src, span, &h, raw);
	src->turn += h.size;
	if (!src->pipe)
		r->stats.bytes_read += h.size;
	ret = take_payload(r, src, raw, span);
	if (!src->pipe)
		r->stats.bytes_read += raw->payload_size;
	return ret ? ret : 1;
}

int rt_data_file_next(struct rt_reader *r, struct rt_data_file *src, struct rt_raw *raw)
{
	int ret;

	for (;;) {
		if (src->unpack) {
			ret = next_packed(r, src, raw);
			if (ret)
				return ret;
		}
		ret = next_plain(r, src, raw);
		if (ret <= 0)
			return ret;
		if (raw->hdr.type != RT_PERF_RECORD_COMPRESSED &&
		    raw->hdr.type != RT_PERF_RECORD_COMPRESSED2)
			return 1;
		ret = feed(r, src, raw);
		if (ret)
			return ret;
	}
}
