// SPDX-License-Identifier: GPL-2.0
/*
 * flat.c - flattened dumps.
 *
 * `makedumpfile -F` and QEMU write a dump to a pipe as a list of pieces, each with the place in the
 * file where it belongs; numbers are big-endian.  A later piece replaces what an earlier one put at
 * the same place.
 */
#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "image/bytes.h"

#define SIGNATURE  "makedumpfile"
#define HEADER	   4096
#define PIECES_MAX (1U << 22) /* 64 MB of memory */

struct start {
	char signature[16];
	uint64_t type, version;
};

struct piece_head {
	int64_t at, bytes;
};

struct piece {
	uint64_t at : 44, high : 20; /* where it belongs; bits 32 and up of `from` */
	uint32_t low;		     /* bits 0 to 31 of where its bytes are in the flattened file */
	uint32_t bytes;
};

struct flat {
	struct rt_bytes bytes, *from;
	struct piece *piece;
	size_t pieces, room;
	size_t last; /* the piece that was read last */
};

static uint64_t from(const struct piece *p)
{
	return (uint64_t)p->high << 32 | p->low;
}

bool rt_bytes_is_flat(struct rt_bytes *b)
{
	struct start start;

	return rt_bytes_get(b, 0, &start, sizeof(start)) &&
	       !strncmp(start.signature, SIGNATURE, sizeof(start.signature));
}

/* The last piece that begins at or before AT. */
static size_t search(const struct flat *f, uint64_t at)
{
	size_t low = 0, high = f->pieces, mid;

	if (f->last + 1 < f->pieces && f->piece[f->last].at <= at && f->piece[f->last + 1].at > at)
		return f->last;
	while (high - low > 1) {
		mid = low + (high - low) / 2;
		if (f->piece[mid].at <= at)
			low = mid;
		else
			high = mid;
	}
	return low;
}

static size_t read_flat(struct rt_bytes *b, uint64_t at, void *to, size_t bytes)
{
	struct flat *f = (struct flat *)b;
	size_t done = 0, part, got;

	while (done < bytes && f->pieces) {
		const struct piece *p;

		f->last = search(f, at + done);
		p = &f->piece[f->last];
		if (at + done < p->at || at + done - p->at >= p->bytes)
			break;
		part = p->bytes - (at + done - p->at);
		if (part > bytes - done)
			part = bytes - done;
		got = f->from->read(f->from, from(p) + (at + done - p->at), (char *)to + done,
				    part);
		done += got;
		if (got < part)
			break;
	}
	return done;
}

static uint64_t next_flat(struct rt_bytes *b, uint64_t at)
{
	struct flat *f = (struct flat *)b;
	size_t i;

	if (!f->pieces)
		return b->size;
	i = search(f, at);
	if (at < f->piece[i].at)
		return f->piece[i].at;
	if (at - f->piece[i].at < f->piece[i].bytes)
		return at;
	return i + 1 < f->pieces ? f->piece[i + 1].at : b->size;
}

static void close_flat(struct rt_bytes *b)
{
	struct flat *f = (struct flat *)b;

	if (f->from)
		f->from->close(f->from);
	free(f->piece);
	free(f);
}

/* By place; of one place the later piece, which is further on in the file, comes last. */
static int by_place(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return from(x) < from(y) ? -1 : from(x) > from(y);
}

static void cut_front(struct piece *p, uint64_t to)
{
	uint64_t cut = to - p->at, source = from(p) + cut;

	p->bytes = cut < p->bytes ? p->bytes - cut : 0;
	p->at = to;
	p->low = source;
	p->high = source >> 32;
}

/* Cut pieces that overlap, so that the later one counts. */
static void settle(struct flat *f)
{
	size_t i, n = 0;

	for (i = 0; i < f->pieces; i++) {
		struct piece p = f->piece[i], *before;

		while (n && f->piece[n - 1].at + f->piece[n - 1].bytes > p.at) {
			before = &f->piece[n - 1];
			if (from(before) > from(&p)) {
				cut_front(&p, before->at + before->bytes);
				break;
			}
			before->bytes = p.at - before->at;
			if (before->bytes)
				break;
			n--;
		}
		if (p.bytes)
			f->piece[n++] = p;
	}
	f->pieces = n;
}

static int add(struct flat *f, uint64_t at, uint64_t source, uint64_t bytes)
{
	struct piece *grown;
	size_t room;

	if (f->pieces == f->room) {
		room = f->room ? 2 * f->room : 1024;
		if (room > PIECES_MAX)
			return -E2BIG;
		grown = realloc(f->piece, room * sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		f->piece = grown;
		f->room = room;
	}
	f->piece[f->pieces].at = at;
	f->piece[f->pieces].low = source;
	f->piece[f->pieces].high = source >> 32;
	f->piece[f->pieces++].bytes = bytes;
	if (f->bytes.size < at + bytes)
		f->bytes.size = at + bytes;
	return 0;
}

/* A file that was cut short ends with what it has. */
static int read_pieces(struct flat *f)
{
	struct piece_head head;
	uint64_t pos = HEADER, at, bytes;
	int ret = 0;

	while (!ret && rt_bytes_get(f->from, pos, &head, sizeof(head))) {
		at = be64toh(head.at);
		bytes = be64toh(head.bytes);
		if (at >> 43 || !bytes || bytes > UINT32_MAX)
			break; /* the end is marked by -1 */
		pos += sizeof(head);
		if (pos >> 51)
			break;
		ret = add(f, at, pos, bytes);
		pos += bytes;
	}
	return ret;
}

int rt_bytes_flat(struct rt_bytes *source, struct rt_bytes **out, struct rt_err *err)
{
	struct flat *f = calloc(1, sizeof(*f));
	struct start start;
	int ret;

	if (!f)
		return rt_err_set(err, ENOMEM, "out of memory");
	f->from = source;
	f->bytes.read = read_flat;
	f->bytes.next = next_flat;
	f->bytes.close = close_flat;
	if (!rt_bytes_get(source, 0, &start, sizeof(start)) || be64toh(start.type) != 1 ||
	    be64toh(start.version) != 1)
		ret = rt_err_set(
			err, EINVAL,
			"flattened dump of an unknown kind; rearrange it with makedumpfile -R");
	else
		ret = read_pieces(f);
	if (ret == -E2BIG)
		rt_err_set(
			err, E2BIG,
			"flattened dump of more than %u pieces; rearrange it with makedumpfile -R",
			PIECES_MAX);
	else if (ret == -ENOMEM)
		rt_err_set(err, ENOMEM, "out of memory");
	if (ret) {
		f->from = NULL; /* the caller keeps it */
		close_flat(&f->bytes);
		return ret;
	}
	if (f->pieces)
		qsort(f->piece, f->pieces, sizeof(*f->piece), by_place);
	settle(f);
	*out = &f->bytes;
	return 0;
}
