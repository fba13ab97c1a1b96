// SPDX-License-Identifier: GPL-2.0
/* The events of a recording: added one by one, and settled when all are known. */
#include "perfdata/write/internal.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "host/tracefs.h"

/* The published sizes of perf_event_attr, up to the last that perf 5.10 accepts. */
static const uint32_t attr_sizes[] = { 64, 72, 80, 96, 104, 112, 120 };

#define ATTR_SIZES     (sizeof(attr_sizes) / sizeof(*attr_sizes))
#define ATTR_SIZE_MAX  120
#define STACK_USER_MAX 65528

static int check_event(const struct rt_writer *w, const struct rt_writer_event *event,
		       struct rt_err *err)
{
	const struct rt_attr *a = &event->attr;
	uint64_t more = a->sample_type & ~(RT_WRITER_SAMPLE | RT_WRITER_SAMPLE_MORE);
	const uint8_t *rest = (const uint8_t *)a + ATTR_SIZE_MAX;
	size_t i;

	if (w->state != RT_WRITE_ADDING && (!w->room || w->pipe))
		return rt_err_set(err, EBUSY, "%s: events are added before the recording begins",
				  event->name);
	if (w->event_count == RT_WRITER_EVENTS_MAX)
		return rt_err_set(err, E2BIG, "a recording holds at most %d events",
				  RT_WRITER_EVENTS_MAX);
	if (more)
		return rt_err_set(err, EINVAL, "%s: sample_type 0x%llx cannot be written",
				  event->name, (unsigned long long)more);
	for (i = 0; i < sizeof(*a) - ATTR_SIZE_MAX; i++)
		if (rest[i])
			return rt_err_set(
				err, EINVAL,
				"%s: its attr is longer than the %d bytes that perf 5.10 takes",
				event->name, ATTR_SIZE_MAX);
	if ((a->sample_type & RT_SAMPLE_REGS_USER && !a->sample_regs_user) ||
	    (a->sample_type & RT_SAMPLE_REGS_INTR && !a->sample_regs_intr))
		return rt_err_set(err, EINVAL, "%s: registers without a mask of them", event->name);
	if (a->sample_type & RT_SAMPLE_STACK_USER &&
	    (!a->sample_stack_user || a->sample_stack_user % 8 ||
	     a->sample_stack_user > STACK_USER_MAX))
		return rt_err_set(err, EINVAL,
				  "%s: a user stack dump takes a multiple of 8 bytes, at most %d",
				  event->name, STACK_USER_MAX);
	if (a->type == RT_TYPE_TRACEPOINT && (!strchr(event->name, ':') || a->config > UINT16_MAX))
		return rt_err_set(err, EINVAL,
				  "'%s' is not a tracepoint: SYSTEM:EVENT with a 16-bit id",
				  event->name);
	if (event->ids && !event->ids_count)
		return rt_err_set(err, EINVAL, "%s has no id", event->name);
	return 0;
}

/* Read this machine's format of the event SYSTEM:EVENT. */
static int read_format(struct rt_file_event *ev, struct rt_err *err)
{
	char *system = strdupa(ev->name), *colon = strchr(system, ':');

	if (!colon)
		return rt_err_set(err, EINVAL, "'%s' is not the name of a tracepoint: SYSTEM:EVENT",
				  ev->name);
	*colon = 0;
	return rt_tracefs_format(NULL, system, colon + 1, &ev->format, err);
}

/* Make its format and id agree.  An event of ringtail gets its id when all others are known. */
static int settle_tracepoint(struct rt_writer *w, struct rt_file_event *ev, const char *format,
			     struct rt_err *err)
{
	int id;

	ev->attr.sample_type |= RT_SAMPLE_RAW;
	if (!ev->attr.sample_period)
		ev->attr.sample_period = 1;
	if (w->sections)
		return 0; /* they have the format */
	if (format) {
		ev->format = strdup(format);
		if (!ev->format)
			return rt_err_set(err, ENOMEM, "no memory for the format of %s", ev->name);
	} else {
		id = read_format(ev, err);
		if (id)
			return id;
	}
	id = rt_format_id(ev->format);
	if (id < 0)
		return rt_err_set(err, EINVAL, "the format of %s has no ID line", ev->name);
	if (!format && !ev->attr.config)
		ev->attr.config = id;
	if (ev->attr.config)
		rt_write_take(w->tracepoints, ev->attr.config);
	return 0;
}

/* An id that the writer chooses stays 0 until all others are known. */
static int copy_ids(struct rt_file_event *ev, const struct rt_writer_event *event,
		    struct rt_err *err)
{
	ev->ids_count = event->ids ? event->ids_count : 1;
	ev->ids = calloc(ev->ids_count, sizeof(*ev->ids));
	ev->name = strdup(event->name);
	ev->alias = event->alias ? strdup(event->alias) : NULL;
	if (!ev->ids || !ev->name || (event->alias && !ev->alias))
		return rt_err_set(err, ENOMEM, "no memory for the event %s", event->name);
	if (event->ids)
		memcpy(ev->ids, event->ids, ev->ids_count * sizeof(*ev->ids));
	return 0;
}

static struct rt_file_event *next_event(struct rt_writer *w)
{
	unsigned room = w->event_room ? w->event_room * 2 : 16;
	struct rt_file_event *events;

	if (w->event_count == w->event_room) {
		events = realloc(w->events, room * sizeof(*events));
		if (!events)
			return NULL;
		w->events = events;
		w->event_room = room;
	}
	memset(&w->events[w->event_count], 0, sizeof(*w->events));
	return &w->events[w->event_count];
}

int rt_writer_add(struct rt_writer *w, const struct rt_writer_event *event, struct rt_err *err)
{
	struct rt_file_event *ev;
	int ret;

	ret = check_event(w, event, err);
	if (ret)
		return ret;
	ev = next_event(w);
	if (!ev)
		return rt_err_set(err, ENOMEM, "no memory for the event %s", event->name);
	ev->attr = event->attr;
	ev->group = event->group;
	ev->attr.sample_type |= RT_WRITER_SAMPLE;
	ev->attr.flags |= RT_ATTR_SAMPLE_ID_ALL;
	if (!w->event_count) /* its stream carries the tasks and maps */
		ev->attr.flags |= RT_ATTR_MMAP | RT_ATTR_MMAP2 | RT_ATTR_COMM | RT_ATTR_COMM_EXEC |
				  RT_ATTR_TASK;
	if (w->count_threads) {
		ev->attr.flags |= RT_ATTR_INHERIT_STAT;
		ev->attr.read_format |= RT_READ_FORMAT_TOTAL_TIME_ENABLED |
					RT_READ_FORMAT_TOTAL_TIME_RUNNING | RT_READ_FORMAT_ID;
	}
	if (w->clockid != RT_WRITER_NO_CLOCKID) {
		ev->attr.flags |= RT_ATTR_USE_CLOCKID;
		ev->attr.clockid = w->clockid;
	}
	if (ev->attr.sample_type & RT_SAMPLE_REGS_USER)
		ev->user_regs = __builtin_popcountll(ev->attr.sample_regs_user);
	if (ev->attr.sample_type & RT_SAMPLE_REGS_INTR)
		ev->intr_regs = __builtin_popcountll(ev->attr.sample_regs_intr);

	ret = copy_ids(ev, event, err);
	if (!ret && ev->attr.type == RT_TYPE_TRACEPOINT)
		ret = settle_tracepoint(w, ev, event->format, err);
	w->event_count++;
	if (!ret && w->state != RT_WRITE_ADDING)
		ret = rt_write_file_grow(w, ev, err);
	if (ret) {
		w->event_count--;
		free(ev->ids);
		free(ev->name);
		free(ev->alias);
		free(ev->format);
		return ret;
	}
	w->file_maps |= !!(ev->attr.sample_type & RT_SAMPLE_STACK_USER);
	w->data_maps |= !!(ev->attr.sample_type & RT_SAMPLE_ADDR);
	return w->event_count - 1;
}

bool rt_writer_wants(const struct rt_writer *w, const struct rt_writer_map *map)
{
	bool file = map->filename[0] == '/' && map->filename[1] != '/';

	return map->prot & PROT_EXEC ||
	       (map->prot & PROT_READ && (w->data_maps || (w->file_maps && file)));
}

/*
 * The kernel numbers its tracepoints upwards from the bottom of 16 bits; the writer numbers its own
 * downwards from the top.  Only the ids within one file must differ, and those are all known.
 */
static int choose_tracepoint(struct rt_writer *w)
{
	while (w->tracepoint_next && rt_write_take(w->tracepoints, w->tracepoint_next))
		w->tracepoint_next--;
	return w->tracepoint_next;
}

static void settle_ids(struct rt_writer *w)
{
	uint64_t top = 0;
	unsigned i;
	size_t k;

	for (i = 0; i < w->event_count; i++)
		for (k = 0; k < w->events[i].ids_count; k++)
			if (w->events[i].ids[k] > top)
				top = w->events[i].ids[k];
	for (i = 0; i < w->event_count; i++)
		if (!w->events[i].ids[0])
			w->events[i].ids[0] = ++top;
}

static int settle_formats(struct rt_writer *w, struct rt_err *err)
{
	struct rt_file_event *ev;
	char *text;
	unsigned i;

	for (i = 0; i < w->event_count; i++) {
		ev = &w->events[i];
		if (!ev->format)
			continue;
		if (!ev->attr.config)
			ev->attr.config = choose_tracepoint(w);
		if (!ev->attr.config)
			return rt_err_set(err, E2BIG, "no tracepoint id is left for %s", ev->name);
		if (rt_format_id(ev->format) == (int)ev->attr.config)
			continue;
		text = rt_format_with_id(ev->format, ev->attr.config);
		if (!text)
			return rt_err_set(err, ENOMEM, "no memory for the format of %s", ev->name);
		free(ev->format);
		ev->format = text;
	}
	return 0;
}

/* Use the smallest published size that holds every field in use. */
static void settle_attr_size(struct rt_writer *w)
{
	size_t k = 0;
	unsigned i, last;

	for (i = 0; i < w->event_count; i++) {
		const uint8_t *bytes = (const uint8_t *)&w->events[i].attr;

		for (last = ATTR_SIZE_MAX; last && !bytes[last - 1]; last--)
			;
		while (k < ATTR_SIZES - 1 && attr_sizes[k] < last)
			k++;
	}
	w->attr_size = attr_sizes[k];
}

int rt_write_events_settle(struct rt_writer *w, struct rt_err *err)
{
	int ret = settle_formats(w, err);

	if (ret)
		return ret;
	if (w->file_maps || w->data_maps)
		w->events[0].attr.flags |= RT_ATTR_MMAP_DATA;
	settle_ids(w);
	settle_attr_size(w);
	w->anonymous = w->terse && w->event_count == 1 && !w->room;
	if (w->anonymous)
		w->events[0].attr.sample_type &= ~RT_SAMPLE_IDENTIFIER;
	return 0;
}
