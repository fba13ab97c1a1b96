// SPDX-License-Identifier: GPL-2.0
/*
 * The buffer in front of the file: the writer builds records in place in it and writes it in large
 * pieces.
 */
#include "perfdata/write/internal.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "host/discard.h"

enum { STALLED_MS = 250 };

int rt_write_fail(struct rt_writer *w, int code, const char *fmt, ...)
{
	va_list ap;

	code = code > 0 ? -code : code;
	if (w->failed)
		return w->failed;
	w->failed = code;
	w->limit = 0;
	va_start(ap, fmt);
	vsnprintf(w->error.text, sizeof(w->error.text), fmt, ap);
	va_end(ap);
	return code;
}

/* Wait until the pipe accepts data; it then takes PIPE_BUF bytes at once. */
static int wait_for_reader(const struct rt_writer *w)
{
	struct pollfd fd = { .fd = w->fd, .events = POLLOUT };
	int ret = 0;

	while (!ret && poll(&fd, 1, STALLED_MS) <= 0)
		ret = w->stalled();
	return ret;
}

static ssize_t write_some(struct rt_writer *w, const void *data, size_t size, uint64_t pos)
{
	ssize_t n;

	if (!w->pipe || !w->stalled) {
		n = w->pipe ? write(w->fd, data, size) : pwrite(w->fd, data, size, pos);
		return n < 0 ? -errno : n;
	}
	n = wait_for_reader(w);
	if (n)
		return n;
	n = write(w->fd, data, size < PIPE_BUF ? size : PIPE_BUF);
	return n < 0 && errno == EINTR ? -EAGAIN : n < 0 ? -errno : n;
}

int rt_write_all(struct rt_writer *w, const void *data, size_t size, uint64_t pos)
{
	const uint8_t *from = data;
	unsigned long freed;
	ssize_t n;

	w->torn = 0;
	while (size) {
		freed = rt_discard_freed();
		n = write_some(w, from, size, pos);
		if (n == -EAGAIN || (n == -EINTR && !(w->pipe && w->stalled)))
			continue;
		n = n ? n : -ENOSPC;
		if ((n == -ENOSPC || n == -EDQUOT) && rt_discard_wait(freed))
			continue;
		if (n < 0)
			return n;
		from += n;
		size -= n;
		pos += n;
		w->torn += n;
	}
	return 0;
}

void rt_write_missing(struct rt_writer *w, uint64_t samples)
{
	uint64_t all = w->total ? w->total : w->stats.samples;

	rt_err_prefix(&w->error, w->failed, "%llu of %llu events are not in %s",
		      (unsigned long long)(all > samples ? all - samples : 0),
		      (unsigned long long)all, w->path);
}

/* Turn the errno of a write into one sentence. */
static int fail_write(struct rt_writer *w, int code)
{
	if (code == -EPIPE)
		return rt_write_fail(w, code, "%s: the program that reads the pipe has ended",
				     w->path);
	if (code == -EINTR)
		return rt_write_fail(w, code, "%s: its reader takes nothing, and was given up",
				     w->path);
	return rt_write_fail(w, code, "cannot write %s: %s", w->path, strerror(-code));
}

/*
 * Find the end of the last record that ends within the first SIZE bytes, and count the samples of the
 * recording up to there.  Bounds in the buffer spare walking over all of it.
 */
static size_t whole_records(const struct rt_writer *w, const struct rt_packed *out, size_t size,
			    uint64_t *samples)
{
	struct rt_perf_record_header hdr;
	unsigned int piece = 0, i;
	size_t at = 0;

	*samples = w->flushed_samples;
	for (i = 0; i < 2 && out->data == w->buf && !at; i++) {
		if (w->bound[i].used > size || !w->bound[i].used)
			continue;
		at = w->bound[i].used;
		*samples = w->bound[i].samples;
	}
	for (;; at += hdr.size) {
		if (out->size - at < sizeof(hdr))
			return at;
		memcpy(&hdr, out->data + at, sizeof(hdr)); /* compressed records are not aligned */
		if (hdr.size > size - at)
			return at;
		if (hdr.type == RT_PERF_RECORD_COMPRESSED)
			*samples += rt_pack_samples(w->pack, piece++);
		else
			*samples += hdr.type == RT_PERF_RECORD_SAMPLE;
	}
}

/* BYTES were written too: compute how far back the file may be cut. */
static void find_cut(struct rt_writer *w, const struct rt_packed *out, size_t bytes)
{
	uint64_t samples;

	if (bytes <= RT_WRITE_RESERVE || w->pipe)
		return;
	w->cut = w->pos + whole_records(w, out, bytes - RT_WRITE_RESERVE, &samples);
	w->cut_samples = samples;
}

/* The buffer as it goes to the file. */
static struct rt_packed pack(struct rt_writer *w)
{
	struct rt_packed out = { w->buf, w->used };

	if (!w->pack || w->pack_ended)
		return out;
	w->pack_ended = rt_pack_buffer(w->pack, w->buf, w->used, &out) != 0;
	w->stats.bytes -= w->used;
	w->stats.bytes += out.size;
	return out;
}

void rt_write_empty(struct rt_writer *w)
{
	w->used = 0;
	w->limit = 0;
	memset(w->bound, 0, sizeof(w->bound));
}

int rt_write_flush(struct rt_writer *w)
{
	struct rt_packed out;
	uint64_t samples;
	int ret;

	if (w->failed)
		return w->failed;
	if (w->parent)
		return rt_writer_lane_flush(w);
	out = pack(w);
	ret = rt_write_all(w, out.data, out.size, w->pos);
	find_cut(w, &out, w->torn);
	if (ret && w->pipe) {
		whole_records(w, &out, w->torn, &samples);
		w->flushed_samples = samples;
	}
	if (ret) {
		w->pack_ended = true;
		return fail_write(w, ret);
	}
	w->pos += out.size;
	rt_write_empty(w);
	w->flushed_samples = w->stats.samples;
	return 0;
}

void *rt_write_make_room(struct rt_writer *w, size_t size)
{
	if (w->state != RT_WRITE_RECORDS)
		rt_write_fail(w, EINVAL, "%s: a record came before the recording began", w->path);
	if (w->failed || (w->used + size > RT_WRITER_BUFFER && rt_write_flush(w)))
		return NULL;
	if (w->used + size > w->limit) {
		w->bound[1] = w->bound[0];
		w->bound[0] = (struct rt_write_bound){ w->used, w->stats.samples };
		w->limit = w->used + size + RT_WRITE_STRIDE;
		if (w->limit > RT_WRITER_BUFFER)
			w->limit = RT_WRITER_BUFFER;
	}
	return w->buf + w->used;
}
