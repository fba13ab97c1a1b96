// SPDX-License-Identifier: GPL-2.0
/*
 * The pipe: what a file has in its header comes as records.  Attributes first, because
 * all the others name events; then names, features and formats; build-ids when
 * their files are first mapped.
 */
#include "perfdata/write.h"

#include <errno.h>

/* A record put together in a section, header first; longer than one can be: nothing is written. */
static int put_record(struct rt_writer *w, uint32_t type, struct rt_section *s)
{
	struct rt_record_header *hdr;
	void *to;

	rt_section_align(s);
	if (s->failed)
		return rt_write_fail(w, ENOMEM, "no memory for the header of %s", w->path);
	if (s->size > RT_RECORD_SIZE_MAX)
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

static int put_attr(struct rt_writer *w, const struct rt_write_event *ev)
{
	struct rt_section s = { 0 };
	int ret;

	rt_section_zero(&s, sizeof(struct rt_record_header));
	rt_write_attr(w, ev, &s);
	rt_section_put(&s, ev->ids, ev->ids_count * sizeof(*ev->ids));
	ret = put_record(w, RT_RECORD_HEADER_ATTR, &s);
	rt_section_free(&s);
	if (ret == -EMSGSIZE)
		return rt_write_fail(w, ret, "%s has too many ids for a pipe: write to a file",
				     ev->name);
	return ret;
}

static int put_name(struct rt_writer *w, const struct rt_write_event *ev)
{
	struct rt_section s = { 0 };
	int ret;

	rt_section_zero(&s, sizeof(struct rt_record_header));
	rt_section_u64(&s, RT_EVENT_UPDATE_NAME);
	rt_section_u64(&s, ev->ids[0]);
	rt_section_text(&s, ev->name);
	ret = put_record(w, RT_RECORD_EVENT_UPDATE, &s);
	rt_section_free(&s);
	return ret;
}

static int put_feature(struct rt_writer *w, unsigned feature)
{
	struct rt_section s = { 0 };
	int ret = 0;

	rt_section_zero(&s, sizeof(struct rt_record_header));
	rt_section_u64(&s, feature);
	if (rt_write_feature(w, feature, RT_WRITE_EARLY, &s))
		ret = put_record(w, RT_RECORD_HEADER_FEATURE, &s);
	rt_section_free(&s);
	/* The descriptions of hundreds of events do not fit into one record; the attrs say it all. */
	return ret == -EMSGSIZE ? 0 : ret;
}

/* The data follow the record, outside of it. */
static int put_tracing(struct rt_writer *w)
{
	struct rt_record_tracing_data *rec;
	static const uint8_t zero[8];
	size_t size = align8(w->tracing.size);
	int ret;

	if (!w->tracing.size)
		return 0;
	rec = rt_write_reserve(w, sizeof(*rec));
	if (!rec)
		return w->failed;
	*rec = (struct rt_record_tracing_data){
		.hdr = { .type = RT_RECORD_HEADER_TRACING_DATA, .size = sizeof(*rec) },
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
	/* The formats are no feature here but a record of their own. */
	for (i = RT_FEATURE_TRACING_DATA + 1; i < RT_FEATURE_COUNT; i++)
		if (put_feature(w, i))
			return w->failed;
	return put_tracing(w) ? w->failed : rt_write_flush(w);
}

/* Whoever reads along gets whole rounds at once. */
int rt_write_pipe_round(struct rt_writer *w)
{
	return rt_write_flush(w);
}

int rt_write_pipe_build_id(struct rt_writer *w, const struct rt_write_dso *dso)
{
	struct rt_section s = { 0 };
	int ret;

	rt_write_dso_entry(dso, &s);
	ret = put_record(w, RT_RECORD_HEADER_BUILD_ID, &s);
	rt_section_free(&s);
	return ret;
}
