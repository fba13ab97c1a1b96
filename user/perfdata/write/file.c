// SPDX-License-Identifier: GPL-2.0
/*
 * The file: header, ids, attrs, records, feature sections; and how it survives a kill.
 *
 * perf looks for the table of the feature sections directly behind the records, and without the
 * formats in TRACING_DATA it refuses a file with tracepoints.  So perf cannot read an ordinary file
 * that has no end yet.  It can read ringtail's at any moment:
 *
 *	header ids attrs early-sections | records … C records … C records … C
 *
 * The sections that are known from the beginning lie in front of the records.  A checkpoint C is
 * the table of those sections, followed by the build-ids learned so far.  The sizes in the header
 * point to the last C; everything in front of it is records.  To advance, the writer appends new
 * records behind the last C and a new C behind those, both still invisible; then one write of the
 * header makes the new C the last.
 *
 * The old C then lies among the records and must be one itself.  So each C is preceded by the head
 * of a record that covers it, of a type that every perf skips.  The data size in the header ends
 * behind this head.  perf accepts the last record whole, whatever it covers, and looks for the
 * table directly behind the head.  Thus the writer never changes anything that a header has pointed
 * to, and the file is complete whenever the recording is killed.
 *
 * If events are added while it records, the front is written again, into one of two places that are
 * kept free behind the first one: always into the one to which the header does not point.
 *
 * If a recording ends normally, the writer appends its table and all its sections last, as perf
 * does.
 */
#include "perfdata/write/internal.h"

#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "perfdata/raw.h"

enum {
	CHECKPOINT_MAX = 65528, /* the longest record */
	FRONT_MIN = 1024,	/* size of a checkpoint without build-ids */
};

static uint64_t page_size(void)
{
	long size = sysconf(_SC_PAGESIZE);

	return size > 0 ? size : 4096;
}

static void set_feature(uint64_t *bits, unsigned feature)
{
	bits[feature / 64] |= 1ULL << (feature % 64);
}

static uint64_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

/* Make everything in front of the records; it will be at BASE, where the ids begin. */
static void put_front(struct rt_writer *w, struct rt_section *s, uint64_t base)
{
	struct rt_file_section ids = { base, 0 };
	struct rt_file_header *h = &w->header;
	const struct rt_file_event *ev;
	unsigned i;
	size_t at;

	for (i = 0; i < w->event_count; i++) {
		ev = &w->events[i];
		rt_section_put(s, ev->ids, ev->ids_count * sizeof(*ev->ids));
	}

	h->magic = w->raw ? RT_RAW_MAGIC : RT_MAGIC2;
	h->size = RT_FILE_HEADER_SIZE;
	h->attr_size = w->attr_size + sizeof(struct rt_file_section);
	h->attrs.offset = base + s->size;
	h->attrs.size = w->event_count * h->attr_size;
	for (i = 0; i < w->event_count; i++) {
		ev = &w->events[i];
		ids.size = ev->ids_count * sizeof(*ev->ids);
		rt_write_attr(w, ev, s);
		rt_section_put(s, &ids, sizeof(ids));
		ids.offset += ids.size;
	}

	for (i = 1; i < RT_FEATURE_COUNT; i++) {
		at = s->size;
		if (rt_write_feature(w, i, RT_WRITE_EARLY, s)) {
			w->features[i].offset = base + at;
			w->features[i].size = s->size - at;
		}
		rt_section_align(s);
	}
}

/* The first front, from the beginning of the file, and where the records begin. */
static void put_beginning(struct rt_writer *w, struct rt_section *s)
{
	struct rt_section front = { 0 };

	put_front(w, &front, RT_FILE_HEADER_SIZE);
	rt_section_zero(s, RT_FILE_HEADER_SIZE);
	rt_section_put(s, front.data, front.size);
	s->failed |= front.failed;
	rt_section_free(&front);
	/* perf accepts a record that exceeds the data only if a page lies in front of it. */
	if (s->size < page_size() + FRONT_MIN)
		rt_section_zero(s, page_size() + FRONT_MIN - s->size);
	w->front_size = s->size;
	if (w->room)
		w->room = align8(w->room + s->size);
	w->header.data.offset = w->data_offset = s->size + 2 * w->room;
}

/* Write the front again, with the events that were added; the next header points to it. */
static int renew_front(struct rt_writer *w)
{
	uint64_t base = w->data_offset - (w->front_second ? 2 : 1) * w->room;
	struct rt_section s = { 0 };
	struct rt_err err;
	int ret;

	if (!w->front_stale)
		return 0;
	rt_section_free(&w->tracing);
	ret = rt_write_tracing(w, &err);
	put_front(w, &s, base);
	if (!ret && s.failed)
		ret = -ENOMEM;
	if (!ret)
		ret = s.size > w->room ? -E2BIG : rt_write_all(w, s.data, s.size, base);
	rt_section_free(&s);
	if (ret)
		return rt_write_fail(w, ret, "cannot write %s: %s", w->path, strerror(-ret));
	w->front_second = !w->front_second;
	w->front_stale = false;
	return 0;
}

int rt_write_file_grow(struct rt_writer *w, const struct rt_file_event *ev, struct rt_err *err)
{
	/* Its name is in the attribute's description as well. */
	uint64_t size = 2 * strlen(ev->name) + FRONT_MIN + (ev->format ? strlen(ev->format) : 0);

	if (w->front_size + size > w->room)
		return rt_err_set(err, E2BIG, "%s: no room is left for the event %s", w->path,
				  ev->name);
	w->front_size += size;
	w->front_stale = true;
	return rt_write_events_settle(w, err);
}

/*
 * Write a header that covers everything written so far; TABLE is the position of the feature table.
 */
static int move_on(struct rt_writer *w, uint64_t table, const uint64_t *bits)
{
	w->header.data.size = table - w->data_offset;
	memcpy(w->header.features, bits, sizeof(w->header.features));
	return rt_write_all(w, &w->header, sizeof(w->header), 0);
}

static bool more_dsos(const struct rt_writer *w)
{
	return w->dsos.count != w->dsos_settled;
}

/*
 * Add the build-ids known by now, as many as fit into a record, the kernel's first; they lie AHEAD
 * bytes behind the records.
 */
static void put_late(struct rt_writer *w, struct rt_section *s, size_t ahead)
{
	struct rt_file_section *f = &w->features[RT_FEATURE_BUILD_ID];
	struct rt_section ids = { 0 };
	uint64_t limit = w->pos - page_size();
	size_t i, fit = 0;

	if (limit > CHECKPOINT_MAX)
		limit = CHECKPOINT_MAX;
	for (i = 0; i < w->dsos.count; i++) {
		if (!w->dsos.list[i].id.len)
			continue;
		rt_write_dso_entry(&w->dsos.list[i], &ids);
		if (ahead + ids.size > limit)
			break;
		fit = ids.size;
	}
	if (fit && !ids.failed) {
		f->offset = w->pos + ahead;
		f->size = fit;
		rt_section_put(s, ids.data, fit);
	}
	rt_section_free(&ids);
}

static int sync_file(struct rt_writer *w)
{
	return w->sync && fdatasync(w->fd) ? -errno : 0;
}

/* See the head of this file.  The buffer must be empty. */
static int checkpoint(struct rt_writer *w)
{
	struct rt_perf_record_header cover = { .type = RT_PERF_RECORD_HEADER_EVENT_TYPE };
	uint64_t bits[RT_FEATURE_BITS / 64] = { 0 };
	struct rt_section s = { 0 }, late = { 0 };
	size_t size = sizeof(cover);
	unsigned i;
	int ret = renew_front(w);

	if (ret)
		return ret;
	for (i = 1; i < RT_FEATURE_COUNT; i++)
		if (w->features[i].size || (i == RT_FEATURE_BUILD_ID && more_dsos(w)))
			size += sizeof(w->features[i]);
	if (more_dsos(w))
		put_late(w, &late, size);

	rt_section_zero(&s, sizeof(cover));
	for (i = 1; i < RT_FEATURE_COUNT; i++) {
		if (!w->features[i].size)
			continue;
		set_feature(bits, i);
		rt_section_put(&s, &w->features[i], sizeof(w->features[i]));
	}
	rt_section_put(&s, late.data, late.size);
	rt_section_align(&s);
	if (s.failed || late.failed) {
		ret = rt_write_fail(w, ENOMEM, "no memory for the header of %s", w->path);
		goto out;
	}
	cover.size = s.size;
	memcpy(s.data, &cover, sizeof(cover));
	ret = rt_write_all(w, s.data, s.size, w->pos);
	/* On disk too, the header must not point to data that is not there yet. */
	if (!ret)
		ret = sync_file(w);
	if (!ret)
		ret = move_on(w, w->pos + sizeof(cover), bits);
	if (!ret)
		ret = sync_file(w);
	if (ret) {
		ret = rt_write_fail(w, ret, "cannot write %s: %s", w->path, strerror(-ret));
		goto out;
	}
	w->settled_end = w->pos = w->pos + s.size;
	w->settled_at = now();
	w->settled_samples = w->flushed_samples;
	w->dsos_settled = w->dsos.count;
out:
	rt_section_free(&s);
	rt_section_free(&late);
	return ret;
}

int rt_write_file_begin(struct rt_writer *w)
{
	struct rt_section s = { 0 };
	int ret;

	put_beginning(w, &s);
	ret = s.failed ? -ENOMEM : rt_write_all(w, s.data, s.size, 0);
	if (ret)
		rt_write_fail(w, ret, "cannot write %s: %s", w->path, strerror(-ret));
	w->pos = w->piece_cut = w->data_offset;
	rt_section_free(&s);
	/* perf rejects a file without records, so write a note. */
	return ret || rt_write_note(w, RT_NOTE_BEGIN) || rt_write_flush(w) ? w->failed :
									     checkpoint(w);
}

bool rt_write_file_due(const struct rt_writer *w)
{
	return w->pos + w->used != w->settled_end && now() - w->settled_at >= w->checkpoint_ns;
}

int rt_write_file_round(struct rt_writer *w)
{
	if (!rt_write_file_due(w))
		return 0;
	return rt_write_note(w, RT_NOTE_SO_FAR) || rt_write_flush(w) ? w->failed : checkpoint(w);
}

/* Write the table and the sections behind the records, which end at pos. */
static int write_features(struct rt_writer *w)
{
	struct rt_section table = { 0 }, body = { 0 };
	struct rt_file_section at[RT_FEATURE_COUNT];
	uint64_t bits[RT_FEATURE_BITS / 64] = { 0 };
	unsigned i, count = 0;
	uint64_t start;
	int ret;

	for (i = 1; i < RT_FEATURE_COUNT; i++) {
		at[count].offset = body.size;
		if (!rt_write_feature(w, i, RT_WRITE_LATE, &body))
			continue;
		at[count].size = body.size - at[count].offset;
		set_feature(bits, i);
		count++;
	}
	start = w->pos + count * sizeof(*at);
	for (i = 0; i < count; i++)
		at[i].offset += start;
	rt_section_put(&table, at, count * sizeof(*at));
	rt_section_put(&table, body.data, body.size);
	ret = table.failed || body.failed ? -ENOMEM :
					    rt_write_all(w, table.data, table.size, w->pos);
	if (!ret)
		ret = move_on(w, w->pos, bits);
	rt_section_free(&table);
	rt_section_free(&body);
	return ret;
}

/*
 * Keep what was written, except for the room that the end of the file needs; the error says how
 * many events are missing.
 */
static int cut(struct rt_writer *w)
{
	uint64_t all = w->total ? w->total : w->stats.samples;
	bool far = w->cut > w->settled_end;

	w->pos = far ? w->cut : w->settled_end;
	rt_write_empty(w);
	w->stats.samples = w->flushed_samples = far ? w->cut_samples : w->settled_samples;
	/* Set the total, so that the final note counts the missing events. */
	w->total = all;
	rt_write_missing(w, w->stats.samples);
	return ftruncate(w->fd, w->pos);
}

/* End a file on a full disk: a note, and the sections that are already in front. */
static int end_short(struct rt_writer *w)
{
	int failed = w->failed, ret;

	w->failed = 0;
	ret = rt_write_note(w, RT_NOTE_END) || rt_write_flush(w) || checkpoint(w);
	w->failed = failed;
	return ret;
}

int rt_write_file_end(struct rt_writer *w)
{
	int ret;

	if (w->failed && !w->settled_end)
		return w->failed;
	if (!w->failed && !rt_write_flush(w) && !renew_front(w)) {
		ret = write_features(w);
		if (!ret)
			return sync_file(w) ? rt_write_fail(w, errno, "cannot write %s: %s",
							    w->path, strerror(errno)) :
					      0;
		/* The records and the note are written, so the early sections are enough. */
		if (!ftruncate(w->fd, w->pos) && !checkpoint(w))
			return 0;
		rt_write_fail(w, ret, "cannot write %s: %s", w->path, strerror(-ret));
	}
	/* If anything fails here, the header still points to the last checkpoint. */
	if (cut(w) || end_short(w))
		ret = ftruncate(w->fd, w->settled_end);
	return w->failed;
}
