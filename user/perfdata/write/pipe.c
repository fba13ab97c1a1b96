// SPDX-License-Identifier: GPL-2.0
/*
 * The pipe: records replace the header of a file.  Attributes come first, because all others refer
 * to events; then names, features and formats; build-ids when their files are first mapped.
 */
#include "perfdata/write/internal.h"

#include <errno.h>

/* Write a record built in a section, header first; nothing is written if it is too long. */
static int put_record(struct rt_writer *w, uint32_t type, struct rt_section *s)
{
	struct rt_perf_record_header *hdr;
	void *to;

	rt_section_align(s);
	if (s->failed)
		return rt_write_fail(w, ENOMEM, "no memory for the header of %s", w->path);
	if (s->size > RT_PERF_RECORD_SIZE_MAX)
		return -EMSGSIZE;
	to = rt_write_reserve(w, s->size);
	if (!to)
		return w->failed;
	memcpy(to, s->data, s->size);
	hdr = to;
	hdr->type = type;
	hdr->size = s->size;
	w->used += s->size;
	w->stats.bytes += s->size;
	return 0;
}

static int put_attr(struct rt_writer *w, const struct rt_file_event *ev)
{
	struct rt_section s = { 0 };
	int ret;

	rt_section_zero(&s, sizeof(struct rt_perf_record_header));
	rt_write_attr(w, ev, &s);
	rt_section_put(&s, ev->ids, ev->ids_count * sizeof(*ev->ids));
	ret = put_record(w, RT_PERF_RECORD_HEADER_ATTR, &s);
	rt_section_free(&s);
	if (ret == -EMSGSIZE)
		return rt_write_fail(w, ret, "%s has too many ids for a pipe: write to a file",
				     ev->name);
	return ret;
}

static int put_name(struct rt_writer *w, const struct rt_file_event *ev)
{
	struct rt_section s = { 0 };
	int ret;

	rt_section_zero(&s, sizeof(struct rt_perf_record_header));
	rt_section_u64(&s, RT_PERF_EVENT_UPDATE_NAME);
	rt_section_u64(&s, ev->ids[0]);
	rt_section_text(&s, rt_write_shown(ev));
	ret = put_record(w, RT_PERF_RECORD_EVENT_UPDATE, &s);
	rt_section_free(&s);
	return ret;
}

static int put_feature(struct rt_writer *w, unsigned feature)
{
	struct rt_section s = { 0 };
	int ret = 0;

	rt_section_zero(&s, sizeof(struct rt_perf_record_header));
	rt_section_u64(&s, feature);
	if (rt_write_feature(w, feature, RT_WRITE_EARLY, &s))
		ret = put_record(w, RT_PERF_RECORD_HEADER_FEATURE, &s);
	rt_section_free(&s);
	/*
	 * The descriptions of hundreds of events do not fit into one record; the attrs are enough.
	 */
	return ret == -EMSGSIZE ? 0 : ret;
}

/* The data follows the record, outside it. */
static int put_tracing(struct rt_writer *w)
{
	struct rt_perf_record_tracing_data *rec;
	static const uint8_t zero[8];
	size_t size = align8(w->tracing.size);
	int ret;

	if (!w->tracing.size)
		return 0;
	rec = rt_write_reserve(w, sizeof(*rec));
	if (!rec)
		return w->failed;
	*rec = (struct rt_perf_record_tracing_data){
		.hdr = { .type = RT_PERF_RECORD_HEADER_TRACING_DATA, .size = sizeof(*rec) },
		.size = size,
	};
	w->used += sizeof(*rec);
	w->stats.bytes += sizeof(*rec) + size;
	if (rt_write_flush(w))
		return w->failed;
	ret = rt_write_all(w, w->tracing.data, w->tracing.size, 0);
	if (!ret)
		ret = rt_write_all(w, zero, size - w->tracing.size, 0);
	return ret ? rt_write_fail(w, ret, "cannot write %s: %s", w->path, strerror(-ret)) : 0;
}

int rt_write_pipe_begin(struct rt_writer *w)
{
	const uint64_t header[2] = { RT_MAGIC2, RT_PIPE_HEADER_SIZE };
	void *to = rt_write_reserve(w, sizeof(header));
	unsigned i;

	if (!to)
		return w->failed;
	memcpy(to, header, sizeof(header));
	w->used += sizeof(header);
	for (i = 0; i < w->event_count; i++)
		if (put_attr(w, &w->events[i]))
			return w->failed;
	for (i = 0; i < w->event_count; i++)
		if (put_name(w, &w->events[i]))
			return w->failed;
	/* In a pipe the formats are not a feature but a record. */
	for (i = RT_FEATURE_TRACING_DATA + 1; i < RT_FEATURE_COUNT; i++)
		if (put_feature(w, i))
			return w->failed;
	if (put_tracing(w) || rt_write_note(w, RT_NOTE_BEGIN))
		return w->failed;
	return rt_write_flush(w);
}

/* A live reader gets complete rounds at once. */
int rt_write_pipe_round(struct rt_writer *w)
{
	return rt_write_flush(w);
}

int rt_write_pipe_build_id(struct rt_writer *w, const struct rt_write_dso *dso)
{
	struct rt_section s = { 0 };
	int ret;

	rt_write_dso_entry(dso, &s);
	ret = put_record(w, RT_PERF_RECORD_HEADER_BUILD_ID, &s);
	rt_section_free(&s);
	return ret;
}
