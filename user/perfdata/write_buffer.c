// SPDX-License-Identifier: GPL-2.0
/*
 * The buffer in front of the file: records are made in it where they will lie, and
 * leave it in large writes.
 */
#include "perfdata/write.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

int rt_write_fail(struct rt_writer *w, int code, const char *fmt, ...)
{
	va_list ap;

	code = code > 0 ? -code : code;
	if (w->failed)
		return w->failed;
	w->failed = code;
	va_start(ap, fmt);
	vsnprintf(w->error.text, sizeof(w->error.text), fmt, ap);
	va_end(ap);
	return code;
}

int rt_write_all(struct rt_writer *w, const void *data, size_t size, uint64_t pos)
{
	const uint8_t *from = data;
	ssize_t n;

	while (size) {
		n = w->pipe ? write(w->fd, from, size) : pwrite(w->fd, from, size, pos);
		if (n < 0) {
			if (errno == EINTR)
				continue;
			return -errno;
		}
		if (!n)
			return -ENOSPC;
		from += n;
		size -= n;
		pos += n;
	}
	return 0;
}

/* One sentence for what a write can run into. */
static int fail_write(struct rt_writer *w, int code)
{
	switch (-code) {
	case EPIPE:
		return rt_write_fail(w, code, "%s: the program that reads the pipe has ended",
				     w->path);
	case ENOSPC:
	case EDQUOT:
	case EFBIG:
		if (w->pipe)
			break;
		return rt_write_fail(
			w, code,
			"%s: %s: the file is whole up to byte %llu, the last %llu bytes of "
			"records are not in it; make room or choose another place with -o",
			w->path, strerror(-code), (unsigned long long)w->settled,
			(unsigned long long)(w->pos + w->used - w->settled_end));
	}
	return rt_write_fail(w, code, "cannot write %s: %s", w->path, strerror(-code));
}

int rt_write_flush(struct rt_writer *w)
{
	int ret;

	if (w->failed)
		return w->failed;
	ret = rt_write_all(w, w->buf, w->used, w->pos);
	if (ret)
		return fail_write(w, ret);
	w->pos += w->used;
	w->used = 0;
	return 0;
}

void *rt_write_reserve(struct rt_writer *w, size_t size)
{
	if (w->state != RT_WRITE_RECORDS)
		rt_write_fail(w, EINVAL, "%s: a record came before the recording began", w->path);
	if (w->failed || (w->used + size > RT_WRITER_BUFFER && rt_write_flush(w)))
		return NULL;
	return w->buf + w->used;
}

int rt_write_commit(struct rt_writer *w, size_t size, uint64_t time)
{
	w->used += size;
	w->stats.records++;
	w->stats.bytes += size;
	if (!time)
		return 0;
	if (time < w->floor)
		w->stats.out_of_order++;
	if (time > w->newest)
		w->newest = time;
	return 0;
}
