// SPDX-License-Identifier: GPL-2.0
/*
 * Compressed kdumps, as makedumpfile and QEMU write them:
 *
 *	header | sub-header, notes | bitmap 1 | bitmap 2 | page descriptors | pages
 *
 * Bitmap 1 has a bit for each page of memory, bitmap 2 one for each page in the dump.  Descriptors
 * are in the order of bitmap 2.  A split dump has several such files, with the same bitmaps and the
 * descriptors of some pages each.
 *
 * Neither the bitmaps nor the descriptors are loaded: those of a large machine would not fit.
 */
#include "image/kdump.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- bitmaps --------------------------------------------------------------------- */

/* Read the bits of CHUNK.  What is missing counts as zero. */
static void load_chunk(const struct rt_kdump_part *p, uint64_t bitmap, uint64_t chunk,
		       uint64_t *bits)
{
	size_t got = p->bytes->read(p->bytes, bitmap + chunk * RT_KDUMP_CHUNK / 8, bits,
				    RT_KDUMP_CHUNK / 8);
	uint64_t pfn = chunk * RT_KDUMP_CHUNK;

	memset((char *)bits + got, 0, RT_KDUMP_CHUNK / 8 - got);
	if (p->pfns > pfn && p->pfns - pfn < RT_KDUMP_CHUNK) {
		size_t keep = p->pfns - pfn, i;

		for (i = keep; i < RT_KDUMP_CHUNK && i % 64; i++)
			bits[i / 64] &= ~(1ULL << i % 64);
		memset(bits + (keep + 63) / 64, 0, RT_KDUMP_CHUNK / 8 - (keep + 63) / 64 * 8);
	}
}

/* Set bits of the pages FIRST to END - 1, which are in one chunk. */
static uint64_t count_bits(const uint64_t *bits, uint64_t first, uint64_t end)
{
	uint64_t count = 0, i = first % RT_KDUMP_CHUNK, stop = i + (end - first), word;

	while (i < stop) {
		word = bits[i / 64] >> i % 64;
		if (stop - i < 64 - i % 64)
			word &= (1ULL << (stop - i)) - 1;
		count += __builtin_popcountll(word);
		i += 64 - i % 64;
	}
	return count;
}

const uint64_t *rt_kdump_bits(struct rt_kdump *d, struct rt_kdump_part *p, bool dumped,
			      uint64_t chunk)
{
	struct rt_kdump_bits *cache = &d->cache[dumped];

	if (cache->part != p || cache->chunk != chunk) {
		load_chunk(p, dumped ? p->dumped : p->exists, chunk, cache->bits);
		cache->part = p;
		cache->chunk = chunk;
	}
	return cache->bits;
}

static bool bit(struct rt_kdump *d, struct rt_kdump_part *p, bool dumped, uint64_t pfn)
{
	if (pfn >= p->pfns)
		return false;
	return rt_kdump_bits(d, p, dumped, pfn / RT_KDUMP_CHUNK)[pfn % RT_KDUMP_CHUNK / 64] >>
		       pfn % 64 &
	       1;
}

/* Pages from FIRST to END - 1 that the bitmap says are dumped. */
uint64_t rt_kdump_count(struct rt_kdump *d, struct rt_kdump_part *p, uint64_t first, uint64_t end)
{
	uint64_t count = 0, stop;

	if (end > p->pfns)
		end = p->pfns;
	for (; first < end; first = stop) {
		stop = (first / RT_KDUMP_CHUNK + 1) * RT_KDUMP_CHUNK;
		if (stop > end)
			stop = end;
		count += count_bits(rt_kdump_bits(d, p, true, first / RT_KDUMP_CHUNK), first, stop);
	}
	return count;
}

/* Count the descriptors before each chunk. */
static int rank(struct rt_kdump *d, struct rt_kdump_part *p)
{
	uint64_t first = p->first / RT_KDUMP_CHUNK, chunks, i, from, to;

	chunks = p->end > p->first ? (p->end - 1) / RT_KDUMP_CHUNK - first + 1 : 0;
	p->rank = calloc(chunks + 1, sizeof(*p->rank));
	if (!p->rank)
		return -ENOMEM;
	for (i = 0; i < chunks; i++) {
		from = i ? (first + i) * RT_KDUMP_CHUNK : p->first;
		to = (first + i + 1) * RT_KDUMP_CHUNK;
		p->rank[i + 1] = p->rank[i] + rt_kdump_count(d, p, from, to < p->end ? to : p->end);
	}
	return 0;
}

/* --- pages ----------------------------------------------------------------------- */

static struct rt_kdump_part *part_of(struct rt_kdump *d, uint64_t pfn)
{
	size_t i;

	for (i = 0; i < d->parts; i++)
		if (pfn >= d->part[i].first && pfn < d->part[i].end)
			return &d->part[i];
	return NULL;
}

static uint64_t number_of(struct rt_kdump *d, struct rt_kdump_part *p, uint64_t pfn)
{
	uint64_t chunk = pfn / RT_KDUMP_CHUNK, start = chunk * RT_KDUMP_CHUNK;

	if (start < p->first)
		start = p->first;
	return p->rank[chunk - p->first / RT_KDUMP_CHUNK] +
	       count_bits(rt_kdump_bits(d, p, true, chunk), start, pfn);
}

size_t rt_kdump_unpack(struct rt_kdump *d, const struct rt_kdump_page *page, const uint8_t *packed,
		       uint8_t *to, size_t room)
{
	uint32_t how = page->flags & RT_KDUMP_HOW;

	return rt_unpack(d->unpacker, how, packed, page->bytes, to, room);
}

/* Load a page into d->page; false if it is missing. */
static bool load_page(struct rt_kdump *d, uint64_t pfn)
{
	struct rt_kdump_part *p = part_of(d, pfn);
	struct rt_kdump_page page;

	if (d->loaded == pfn)
		return true;
	d->loaded = UINT64_MAX;
	if (!d->parts || pfn >= d->part[0].pfns)
		return false;
	if (!bit(d, &d->part[0], true, pfn)) {
		/* Pages full of zeros were left out; the kernel's own others were not. */
		if (!d->without_zeros || !bit(d, &d->part[0], false, pfn))
			return false;
		memset(d->page, 0, d->block);
	} else if (!p ||
		   !rt_bytes_get(p->bytes, p->pages + number_of(d, p, pfn) * sizeof(page), &page,
				 sizeof(page)) ||
		   !page.bytes || page.bytes > d->block ||
		   !rt_bytes_get(p->bytes, page.at, d->packed, page.bytes) ||
		   rt_kdump_unpack(d, &page, d->packed, d->page, d->block) != d->block) {
		return false;
	}
	d->loaded = pfn;
	return true;
}

static size_t read_kdump(struct rt_memory *m, uint64_t phys, void *to, size_t bytes)
{
	struct rt_kdump *d = (struct rt_kdump *)m;
	size_t done = 0, part, offset;

	while (done < bytes) {
		offset = (phys + done) % d->block;
		part = d->block - offset < bytes - done ? d->block - offset : bytes - done;
		if (!load_page(d, (phys + done) / d->block))
			break;
		memcpy((char *)to + done, d->page + offset, part);
		done += part;
	}
	return done;
}

static bool has(struct rt_memory *m, uint64_t phys)
{
	struct rt_kdump *d = (struct rt_kdump *)m;

	return d->parts && bit(d, &d->part[0], false, phys / d->block);
}

static void close_kdump(struct rt_memory *m)
{
	struct rt_kdump *d = (struct rt_kdump *)m;
	size_t i;

	for (i = 0; i < d->parts; i++) {
		d->part[i].bytes->close(d->part[i].bytes);
		free(d->part[i].rank);
	}
	rt_unpacker_free(d->unpacker);
	free(d->part);
	free(d->page);
	free(d->packed);
	free(d);
}

static const struct rt_memory_ops ops = {
	.scan = rt_kdump_scan,
	.read = read_kdump,
	.has = has,
	.close = close_kdump,
};

/* --- opening --------------------------------------------------------------------- */

/* The same for all architectures of 64 bits; the gap is their struct timeval. */
struct header {
	char signature[8];
	uint32_t version;
	char utsname[6][65];
	char gap[22];
	uint32_t status, block, sub_blocks, bitmap_blocks, max_pfn;
};

struct sub_header {
	uint64_t phys_base;
	uint32_t level, split;
	uint64_t first, end, notes[6], first_64, end_64, max_pfn_64;
};

static int check(struct rt_kdump *d, const struct header *h, struct rt_err *err)
{
	if (h->block < 4096 || h->block > 65536 || h->block & (h->block - 1))
		return rt_err_set(err, EINVAL,
				  "damaged kdump header: pages of %u bytes; dump the machine again",
				  h->block);
	if (d->block && d->block != h->block)
		return rt_err_set(err, EINVAL, "these files are not parts of one split dump");
	d->block = h->block;
	return 0;
}

static int open_part(struct rt_kdump *d, struct rt_bytes *bytes, struct rt_err *err)
{
	struct rt_kdump_part *p = &d->part[d->parts];
	struct sub_header sub = { 0 };
	struct header h;
	uint64_t all;
	int ret;

	if (!rt_bytes_get(bytes, 0, &h, sizeof(h)) || memcmp(h.signature, "KDUMP   ", 8))
		return 1;
	ret = check(d, &h, err);
	if (ret)
		return ret;
	bytes->read(bytes, h.block, &sub, sizeof(sub));
	p->bytes = bytes;
	p->pfns = h.version >= 6 ? sub.max_pfn_64 : h.max_pfn;
	all = (uint64_t)h.bitmap_blocks * h.block;
	p->exists = (1ULL + h.sub_blocks) * h.block;
	p->dumped = all * 8 >= 2 * p->pfns ? p->exists + all / 2 : p->exists;
	p->pages = p->exists + all;
	if (p->pfns > RT_KDUMP_PAGES_MAX)
		p->pfns = RT_KDUMP_PAGES_MAX;
	if (p->pfns > (p->pages - p->dumped) * 8)
		p->pfns = (p->pages - p->dumped) * 8;
	/* A bitmap longer than its file is no bitmap. */
	if (p->dumped > bytes->size || p->pfns / 8 > bytes->size - p->dumped)
		p->pfns = p->dumped > bytes->size ? 0 : (bytes->size - p->dumped) * 8;
	p->end = p->pfns;
	if (h.version >= 3 && sub.split) {
		p->first = h.version >= 6 ? sub.first_64 : sub.first;
		p->end = h.version >= 6 ? sub.end_64 : sub.end;
		if (p->end > p->pfns)
			p->end = p->pfns;
		if (p->first > p->end)
			p->first = p->end;
	}
	d->without_zeros |= sub.level & 1;
	d->incomplete |= !!(h.status & RT_KDUMP_INCOMPLETE);
	d->parts++;
	return rank(d, p) ? rt_err_set(err, ENOMEM, "out of memory") : 0;
}

static int by_first(const void *a, const void *b)
{
	const struct rt_kdump_part *x = a, *y = b;

	return x->first < y->first ? -1 : x->first > y->first;
}

int rt_memory_kdump(struct rt_bytes *const *bytes, size_t count, struct rt_memory **out,
		    struct rt_err *err)
{
	struct rt_kdump *d;
	char signature[8];
	size_t i;
	int ret = 0;

	if (!rt_bytes_get(bytes[0], 0, signature, 8) || memcmp(signature, "KDUMP   ", 8))
		return 1;
	d = calloc(1, sizeof(*d));
	if (!d)
		return rt_err_set(err, ENOMEM, "out of memory");
	d->memory.ops = &ops;
	d->loaded = UINT64_MAX;
	d->part = calloc(count, sizeof(*d->part));
	d->unpacker = rt_unpacker_new();
	if (!d->part || !d->unpacker)
		ret = rt_err_set(err, ENOMEM, "out of memory");
	for (i = 0; !ret && i < count; i++) {
		ret = open_part(d, bytes[i], err);
		if (ret > 0)
			ret = rt_err_set(err, EINVAL,
					 "these files are not parts of one split dump");
	}
	d->page = malloc(d->block + 1);
	d->packed = malloc(d->block + 1);
	if (!ret && (!d->page || !d->packed))
		ret = rt_err_set(err, ENOMEM, "out of memory");
	if (ret) {
		d->parts = 0; /* the caller keeps the bytes */
		for (i = 0; d->part && i < count; i++)
			free(d->part[i].rank);
		close_kdump(&d->memory);
		return ret;
	}
	qsort(d->part, d->parts, sizeof(*d->part), by_first);
	memset(d->cache, 0, sizeof(d->cache));
	snprintf(d->memory.format, sizeof(d->memory.format), "compressed kdump%s%s",
		 d->parts > 1 ? ", split" : "", d->incomplete ? ", incomplete" : "");
	*out = &d->memory;
	return 0;
}
