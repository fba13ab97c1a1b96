// SPDX-License-Identifier: GPL-2.0
/* event.c - the events of a file, and which of them a record belongs to. */
#include "perfdata/read/event.h"

#include <errno.h>
#include <stdlib.h>

#include "perfdata/read/internal.h"

struct rt_id_slot {
	struct rt_perf_event_id *id; /* NULL: free */
};

static unsigned bits(uint64_t type, uint64_t mask)
{
	return (unsigned)__builtin_popcountll(type & mask);
}

/*
 * Compute the positions of the important words: in samples from the front, in other records from
 * the end.
 */
static void find_positions(struct rt_perf_event *e)
{
	const uint64_t fixed = RT_SAMPLE_IDENTIFIER | RT_SAMPLE_IP | RT_SAMPLE_TID |
			       RT_SAMPLE_TIME | RT_SAMPLE_ADDR | RT_SAMPLE_ID |
			       RT_SAMPLE_STREAM_ID | RT_SAMPLE_CPU | RT_SAMPLE_PERIOD;
	const uint64_t trailer = RT_SAMPLE_TID | RT_SAMPLE_TIME | RT_SAMPLE_ID |
				 RT_SAMPLE_STREAM_ID | RT_SAMPLE_CPU | RT_SAMPLE_IDENTIFIER;
	uint64_t type = e->attr.sample_type;

	e->id_pos = e->is_pos = e->time_pos = e->time_is_pos = -1;
	if (type & RT_SAMPLE_IDENTIFIER) {
		e->id_pos = 0;
		e->is_pos = 1;
	} else if (type & RT_SAMPLE_ID) {
		e->id_pos =
			bits(type, RT_SAMPLE_IP | RT_SAMPLE_TID | RT_SAMPLE_TIME | RT_SAMPLE_ADDR);
		e->is_pos = 1 + bits(type, RT_SAMPLE_CPU | RT_SAMPLE_STREAM_ID);
	}
	if (type & RT_SAMPLE_TIME) {
		e->time_pos = bits(type, RT_SAMPLE_IDENTIFIER | RT_SAMPLE_IP | RT_SAMPLE_TID);
		e->time_is_pos = 1 + bits(type, RT_SAMPLE_IDENTIFIER | RT_SAMPLE_CPU |
							RT_SAMPLE_STREAM_ID | RT_SAMPLE_ID);
	}
	e->tid_pos = e->cpu_pos = -1;
	if (type & RT_SAMPLE_TID)
		e->tid_pos = bits(type, RT_SAMPLE_IDENTIFIER | RT_SAMPLE_IP);
	if (type & RT_SAMPLE_CPU)
		e->cpu_pos = bits(type, fixed & ~(RT_SAMPLE_CPU | RT_SAMPLE_PERIOD));
	e->fixed_size = 8 * bits(type, fixed);
	e->id_size = e->attr.flags & RT_ATTR_SAMPLE_ID_ALL ? 8 * bits(type, trailer) : 0;
}

static int grow_list(struct rt_perf_events *ev)
{
	struct rt_perf_event **list;

	/* the array doubles at each power of two */
	if (ev->count & (ev->count - 1))
		return 0;
	list = realloc(ev->list, (ev->count ? 2 * ev->count : 1) * sizeof(*list));
	if (!list)
		return -ENOMEM;
	ev->list = list;
	return 0;
}

struct rt_perf_event *rt_perf_events_add(struct rt_reader *r, const struct rt_attr *attr)
{
	struct rt_perf_events *ev = &r->events;
	struct rt_perf_event *e;
	char name[128];

	if (grow_list(ev))
		return NULL;
	e = rt_arena_alloc(&r->arena, sizeof(*e));
	if (!e)
		return NULL;
	e->attr = *attr;
	e->index = ev->count;
	e->scale = 1.0;
	e->leader = e;
	e->members = 1;
	find_positions(e);
	rt_attr_name(attr, name, sizeof(name));
	e->made_name = rt_arena_strn(&r->arena, name, sizeof(name));

	if (!ev->count) {
		ev->sample_id_all = attr->flags & RT_ATTR_SAMPLE_ID_ALL;
		ev->id_pos = e->id_pos;
		ev->is_pos = e->is_pos;
		ev->same_time = true;
	} else if (e->time_pos != ev->list[0]->time_pos ||
		   e->time_is_pos != ev->list[0]->time_is_pos) {
		ev->same_time = false;
	}
	ev->sample_type |= attr->sample_type;
	ev->list[ev->count++] = e;
	return e;
}

static size_t slot_of(const struct rt_perf_events *ev, uint64_t id)
{
	return (id * 0x9e3779b97f4a7c15ULL >> 20) & (ev->slot_count - 1);
}

static struct rt_id_slot *find_slot(const struct rt_perf_events *ev, uint64_t id)
{
	size_t i = slot_of(ev, id);

	while (ev->slots[i].id && ev->slots[i].id->id != id)
		i = (i + 1) & (ev->slot_count - 1);
	return &ev->slots[i];
}

static int grow_slots(struct rt_perf_events *ev)
{
	struct rt_id_slot *old = ev->slots;
	size_t i, count = ev->slot_count;

	if (2 * (ev->id_count + 1) <= count)
		return 0;
	ev->slot_count = count ? 2 * count : 64;
	ev->slots = calloc(ev->slot_count, sizeof(*ev->slots));
	if (!ev->slots) {
		ev->slots = old;
		ev->slot_count = count;
		return -ENOMEM;
	}
	for (i = 0; i < count; i++)
		if (old[i].id)
			*find_slot(ev, old[i].id->id) = old[i];
	free(old);
	return 0;
}

static int list_id(struct rt_perf_event *e, uint64_t id)
{
	size_t n = e->ids_count;
	uint64_t *ids;

	if (!(n & (n - 1))) {
		ids = realloc(e->ids, (n ? 2 * n : 1) * sizeof(*ids));
		if (!ids)
			return -ENOMEM;
		e->ids = ids;
	}
	e->ids[e->ids_count++] = id;
	return 0;
}

/* If an id is listed twice, it belongs to the later event, as in perf. */
int rt_perf_events_add_id(struct rt_reader *r, struct rt_perf_event *e, uint64_t id)
{
	struct rt_perf_events *ev = &r->events;
	struct rt_id_slot *slot;

	if (list_id(e, id) || grow_slots(ev))
		return -ENOMEM;
	slot = find_slot(ev, id);
	if (!slot->id) {
		slot->id = rt_arena_alloc(&r->arena, sizeof(*slot->id));
		if (!slot->id)
			return -ENOMEM;
		ev->id_count++;
	}
	*slot->id = (struct rt_perf_event_id){ .id = id, .event = e, .cpu = -1, .tid = -1 };
	return 0;
}

void rt_perf_events_free(struct rt_reader *r)
{
	struct rt_perf_events *ev = &r->events;
	size_t i;

	for (i = 0; i < ev->count; i++)
		free(ev->list[i]->ids);
	free(ev->list);
	free(ev->slots);
	memset(ev, 0, sizeof(*ev));
}

const char *rt_perf_event_name(const struct rt_perf_event *event)
{
	if (event->name)
		return event->name;
	return event->made_name ? event->made_name : "unknown";
}

struct rt_perf_event *rt_perf_events_find(const struct rt_perf_events *ev, const char *name)
{
	size_t i;

	for (i = 0; i < ev->count; i++)
		if (!strcmp(rt_perf_event_name(ev->list[i]), name))
			return ev->list[i];
	return NULL;
}

struct rt_perf_event_id *rt_perf_events_id(const struct rt_perf_events *ev, uint64_t id)
{
	return ev->slot_count ? find_slot(ev, id)->id : NULL;
}

struct rt_perf_event *rt_perf_events_by_id(const struct rt_perf_events *ev, uint64_t id)
{
	struct rt_perf_event_id *known;

	if (!ev->count)
		return NULL;
	if (ev->count == 1 || !id)
		return ev->list[0];
	known = rt_perf_events_id(ev, id);
	if (known)
		return known->event;
	return ev->sample_id_all ? NULL : ev->list[0];
}

/* The i-th word of the record's body. */
static uint64_t word(const void *data, size_t i, bool swap)
{
	return load64((const uint8_t *)data + sizeof(struct rt_perf_record_header) + 8 * i, swap);
}

static size_t words(const struct rt_perf_record_header *h)
{
	return (h->size - sizeof(*h)) / 8;
}

struct rt_perf_event *rt_perf_events_of(const struct rt_perf_events *ev, const void *data,
					const struct rt_perf_record_header *h, bool swap)
{
	bool sample = h->type == RT_PERF_RECORD_SAMPLE;
	struct rt_perf_event_id *known;
	uint64_t id;

	if (!ev->count)
		return NULL;
	if (ev->count == 1 || (!ev->sample_id_all && !sample))
		return ev->list[0];
	if (sample) {
		if (ev->id_pos < 0 || (size_t)ev->id_pos >= words(h))
			return NULL;
		id = word(data, ev->id_pos, swap);
	} else {
		if (ev->is_pos < 0 || (size_t)ev->is_pos > words(h))
			return NULL;
		id = word(data, words(h) - ev->is_pos, swap);
	}
	if (!id)
		return ev->list[0]; /* written by perf itself */
	known = rt_perf_events_id(ev, id);
	return known ? known->event : NULL;
}

int rt_perf_events_time(const struct rt_perf_events *ev, const void *data,
			const struct rt_perf_record_header *h, bool swap, uint64_t *time)
{
	const struct rt_perf_event *e;
	int pos;

	*time = 0;
	e = ev->same_time ? ev->list[0] : rt_perf_events_of(ev, data, h, swap);
	if (!e || e->time_pos < 0)
		return 0;
	if (h->type == RT_PERF_RECORD_SAMPLE) {
		pos = e->time_pos;
		if ((size_t)pos >= words(h))
			return -EFAULT;
		*time = word(data, pos, swap);
	} else {
		pos = e->time_is_pos;
		if (!(e->attr.flags & RT_ATTR_SAMPLE_ID_ALL))
			return 0;
		if ((size_t)pos > words(h))
			return -EFAULT;
		*time = word(data, words(h) - pos, swap);
	}
	return *time && *time != UINT64_MAX;
}

size_t rt_perf_events_sampled(const struct rt_perf_events *events)
{
	size_t i, n = 0;

	for (i = 0; i < events->count; i++)
		n += !rt_perf_event_is_dummy(events->list[i]);
	return n;
}
