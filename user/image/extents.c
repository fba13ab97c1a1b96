// SPDX-License-Identifier: GPL-2.0
/* Memory as ranges of bytes: ELF files and raw images. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "image/memory.h"

#define CHUNK (1U << 20)

struct range {
	uint64_t phys, at, filled, bytes;
};

struct rt_extents {
	struct rt_memory memory;
	struct rt_bytes *source;
	struct range *range;
	size_t count, room;
	char *chunk;
};

/* The last range that begins at or before PHYS, if it reaches there; else NULL. */
static const struct range *range_at(const struct rt_extents *r, uint64_t phys)
{
	size_t low = 0, high = r->count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		const struct range *p = &r->range[mid];

		if (phys < p->phys)
			high = mid;
		else if (phys - p->phys >= p->bytes)
			low = mid + 1;
		else
			return p;
	}
	return NULL;
}

static size_t read_range(const struct rt_extents *r, const struct range *p, uint64_t offset,
			 char *to, size_t bytes)
{
	size_t filled = 0, got;

	if (offset < p->filled) {
		filled = p->filled - offset < bytes ? p->filled - offset : bytes;
		got = r->source->read(r->source, p->at + offset, to, filled);
		if (got < filled)
			return got;
	}
	memset(to + filled, 0, bytes - filled);
	return bytes;
}

static size_t read_ranges(struct rt_memory *m, uint64_t phys, void *to, size_t bytes)
{
	struct rt_extents *r = (struct rt_extents *)m;
	size_t done = 0;

	while (done < bytes) {
		const struct range *p = range_at(r, phys + done);
		size_t part, got;

		if (!p)
			break;
		part = p->bytes - (phys + done - p->phys) < bytes - done ?
			       p->bytes - (phys + done - p->phys) :
			       bytes - done;
		got = read_range(r, p, phys + done - p->phys, (char *)to + done, part);
		done += got;
		if (got < part)
			break;
	}
	return done;
}

static bool has(struct rt_memory *m, uint64_t phys)
{
	return range_at((struct rt_extents *)m, phys);
}

static uint64_t pages(uint64_t bytes)
{
	return (bytes + RT_IMAGE_PAGE - 1) / RT_IMAGE_PAGE;
}

/* Look at every page that begins in the chunk. */
static int look_at(struct rt_extents *r, uint64_t phys, size_t bytes, rt_memory_look *look,
		   void *arg)
{
	size_t at = (RT_IMAGE_PAGE - phys % RT_IMAGE_PAGE) % RT_IMAGE_PAGE;
	uint64_t first;
	int ret = 0;

	for (; !ret && at < bytes && bytes - at >= sizeof(first); at += RT_IMAGE_PAGE) {
		memcpy(&first, r->chunk + at, sizeof(first));
		r->memory.pages++;
		ret = look(arg, phys + at, first);
	}
	return ret;
}

static int scan_range(struct rt_extents *r, const struct range *p, rt_memory_look *look, void *arg)
{
	uint64_t at = 0, want, skip, next;
	size_t got;
	int ret = 0;

	while (!ret && at < p->filled) {
		/* Chunks end at page boundaries, so that no page's first bytes are split. */
		want = CHUNK - (p->phys + at) % RT_IMAGE_PAGE;
		if (want > p->filled - at)
			want = p->filled - at;
		got = r->source->read(r->source, p->at + at, r->chunk, want);
		ret = look_at(r, p->phys + at, got, look, arg);
		at += got;
		if (got == want)
			continue;
		/* A hole may be terabytes long; a file that was cut short has nothing from here on. */
		skip = RT_IMAGE_PAGE - (p->phys + at) % RT_IMAGE_PAGE;
		next = rt_bytes_next(r->source, p->at + at) - p->at;
		if (next - at > skip)
			skip = next - at;
		if (p->at + at >= r->source->size || skip > p->filled - at)
			skip = p->filled - at;
		r->memory.missing += pages(skip);
		at += skip;
	}
	return ret;
}

static int scan(struct rt_memory *m, rt_memory_look *look, void *arg)
{
	struct rt_extents *r = (struct rt_extents *)m;
	size_t i;
	int ret = 0;

	r->chunk = malloc(CHUNK);
	if (!r->chunk)
		return -ENOMEM;
	m->pages = m->missing = 0;
	for (i = 0; !ret && i < r->count; i++)
		ret = scan_range(r, &r->range[i], look, arg);
	free(r->chunk);
	r->chunk = NULL;
	return ret;
}

static void close_ranges(struct rt_memory *m)
{
	struct rt_extents *r = (struct rt_extents *)m;

	r->source->close(r->source);
	free(r->range);
	free(r);
}

static const struct rt_memory_ops ops = {
	.scan = scan,
	.read = read_ranges,
	.has = has,
	.close = close_ranges,
};

struct rt_extents *rt_extents_new(struct rt_bytes *bytes, const char *format)
{
	struct rt_extents *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	r->memory.ops = &ops;
	r->source = bytes;
	snprintf(r->memory.format, sizeof(r->memory.format), "%s", format);
	return r;
}

int rt_extents_add(struct rt_extents *r, uint64_t phys, uint64_t at, uint64_t filled,
		   uint64_t bytes)
{
	if (!bytes || phys + bytes < phys || at + bytes < at)
		return 0;
	if (!RT_ARRAY_ROOM(r->range, r->count, r->room))
		return -ENOMEM;
	r->range[r->count++] = (struct range){ phys, at, filled < bytes ? filled : bytes, bytes };
	return 0;
}

static int by_address(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	return x->phys < y->phys ? -1 : x->phys > y->phys;
}

struct rt_memory *rt_extents_memory(struct rt_extents *r)
{
	uint64_t end = 0, cut;
	size_t i, n = 0;

	if (r->count)
		qsort(r->range, r->count, sizeof(*r->range), by_address);
	/* The kernel's text is also part of its linear mapping, for example. */
	for (i = 0; i < r->count; i++) {
		struct range p = r->range[i];

		cut = p.phys < end ? end - p.phys : 0;
		if (cut >= p.bytes)
			continue;
		p.phys += cut;
		p.at += cut;
		p.filled -= cut < p.filled ? cut : p.filled;
		p.bytes -= cut;
		end = p.phys + p.bytes;
		r->range[n++] = p;
	}
	r->count = n;
	return &r->memory;
}
