// SPDX-License-Identifier: GPL-2.0
#include "raw/walk.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "agent/subbuf.h"

#define KEEP (64UL << 20) /* bytes behind the position whose pages stay; a power of two */

int rt_raw_walk_open(struct rt_raw_walk *w, int fd, uint64_t offset, const char *path,
		     struct rt_err *err)
{
	struct stat st;
	void *map;

	memset(w, 0, sizeof(*w));
	if (fstat(fd, &st))
		return rt_err_set(err, errno, "cannot read %s: %s", path, strerror(errno));
	if (offset > (uint64_t)st.st_size || offset % 8)
		return rt_err_set(err, EBADMSG, "%s: its data lies outside of the file", path);
	map = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (map == MAP_FAILED)
		return rt_err_set(err, errno, "cannot map %s: %s", path, strerror(errno));
	madvise(map, st.st_size, MADV_SEQUENTIAL);
	w->map = map;
	w->size = st.st_size;
	w->at = offset;
	return 0;
}

void rt_raw_walk_close(struct rt_raw_walk *w)
{
	if (w->map)
		munmap((void *)w->map, w->size);
	w->map = NULL;
}

/* Pages that are needed again are read again. */
static void let_go(struct rt_raw_walk *w)
{
	size_t upto = w->at > KEEP ? (w->at - KEEP) & ~(KEEP - 1) : 0;

	if (upto <= w->given_back)
		return;
	madvise((void *)(w->map + w->given_back), upto - w->given_back, MADV_DONTNEED);
	w->given_back = upto;
}

/* --- one record -------------------------------------------------------------------- */

static bool checks(const void *data, size_t size, size_t checksum_at)
{
	uint8_t copy[128];
	uint64_t sum;

	memcpy(copy, data, size);
	memcpy(&sum, copy + checksum_at, sizeof(sum));
	memset(copy + checksum_at, 0, sizeof(sum));
	return rt_raw_checksum(copy, size) == sum;
}

static bool is_piece(const struct rt_perf_record_header *hdr)
{
	const struct rt_raw_piece *p = (const void *)hdr;

	return hdr->size == sizeof(*p) && p->magic == RT_RAW_PIECE_MAGIC &&
	       checks(p, sizeof(*p), offsetof(struct rt_raw_piece, checksum)) && p->from < p->to &&
	       p->to <= RT_SUBBUF_BYTES_MAX && !(p->from % 4) && !(p->to % 4) &&
	       (p->from || p->to >= sizeof(struct rt_subbuf)) && p->cpu < RT_CPUS_MAX;
}

static bool is_event(const struct rt_perf_record_header *hdr)
{
	const struct rt_raw_event *e = (const void *)hdr;

	return hdr->size == sizeof(*e) && e->magic == RT_RAW_EVENT_MAGIC &&
	       checks(e, sizeof(*e), offsetof(struct rt_raw_event, checksum));
}

/* The records of ringtail's writer, with the fewest bytes that they have, times included. */
static bool is_plain(const struct rt_perf_record_header *hdr)
{
	enum { TIMES = 24 };
	static const uint16_t least[RT_PERF_RECORD_KERNEL_MAX] = {
		[RT_PERF_RECORD_MMAP] = sizeof(struct rt_perf_record_mmap) + TIMES,
		[RT_PERF_RECORD_MMAP2] = sizeof(struct rt_perf_record_mmap2) + TIMES,
		[RT_PERF_RECORD_COMM] = sizeof(struct rt_perf_record_comm) + TIMES,
		[RT_PERF_RECORD_FORK] = sizeof(struct rt_perf_record_task) + TIMES,
		[RT_PERF_RECORD_EXIT] = sizeof(struct rt_perf_record_task) + TIMES,
		[RT_PERF_RECORD_LOST] = sizeof(struct rt_perf_record_lost) + TIMES,
		[RT_PERF_RECORD_LOST_SAMPLES] = sizeof(struct rt_perf_record_lost_samples) + TIMES,
	};

	return hdr->type < RT_PERF_RECORD_KERNEL_MAX && least[hdr->type] &&
	       hdr->size >= least[hdr->type];
}

/* Whether the record is one of a raw recording, as far as its head tells. */
static bool is_record(const struct rt_perf_record_header *hdr)
{
	switch (hdr->type) {
	case RT_RAW_RECORD_PIECE:
		return is_piece(hdr);
	case RT_RAW_RECORD_EVENT:
		return is_event(hdr);
	case RT_PERF_RECORD_FINISHED_ROUND:
		return hdr->size == sizeof(*hdr);
	case RT_PERF_RECORD_HEADER_EVENT_TYPE: /* a note, or what covers a checkpoint */
		return true;
	default:
		return is_plain(hdr);
	}
}

static bool take_piece(struct rt_raw_walk *w, struct rt_raw_item *item)
{
	const struct rt_raw_piece *p = (const void *)item->hdr;
	size_t bytes = p->to - p->from, padded = (bytes + 7) & ~(size_t)7;

	item->bytes = w->map + w->at;
	item->size = bytes;
	w->at += padded;
	if (w->at <= w->size)
		return true;
	w->cut = true;
	item->size = (w->size - (w->at - padded)) & ~(size_t)3;
	w->at = w->size;
	return item->size && (p->from || item->size >= sizeof(struct rt_subbuf));
}

/* --- damage ------------------------------------------------------------------------ */

/* Whether a record that is recognised by its magic number begins at this offset. */
static bool begins(const struct rt_raw_walk *w, size_t at)
{
	const struct rt_perf_record_header *hdr = (const void *)(w->map + at);
	uint64_t magic;

	if (w->size - at < sizeof(*hdr) + sizeof(magic))
		return false;
	memcpy(&magic, hdr + 1, sizeof(magic));
	if (magic == RT_RAW_PIECE_MAGIC)
		return hdr->type == RT_RAW_RECORD_PIECE &&
		       w->size - at >= sizeof(struct rt_raw_piece) && is_piece(hdr);
	return magic == RT_NOTE_MAGIC && hdr->type == RT_PERF_RECORD_HEADER_EVENT_TYPE &&
	       hdr->size == sizeof(struct rt_perf_record_note);
}

/* Whether nothing begins behind this place. */
static bool is_end(const struct rt_raw_walk *w)
{
	size_t at;

	for (at = w->at; at < w->size; at += 8)
		if (begins(w, at))
			return false;
	return true;
}

/* False: nothing is behind it. */
static bool find_next(struct rt_raw_walk *w)
{
	for (w->at += 8; w->at < w->size; w->at += 8)
		if (begins(w, w->at))
			return true;
	w->at = w->size;
	return false;
}

void rt_raw_walk_damage(struct rt_raw_walk *w, uint64_t offset, uint64_t skipped)
{
	if (!w->damages++ || offset < w->first_damage)
		w->first_damage = offset;
	w->skipped += skipped;
}

static void skip_damage(struct rt_raw_walk *w)
{
	const struct rt_perf_record_header *hdr = (const void *)(w->map + w->at);
	size_t from = w->at;

	/* A record that is longer than the rest of the file was cut, not damaged. */
	if (!find_next(w) && hdr->size % 8 == 0 && hdr->size > w->size - from) {
		w->cut = true;
		return;
	}
	rt_raw_walk_damage(w, from, w->at - from);
}

static void take_note(struct rt_raw_walk *w, const struct rt_perf_record_note *note)
{
	if (note->hdr.size != sizeof(*note) || note->magic != RT_NOTE_MAGIC ||
	    note->kind == RT_NOTE_LOST || note->kind == RT_NOTE_OFF)
		return;
	/* Another kind of note whose kind is damaged: it would hide the rest of the file. */
	if (note->kind == RT_NOTE_END && !is_end(w)) {
		rt_raw_walk_damage(w, (const uint8_t *)note - w->map, sizeof(*note));
		return;
	}
	w->last = *note;
	w->noted = true;
	w->closed = note->kind == RT_NOTE_END;
}

bool rt_raw_walk_next(struct rt_raw_walk *w, struct rt_raw_item *item)
{
	const struct rt_perf_record_header *hdr;

	while (!w->closed && w->at < w->size) {
		hdr = (const void *)(w->map + w->at);
		if (w->size - w->at < sizeof(*hdr)) {
			w->cut = true;
			break;
		}
		if (hdr->size < sizeof(*hdr) || hdr->size % 8) {
			skip_damage(w);
			continue;
		}
		if (hdr->size > w->size - w->at) {
			/* The end of the file, or a wrong size far in front of it. */
			skip_damage(w);
			continue;
		}
		if (!is_record(hdr)) {
			skip_damage(w);
			continue;
		}
		*item = (struct rt_raw_item){ .hdr = hdr, .offset = w->at };
		w->at += hdr->size;
		if (hdr->type == RT_PERF_RECORD_HEADER_EVENT_TYPE)
			take_note(w, (const void *)hdr);
		if (hdr->type == RT_RAW_RECORD_PIECE && !take_piece(w, item))
			break;
		let_go(w);
		return true;
	}
	return false;
}
