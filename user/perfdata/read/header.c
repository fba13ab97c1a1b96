// SPDX-License-Identifier: GPL-2.0
/*
 * header.c - parse the header of a file: events, position of the data and the features.
 * Everything in it is checked against the file's size.
 */
#include "perfdata/read/internal.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#define OLD_HEADER_SIZE 72 /* before features */

/* Whether [offset, offset + size) is inside the file. */
static bool inside(const struct rt_data_file *src, uint64_t offset, uint64_t size)
{
	return offset <= src->map_size && size <= src->map_size - offset;
}

static void swap_words(void *data, size_t size)
{
	uint64_t *w = data;

	for (; size >= sizeof(*w); size -= sizeof(*w), w++)
		*w = __builtin_bswap64(*w);
}

static void swap_halves(void *data, size_t size)
{
	uint32_t *w = data;

	for (; size >= sizeof(*w); size -= sizeof(*w), w++)
		*w = __builtin_bswap32(*w);
}

/*
 * The feature bits are an array of longs of the recording machine, and the file does not give their
 * size.  Try 64 bits, then 32, and check for HOSTNAME, which every perf with features wrote.
 */
static void swap_features(struct rt_file_header *h)
{
	const uint64_t hostname = 1ULL << RT_FEATURE_HOSTNAME;

	swap_words(h->features, sizeof(h->features));
	if (h->features[0] & hostname)
		return;
	swap_words(h->features, sizeof(h->features));
	swap_halves(h->features, sizeof(h->features));
	if (h->features[0] & hostname)
		return;
	memset(h->features, 0, sizeof(h->features));
	h->features[0] = 1ULL << RT_FEATURE_BUILD_ID;
}

static int read_attr(struct rt_reader *r, const uint8_t *entry, uint64_t room, struct rt_err *err)
{
	struct rt_data_file *src = &r->sources[0];
	struct rt_file_section ids;
	struct rt_perf_event *event;
	struct rt_attr attr;
	uint64_t i;
	int size;

	size = rt_attr_read(entry, room - sizeof(ids), r->swapped, &attr);
	if (size < 0)
		return rt_err_set(err, EBADMSG,
				  "%s: the event attribute at offset %#llx has an impossible size",
				  src->path, (unsigned long long)(entry - src->map));
	ids.offset = load64(entry + size, r->swapped);
	ids.size = load64(entry + size + 8, r->swapped);
	if (!inside(src, ids.offset, ids.size))
		return rt_err_set(
			err, EBADMSG,
			"%s: the ids of event %zu lie outside of the file; it is truncated "
			"or damaged",
			src->path, r->events.count);
	event = rt_perf_events_add(r, &attr);
	if (!event)
		return rt_err_set(err, ENOMEM, "no memory for the events of %s", src->path);
	for (i = 0; i + 8 <= ids.size; i += 8)
		if (rt_perf_events_add_id(r, event, load64(src->map + ids.offset + i, r->swapped)))
			return rt_err_set(err, ENOMEM, "no memory for the ids of %s", src->path);
	return size + (int)sizeof(ids);
}

static int read_attrs(struct rt_reader *r, struct rt_err *err)
{
	const struct rt_file_header *h = &r->header;
	struct rt_data_file *src = &r->sources[0];
	const uint8_t *pos, *end;
	uint64_t i, count;
	int ret;

	if (h->attr_size < RT_ATTR_SIZE_VER0 + sizeof(struct rt_file_section))
		return rt_err_set(err, EBADMSG,
				  "%s: its header gives event attributes a size of %llu bytes; was "
				  "the recording stopped properly?",
				  src->path, (unsigned long long)h->attr_size);
	if (!inside(src, h->attrs.offset, h->attrs.size))
		return rt_err_set(
			err, EBADMSG,
			"%s: its event attributes lie outside of the file; it is truncated "
			"or damaged",
			src->path);
	if (h->attrs.size && h->attr_size > h->attrs.size)
		return rt_err_set(err, EBADMSG,
				  "%s: its header gives an event attribute a size of %llu bytes, "
				  "and all of them together %llu; it is damaged",
				  src->path, (unsigned long long)h->attr_size,
				  (unsigned long long)h->attrs.size);
	pos = src->map + h->attrs.offset;
	end = pos + h->attrs.size;
	count = h->attrs.size / h->attr_size;
	for (i = 0; i < count; i++) {
		ret = read_attr(r, pos, end - pos, err);
		if (ret < 0)
			return ret;
		pos += ret;
		if (i + 1 < count &&
		    (size_t)(end - pos) < RT_ATTR_SIZE_VER0 + sizeof(struct rt_file_section))
			return rt_err_set(err, EBADMSG, "%s: event attribute %llu is cut off",
					  src->path, (unsigned long long)i + 1);
	}
	return 0;
}

/* Report a damaged feature and skip it; the data is readable without it. */
static void read_features(struct rt_reader *r)
{
	struct rt_data_file *src = &r->sources[0];
	uint64_t table = r->table, where, size;
	unsigned feature;

	for (feature = 0; feature < RT_FEATURE_BITS; feature++) {
		if (!rt_env_has(&r->env, feature))
			continue;
		if (!inside(src, table, sizeof(struct rt_file_section))) {
			rt_reader_warn(r,
				       "%s ends inside its table of features; what is known of the "
				       "machine is incomplete",
				       src->path);
			return;
		}
		where = load64(src->map + table, r->swapped);
		size = load64(src->map + table + 8, r->swapped);
		table += sizeof(struct rt_file_section);
		if (!inside(src, where, size)) {
			r->env.broken[feature / 64] |= 1ULL << (feature % 64);
			rt_reader_warn(r, "%s: header feature %s lies outside of the file",
				       src->path,
				       rt_feature_name(feature) ? rt_feature_name(feature) : "?");
			continue;
		}
		/* Who expands a raw recording takes the formats as they are. */
		if (r->opt.raw && feature == RT_FEATURE_TRACING_DATA)
			continue;
		if (rt_feature_read(r, feature, src->map + where, size))
			rt_reader_warn(r, "%s: header feature %s at offset %#llx is damaged",
				       src->path,
				       rt_feature_name(feature) ? rt_feature_name(feature) : "?",
				       (unsigned long long)where);
	}
}

/* Load ringtail's note that ends BEFORE bytes before the end of the data. */
static bool load_note(const struct rt_reader *r, const struct rt_data_file *src, size_t before,
		      struct rt_perf_record_note *note)
{
	uint8_t *bytes = (uint8_t *)note;
	size_t i;

	if ((size_t)(src->span.end - src->span.pos) < sizeof(*note) + before)
		return false;
	memcpy(note, src->span.end - before - sizeof(*note), sizeof(*note));
	if (r->swapped) {
		for (i = sizeof(note->hdr); i < sizeof(*note); i += sizeof(uint64_t)) {
			uint64_t word = load64(bytes + i, true);

			memcpy(bytes + i, &word, sizeof(word));
		}
		note->hdr.type = __builtin_bswap32(note->hdr.type);
		note->hdr.size = __builtin_bswap16(note->hdr.size);
	}
	return rt_note_is(&note->hdr);
}

/*
 * A recording of ringtail ends with a note at the end of the data, so the reader can check it
 * before it reads the first record.  In a file that was not closed, the head of a record that
 * covers the feature table (write/file.c) follows the note; this head is not part of the data.
 */
static void check_end(struct rt_reader *r, struct rt_data_file *src)
{
	struct rt_perf_record_note note;
	char complaint[128];

	if (src->missing)
		return;
	if (load_note(r, src, sizeof(struct rt_perf_record_header), &note))
		src->span.end -= sizeof(struct rt_perf_record_header);
	else if (!load_note(r, src, 0, &note))
		return;
	/* Who expands a raw recording tells it, from its last note. */
	if (!r->opt.raw && rt_note_complaint(&note, complaint, sizeof(complaint)))
		rt_reader_warn(r, "%s: %s", src->path, complaint);
}

static int set_data(struct rt_reader *r, struct rt_err *err)
{
	const struct rt_file_section *data = &r->header.data;
	struct rt_data_file *src = &r->sources[0];
	uint64_t size = data->size;

	if (data->offset > src->map_size)
		return rt_err_set(
			err, EBADMSG,
			"%s: its data lies outside of the file; it is truncated or damaged",
			src->path);
	if (!size) {
		size = src->map_size - data->offset;
		rt_reader_warn(
			r,
			"%s was not closed by its recorder: everything to the end of the file "
			"is read as data",
			src->path);
	} else if (size > src->map_size - data->offset) {
		src->missing = size - (src->map_size - data->offset);
		size = src->map_size - data->offset;
	}
	src->span.pos = src->map + data->offset;
	src->span.end = src->span.pos + size;
	src->span.offset = data->offset;
	check_end(r, src);
	if (r->unexpanded)
		src->span.pos = src->span.end;
	r->stats.bytes_total = src->span.end - src->span.pos;
	return 0;
}

static void set_more_data(struct rt_reader *r)
{
	size_t i;

	for (i = 1; i < r->source_count; i++) {
		struct rt_data_file *src = &r->sources[i];

		src->span.pos = src->map;
		src->span.end = src->map + src->map_size;
		r->stats.bytes_total += src->map_size;
	}
}

static int read_file(struct rt_reader *r, struct rt_err *err)
{
	struct rt_file_header *h = &r->header;
	int ret;

	if (r->swapped)
		swap_words(h, OLD_HEADER_SIZE);
	if (h->size < RT_FILE_HEADER_SIZE)
		memset(h->features, 0, sizeof(h->features));
	else if (r->swapped)
		swap_features(h);
	if (h->size != OLD_HEADER_SIZE && h->size < RT_FILE_HEADER_SIZE)
		return rt_err_set(err, EBADMSG, "%s: its header says it is %llu bytes long, not %d",
				  r->sources[0].path, (unsigned long long)h->size,
				  RT_FILE_HEADER_SIZE);
	memcpy(r->env.features, h->features, sizeof(h->features));
	ret = set_data(r, err);
	if (!ret)
		ret = read_attrs(r, err);
	if (ret)
		return ret;
	set_more_data(r);
	r->table = rt_section_table(r);
	if (r->table)
		read_features(r);
	rt_tracing_link(r);
	return 0;
}

/* A pipe's header is two words; the stream may also have been saved to a file. */
static int read_pipe(struct rt_reader *r, const uint8_t *map, size_t size)
{
	struct rt_data_file *src = &r->sources[0];

	r->pipe = true;
	free(src->path);
	src->path = strdup("pipe");
	if (!src->path)
		return -ENOMEM;
	if (map) {
		src->span.pos = map + RT_PIPE_HEADER_SIZE;
		src->span.end = map + size;
		r->stats.bytes_total = size - RT_PIPE_HEADER_SIZE;
	}
	return 0;
}

static ssize_t read_whole(int fd, void *buf, size_t size)
{
	size_t have = 0;
	ssize_t got;

	while (have < size) {
		got = read(fd, (char *)buf + have, size - have);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (!got)
			break;
		have += got;
	}
	return have;
}

int rt_header_read(struct rt_reader *r, struct rt_err *err)
{
	struct rt_data_file *src = &r->sources[0];
	struct rt_file_header *h = &r->header;
	uint64_t size;
	ssize_t got;
	int ret;

	if (src->pipe) {
		got = read_whole(src->fd, h, RT_PIPE_HEADER_SIZE);
		if (got < 0)
			return rt_err_set(err, -got, "%s: %s", src->path, strerror(-got));
	} else {
		got = src->map_size < sizeof(*h) ? src->map_size : sizeof(*h);
		memcpy(h, src->map, got);
	}
	if (got < RT_PIPE_HEADER_SIZE)
		return rt_err_set(err, EBADMSG, "%s is too short for a perf.data file", src->path);
	ret = rt_magic_check(r, h, err);
	if (ret)
		return ret;
	size = r->swapped ? __builtin_bswap64(h->size) : h->size;
	if (size == RT_PIPE_HEADER_SIZE)
		return read_pipe(r, src->map, src->map_size);
	if (src->pipe)
		return rt_err_set(err, EBADMSG,
				  "%s carries a perf.data file, which cannot be read from a pipe; "
				  "give its path, or record with -o -",
				  src->path);
	if (got < OLD_HEADER_SIZE || (size >= RT_FILE_HEADER_SIZE && got < RT_FILE_HEADER_SIZE))
		return rt_err_set(err, EBADMSG, "%s ends inside its header", src->path);
	return read_file(r, err);
}
