// SPDX-License-Identifier: GPL-2.0
/* Pieces of sub-buffers in a raw recording, from the ring to the file without a copy in between. */
#include "perfdata/write/internal.h"

#include <errno.h>
#include <sys/uio.h>

#include "perfdata/raw.h"

enum { PARTS = 3 }; /* of a piece: its record, its bytes, zeros */

static size_t padded(const struct rt_writer_piece *p)
{
	return align8(p->to - p->from);
}

/* What pwritev() left of the parts, one after the other. */
static int write_rest(struct rt_writer *w, const struct iovec *part, size_t parts, size_t done)
{
	uint64_t pos = w->pos;
	size_t i, skip;
	int ret = 0;

	for (i = 0; !ret && i < parts; pos += part[i++].iov_len) {
		skip = done < part[i].iov_len ? done : part[i].iov_len;
		done -= skip;
		if (skip < part[i].iov_len)
			ret = rt_write_all(w, (const uint8_t *)part[i].iov_base + skip,
					   part[i].iov_len - skip, pos + skip);
	}
	return ret;
}

static void make_head(struct rt_raw_piece *head, const struct rt_writer_piece *p)
{
	*head = (struct rt_raw_piece){
		.hdr = { .type = RT_RAW_RECORD_PIECE, .size = sizeof(*head) },
		.magic = RT_RAW_PIECE_MAGIC,
		.cpu = p->cpu,
		.from = p->from,
		.to = p->to,
		.seq = p->seq,
		.start = p->start,
		.last = p->last,
		.records = p->records,
	};
	head->checksum = rt_raw_checksum(head, sizeof(*head));
}

/*
 * Keep a place where a piece ends and that is far enough from the end of the file: if the disk is full,
 * the file ends there.
 */
static void keep_cut(struct rt_writer *w)
{
	if (w->pos - w->piece_cut < RT_WRITE_RESERVE)
		return;
	if (w->piece_cut > w->cut) {
		w->cut = w->piece_cut;
		w->cut_samples = w->piece_cut_samples;
	}
	w->piece_cut = w->pos;
	w->piece_cut_samples = w->stats.samples;
}

/* A piece is in the file. */
static void count_piece(struct rt_writer *w, const struct rt_writer_piece *p)
{
	size_t size = sizeof(struct rt_raw_piece) + padded(p);

	if (!w->stats.samples || p->start < w->first_time)
		w->first_time = p->start;
	if (p->last > w->last_time)
		w->last_time = p->last;
	rt_write_cpu(w, p->cpu);
	w->pos += size;
	w->stats.bytes += size;
	w->stats.samples += p->records;
	w->flushed_samples = w->stats.samples;
	keep_cut(w);
}

static int write_pieces(struct rt_writer *w, const struct rt_writer_piece *p, unsigned int count)
{
	static const uint8_t zero[8];
	struct rt_raw_piece head[RT_WRITER_PIECES_MAX];
	struct iovec part[PARTS * RT_WRITER_PIECES_MAX];
	size_t parts = 0, size = 0, bytes;
	unsigned int i;
	ssize_t done;
	int ret = 0;

	for (i = 0; i < count; i++) {
		bytes = p[i].to - p[i].from;
		make_head(&head[i], &p[i]);
		part[parts++] = (struct iovec){ &head[i], sizeof(head[i]) };
		part[parts++] = (struct iovec){ (uint8_t *)p[i].subbuf + p[i].from, bytes };
		if (padded(&p[i]) > bytes)
			part[parts++] = (struct iovec){ (void *)zero, padded(&p[i]) - bytes };
		size += sizeof(head[i]) + padded(&p[i]);
	}
	done = pwritev(w->fd, part, parts, w->pos);
	if (done != (ssize_t)size)
		ret = write_rest(w, part, parts, done > 0 ? done : 0);
	for (i = 0; !ret && i < count; i++)
		count_piece(w, &p[i]);
	return ret;
}

int rt_writer_pieces(struct rt_writer *w, const struct rt_writer_piece *pieces, unsigned int count)
{
	unsigned int i;
	int ret;

	if (!w->raw || w->state != RT_WRITE_RECORDS || count > RT_WRITER_PIECES_MAX)
		return -EINVAL;
	/* Records that came before stay in front of them. */
	if (w->failed || (w->used && rt_write_flush(w)))
		return w->failed;
	ret = write_pieces(w, pieces, count);
	/* Of those for which there is no room, keep the first ones. */
	for (i = 0; ret && count > 1 && i < count; i++)
		if (write_pieces(w, &pieces[i], 1))
			break;
	if (ret)
		return rt_write_fail(w, ret, "cannot write %s: %s", w->path, strerror(-ret));
	return 0;
}
