// SPDX-License-Identifier: GPL-2.0
/*
 * meta.c - records that describe the recording itself; in a pipe they replace the header.  The
 * reader processes them before it returns them.
 */
#include "perfdata/read/internal.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

static int damaged(struct rt_reader *r, const struct rt_perf_record *rec)
{
	return rt_reader_fail(r, EBADMSG, "%s: the %s record at offset %#llx is damaged", rec->path,
			      rt_perf_record_name(rec->hdr->type), (unsigned long long)rec->offset);
}

static int no_memory(struct rt_reader *r)
{
	return rt_reader_fail(r, ENOMEM, "no memory for the events of %s", r->path);
}

static int take_attr(struct rt_reader *r, const struct rt_perf_record *rec)
{
	const uint8_t *pos = (const uint8_t *)(rec->hdr + 1);
	const uint8_t *end = (const uint8_t *)rec->hdr + rec->hdr->size;
	struct rt_perf_event *event;
	struct rt_attr attr;
	int size;

	size = rt_attr_read(pos, end - pos, false, &attr);
	if (size < 0)
		return damaged(r, rec);
	event = rt_perf_events_add(r, &attr);
	if (!event)
		return no_memory(r);
	for (pos += size; pos + 8 <= end; pos += 8)
		if (rt_perf_events_add_id(r, event, load64(pos, false)))
			return no_memory(r);
	rt_tracing_link(r);
	return 0;
}

static int take_update(struct rt_reader *r, const struct rt_perf_record *rec)
{
	const struct rt_perf_record_event_update *u = (const void *)rec->hdr;
	struct rt_perf_event *e = rt_perf_events_by_id(&r->events, u->id);
	const char *text = rt_perf_record_string(rec, u->data);

	if (!e)
		return 0;
	switch (u->type) {
	case RT_PERF_EVENT_UPDATE_UNIT:
		e->unit = rt_arena_strn(&r->arena, text, strlen(text));
		break;
	case RT_PERF_EVENT_UPDATE_NAME:
		e->name = rt_arena_strn(&r->arena, text, strlen(text));
		break;
	case RT_PERF_EVENT_UPDATE_SCALE:
		if (u->hdr.size >= sizeof(*u) + sizeof(e->scale))
			memcpy(&e->scale, u->data, sizeof(e->scale));
		break;
	case RT_PERF_EVENT_UPDATE_CPUS:
		e->own_cpus = true;
		break;
	}
	return 0;
}

/* Keep its bytes, because strings and tables point into them. */
static int take_feature(struct rt_reader *r, const struct rt_perf_record *rec)
{
	const struct rt_perf_record_feature *f = (const void *)rec->hdr;
	size_t size = f->hdr.size - offsetof(struct rt_perf_record_feature, data);
	void *copy;

	if (f->feature >= RT_FEATURE_BITS)
		return 0;
	/* perf ends its features with an empty one, whose number the next version of perf uses. */
	if (!size && rt_feature_has_data((unsigned)f->feature))
		return 0;
	copy = rt_arena_alloc(&r->arena, size);
	if (!copy)
		return no_memory(r);
	memcpy(copy, f->data, size);
	r->env.features[f->feature / 64] |= 1ULL << (f->feature % 64);
	if (rt_feature_read(r, (unsigned)f->feature, copy, size))
		rt_reader_warn(r, "%s: header feature %s at offset %#llx is damaged", rec->path,
			       rt_feature_name((unsigned)f->feature),
			       (unsigned long long)rec->offset);
	return 0;
}

static int take_build_id(struct rt_reader *r, const struct rt_perf_record *rec)
{
	const struct rt_perf_record_build_id *b = (const void *)rec->hdr;
	struct rt_build_id_entry e = { .pid = b->pid, .misc = b->hdr.misc };
	const char *name = rt_perf_record_string(rec, b->filename);

	e.id.len = RT_BUILDID_MAX;
	if (b->hdr.misc & RT_MISC_BUILD_ID_SIZE && b->size <= RT_BUILDID_MAX)
		e.id.len = b->size;
	memcpy(e.id.data, b->build_id, sizeof(e.id.data));
	e.filename = rt_arena_strn(&r->arena, name, strlen(name));
	if (!e.filename || rt_build_id_add(r, &e))
		return no_memory(r);
	return 0;
}

static int take_tracing(struct rt_reader *r, const struct rt_perf_record *rec)
{
	/* In a pipe the payload was allocated for us. */
	bool owned = rec->payload && r->sources[0].pipe;

	if (!rec->payload)
		return 0;
	if (r->tracing) {
		if (owned)
			free((void *)rec->payload);
		return 0;
	}
	r->tracing_owned = owned;
	if (rt_tracing_read(r, rec->payload, rec->payload_size))
		rt_reader_warn(
			r,
			"%s: the tracepoint formats at offset %#llx are damaged; some events "
			"have no fields",
			rec->path, (unsigned long long)rec->offset);
	rt_tracing_link(r);
	return 0;
}

static int take_id_index(struct rt_reader *r, const struct rt_perf_record *rec)
{
	const struct rt_perf_record_id_index *x = (const void *)rec->hdr;
	size_t room = x->hdr.size - sizeof(*x);
	const struct rt_id_index_guest *guests;
	struct rt_perf_event_id *id;
	uint64_t i;

	if (x->nr > room / sizeof(x->entries[0]))
		return damaged(r, rec);
	room -= x->nr * sizeof(x->entries[0]);
	guests = x->nr && room / sizeof(*guests) >= x->nr ? (const void *)&x->entries[x->nr] : NULL;
	for (i = 0; i < x->nr; i++) {
		id = rt_perf_events_id(&r->events, x->entries[i].id);
		if (!id)
			continue;
		id->cpu = (int32_t)x->entries[i].cpu;
		id->tid = (int32_t)x->entries[i].tid;
		if (guests) {
			id->machine_pid = (uint32_t)guests[i].machine_pid;
			id->vcpu = (uint32_t)guests[i].vcpu;
		}
	}
	return 0;
}

int rt_meta_take(struct rt_reader *r, const struct rt_perf_record *rec)
{
	switch (rec->hdr->type) {
	case RT_PERF_RECORD_HEADER_ATTR:
		return take_attr(r, rec);
	case RT_PERF_RECORD_EVENT_UPDATE:
		return take_update(r, rec);
	case RT_PERF_RECORD_HEADER_FEATURE:
		return take_feature(r, rec);
	case RT_PERF_RECORD_HEADER_BUILD_ID:
		return take_build_id(r, rec);
	case RT_PERF_RECORD_HEADER_TRACING_DATA:
		return take_tracing(r, rec);
	case RT_PERF_RECORD_ID_INDEX:
		return take_id_index(r, rec);
	}
	return 0;
}
