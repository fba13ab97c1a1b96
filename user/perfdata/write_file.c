// SPDX-License-Identifier: GPL-2.0
/*
 * The file: header, ids, attrs, records, feature sections; and how it can be killed.
 *
 * perf looks for the table of the feature sections right behind the records, and
 * without the formats in TRACING_DATA it refuses a file with tracepoints.  So a file
 * that merely has no end yet cannot be read.  Ours can, at any moment:
 *
 *	header ids attrs early-sections | records … C records … C records … C
 *
 * The sections that are known from the beginning lie in front of the records.  A
 * checkpoint C is the table of those sections, followed by the build-ids learned so
 * far.  The sizes in the header point to the last C; everything in front of it is
 * records.  To move on, new records are written behind the last C and a new C behind
 * those, both invisible as yet.  Then eight bytes at the front of the old C make it
 * a record (of a type that every perf steps over) that covers it wholly, and the
 * next write to the header makes the new C the last.  Whenever the recording is killed,
 * the file is whole, except between those last two writes, about a microsecond in
 * each second.
 *
 * A recording that ends well gets its table and all its sections last, as perf
 * does it.
 */
#include "perfdata/write.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { CHECKPOINT_MAX = 65528 }; /* the longest record */

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

/* Everything in front of the records. */
static void put_front(struct rt_writer *w, struct rt_section *s)
{
	struct rt_file_section ids = { RT_FILE_HEADER_SIZE, 0 };
	struct rt_file_header *h = &w->header;
	const struct rt_write_event *ev;
	unsigned i;

	rt_section_zero(s, RT_FILE_HEADER_SIZE);
	for (i = 0; i < w->event_count; i++) {
		ev = &w->events[i];
		rt_section_put(s, ev->ids, ev->ids_count * sizeof(*ev->ids));
	}

	h->magic = RT_MAGIC2;
	h->size = RT_FILE_HEADER_SIZE;
	h->attr_size = w->attr_size + sizeof(struct rt_file_section);
	h->attrs.offset = s->size;
	h->attrs.size = w->event_count * h->attr_size;
	for (i = 0; i < w->event_count; i++) {
		ev = &w->events[i];
		ids.size = ev->ids_count * sizeof(*ev->ids);
		rt_write_attr(w, ev, s);
		rt_section_put(s, &ids, sizeof(ids));
		ids.offset += ids.size;
	}

	for (i = 1; i < RT_FEATURE_COUNT; i++) {
		w->features[i].offset = s->size;
		if (rt_write_feature(w, i, RT_WRITE_EARLY, s))
			w->features[i].size = s->size - w->features[i].offset;
		rt_section_align(s);
	}
	h->data.offset = s->size;
	w->data_offset = s->size;
}

/* Make the last checkpoint a record, and let the header tell of all that is there now. */
static int move_on(struct rt_writer *w, const uint64_t *bits)
{
	struct rt_record_header cover = {
		.type = RT_RECORD_HEADER_EVENT_TYPE,
		.size = w->settled_end - w->settled,
	};
	int ret = 0;

	if (w->settled_end)
		ret = rt_write_all(w, &cover, sizeof(cover), w->settled);
	if (ret)
		return ret;
	w->header.data.size = w->pos - w->data_offset;
	memcpy(w->header.features, bits, sizeof(w->header.features));
	ret = rt_write_all(w, &w->header, sizeof(w->header), 0);
	if (ret && w->settled_end)
		rt_write_all(w, &w->settled_word, sizeof(w->settled_word), w->settled);
	return ret;
}

/* The build-ids that are known by now, as many as a record holds, the kernel's first. */
static void put_late(struct rt_writer *w, struct rt_section *s, size_t table, uint64_t base)
{
	struct rt_file_section *f = &w->features[RT_FEATURE_BUILD_ID];
	struct rt_section ids = { 0 };
	size_t i, fit = 0;

	for (i = 0; i < w->dsos.count; i++) {
		if (!w->dsos.list[i].id.size)
			continue;
		rt_write_dso_entry(&w->dsos.list[i], &ids);
		if (table + ids.size > CHECKPOINT_MAX)
			break;
		fit = ids.size;
	}
	if (fit && !ids.failed) {
		f->offset = base + table;
		f->size = fit;
		rt_section_put(s, ids.data, fit);
	}
	rt_section_free(&ids);
}

/* See the head of this file.  The buffer is empty. */
static int checkpoint(struct rt_writer *w)
{
	uint64_t bits[RT_FEATURE_BITS / 64] = { 0 };
	struct rt_section table = { 0 }, late = { 0 };
	unsigned i, count = 0;
	bool more = w->dsos.count != w->dsos_settled;
	size_t size;
	int ret;

	for (i = 1; i < RT_FEATURE_COUNT; i++)
		count += w->features[i].size || (more && i == RT_FEATURE_BUILD_ID);
	if (more)
		put_late(w, &late, count * sizeof(struct rt_file_section), w->pos);

	for (i = 1; i < RT_FEATURE_COUNT; i++) {
		if (!w->features[i].size)
			continue;
		set_feature(bits, i);
		rt_section_put(&table, &w->features[i], sizeof(w->features[i]));
	}
	rt_section_put(&table, late.data, late.size);
	rt_section_align(&table);
	if (table.failed || late.failed) {
		ret = rt_write_fail(w, ENOMEM, "no memory for the header of %s", w->path);
		goto out;
	}

	size = table.size;
	ret = rt_write_all(w, table.data, size, w->pos);
	if (!ret)
		ret = move_on(w, bits);
	if (ret) {
		ret = rt_write_fail(w, ret, "cannot write %s: %s", w->path, strerror(-ret));
		goto out;
	}
	memcpy(&w->settled_word, table.data, sizeof(w->settled_word));
	w->settled = w->pos;
	w->settled_end = w->pos = w->pos + size;
	w->settled_at = now();
	w->dsos_settled = w->dsos.count;
out:
	rt_section_free(&table);
	rt_section_free(&late);
	return ret;
}

/* What was recorded under this name before stays, as with perf: FILE.old. */
static int set_aside(struct rt_writer *w)
{
	struct stat st;
	char *old;
	int fd;

	if (w->created)
		return 0;
	/* Behind a link is a file that somebody chose for it. */
	if (lstat(w->path, &st) || !S_ISREG(st.st_mode) || !st.st_size) {
		if (!ftruncate(w->fd, 0))
			return 0;
		return rt_write_fail(w, errno, "cannot empty %s: %s", w->path, strerror(errno));
	}
	if (asprintf(&old, "%s.old", w->path) < 0)
		return rt_write_fail(w, ENOMEM, "no memory to write %s", w->path);
	if (rename(w->path, old)) {
		rt_write_fail(w, errno, "cannot keep %s as %s: %s; record to another file with -o",
			      w->path, old, strerror(errno));
		goto out;
	}
	fd = open(w->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0 || dup3(fd, w->fd, O_CLOEXEC) < 0)
		rt_write_fail(w, errno, "cannot open %s for writing: %s", w->path, strerror(errno));
	if (fd >= 0)
		close(fd);
out:
	free(old);
	return w->failed;
}

int rt_write_file_begin(struct rt_writer *w)
{
	struct rt_section s = { 0 };
	int ret;

	put_front(w, &s);
	if (s.failed)
		return rt_write_fail(w, ENOMEM, "no memory for the header of %s", w->path);
	ret = set_aside(w);
	if (ret) {
		rt_section_free(&s);
		return ret;
	}
	ret = rt_write_all(w, s.data, s.size, 0);
	if (ret)
		rt_write_fail(w, ret, "cannot write %s: %s", w->path, strerror(-ret));
	w->pos = s.size;
	rt_section_free(&s);
	/* perf does not like a file without any record: the first checkpoint is one for the second. */
	return ret || checkpoint(w) ? w->failed : checkpoint(w);
}

int rt_write_file_round(struct rt_writer *w)
{
	if (now() - w->settled_at < w->checkpoint_ns)
		return 0;
	return rt_write_flush(w) ? w->failed : checkpoint(w);
}

/* The table and the sections behind the records that end at pos. */
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
		ret = move_on(w, bits);
	rt_section_free(&table);
	rt_section_free(&body);
	return ret;
}

int rt_write_file_end(struct rt_writer *w)
{
	int ret;

	if (w->failed && !w->settled_end)
		return w->failed;
	if (w->failed || rt_write_flush(w)) {
		/* Give back what is behind the last whole state, and end the file there. */
		w->pos = w->settled_end;
		if (ftruncate(w->fd, w->pos))
			return w->failed;
	}
	ret = write_features(w);
	if (!ret)
		return w->failed;
	/* The last checkpoint has sections of its own. */
	if (ftruncate(w->fd, w->settled_end))
		return w->failed;
	return rt_write_fail(w, ret, "%s: %s: the file is whole up to byte %llu and ends there",
			     w->path, strerror(-ret), (unsigned long long)w->settled);
}
