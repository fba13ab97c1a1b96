// SPDX-License-Identifier: GPL-2.0
/*
 * Look at all pages of a compressed kdump.
 *
 * The pages lie in the file almost in the order of their descriptors, so the scan reads both in large
 * pieces.  Of most pages only the first bytes matter, and only they are unpacked.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "image/kdump.h"

#define WINDOW (1U << 20)
#define BATCH  1024U

struct scan {
	struct rt_kdump *d;
	struct rt_kdump_part *part;
	rt_memory_look *look;
	void *arg;

	uint8_t *window;
	uint64_t window_at;
	size_t window_bytes;

	struct rt_kdump_page page[BATCH];
	uint64_t batch_at; /* number of the first descriptor in `page` */
	size_t batch;

	/* A page that lies before the window; many descriptors share one of zeros. */
	uint64_t shared_at;
	uint8_t shared[65536];
};

static const struct rt_kdump_page *page_of(struct scan *s, uint64_t number)
{
	struct rt_bytes *b = s->part->bytes;

	if (number < s->batch_at || number - s->batch_at >= s->batch) {
		s->batch_at = number;
		s->batch = b->read(b, s->part->pages + number * sizeof(*s->page), s->page,
				   sizeof(s->page)) /
			   sizeof(*s->page);
	}
	return s->batch ? &s->page[number - s->batch_at] : NULL;
}

/* The page as it is in the file; NULL: missing. */
static const uint8_t *packed(struct scan *s, const struct rt_kdump_page *page)
{
	struct rt_bytes *b = s->part->bytes;

	if (!page->bytes || page->bytes > s->d->block)
		return NULL;
	if (page->at >= s->window_at && page->at - s->window_at < s->window_bytes &&
	    page->bytes <= s->window_bytes - (page->at - s->window_at))
		return s->window + (page->at - s->window_at);
	if (page->at < s->window_at) {
		if (s->shared_at != page->at && !rt_bytes_get(b, page->at, s->shared, page->bytes))
			return NULL;
		s->shared_at = page->at;
		return s->shared;
	}
	s->window_at = page->at;
	s->window_bytes = b->read(b, page->at, s->window, WINDOW);
	return page->bytes <= s->window_bytes ? s->window : NULL;
}

static int look_at(struct scan *s, uint64_t pfn, uint64_t number)
{
	const struct rt_kdump_page *page = page_of(s, number);
	const uint8_t *from = page ? packed(s, page) : NULL;
	struct rt_kdump *d = s->d;
	size_t want = d->block > RT_IMAGE_PAGE ? d->block : sizeof(uint64_t), at;
	uint64_t first;
	int ret = 0;

	if (!from || rt_kdump_unpack(d, page, from, d->page, want) != want) {
		d->memory.missing += d->block / RT_IMAGE_PAGE;
		return 0;
	}
	for (at = 0; !ret && at < d->block; at += RT_IMAGE_PAGE) {
		memcpy(&first, d->page + at, sizeof(first));
		d->memory.pages++;
		ret = s->look(s->arg, pfn * d->block + at, first);
		/* Looking may load another page over this one. */
		if (d->loaded != UINT64_MAX && at + RT_IMAGE_PAGE < d->block)
			rt_kdump_unpack(d, page, from, d->page, want);
		d->loaded = UINT64_MAX;
	}
	return ret;
}

static int scan_part(struct scan *s)
{
	struct rt_kdump_part *p = s->part;
	uint64_t bits[RT_KDUMP_CHUNK / 64], pfn = p->first, number = 0, chunk = UINT64_MAX;
	int ret = 0;

	s->batch = s->window_bytes = 0;
	s->batch_at = s->window_at = 0;
	s->shared_at = UINT64_MAX;
	while (!ret && pfn < p->end) {
		if (chunk != pfn / RT_KDUMP_CHUNK) {
			chunk = pfn / RT_KDUMP_CHUNK;
			memcpy(bits, rt_kdump_bits(s->d, p, true, chunk), sizeof(bits));
		}
		if (!bits[pfn % RT_KDUMP_CHUNK / 64]) {
			pfn = (pfn / 64 + 1) * 64;
			continue;
		}
		if (bits[pfn % RT_KDUMP_CHUNK / 64] >> pfn % 64 & 1)
			ret = look_at(s, pfn, number++);
		pfn++;
	}
	return ret;
}

/* Pages of parts that were not given. */
static uint64_t uncovered(struct rt_kdump *d)
{
	uint64_t at = 0, count = 0;
	size_t i;

	for (i = 0; i < d->parts; i++) {
		if (d->part[i].first > at)
			count += rt_kdump_count(d, &d->part[0], at, d->part[i].first);
		if (d->part[i].end > at)
			at = d->part[i].end;
	}
	return count + rt_kdump_count(d, &d->part[0], at, d->part[0].pfns);
}

int rt_kdump_scan(struct rt_memory *m, rt_memory_look *look, void *arg)
{
	struct rt_kdump *d = (struct rt_kdump *)m;
	struct scan *s = calloc(1, sizeof(*s));
	size_t i;
	int ret = 0;

	if (s)
		s->window = malloc(WINDOW);
	if (!s || !s->window) {
		free(s);
		return -ENOMEM;
	}
	s->d = d;
	s->look = look;
	s->arg = arg;
	m->pages = 0;
	d->loaded = UINT64_MAX;
	m->missing = uncovered(d) * (d->block / RT_IMAGE_PAGE);
	for (i = 0; !ret && i < d->parts; i++) {
		s->part = &d->part[i];
		ret = scan_part(s);
	}
	free(s->window);
	free(s);
	return ret;
}
