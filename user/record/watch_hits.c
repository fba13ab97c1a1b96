// SPDX-License-Identifier: GPL-2.0
#include "record/watch_hits.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/device.h"
#include "perfdata/read/reader.h"
#include "perfdata/read/sample.h"

/* A trap may take longer than any in the module's tests: the code and its data may not be in caches. */
enum { DELIVERIES = 2, APART_LEAST = 20000 /* nanoseconds */ };

uint64_t rt_watch_hits_apart(uint32_t delivery)
{
	uint64_t apart = (uint64_t)delivery * DELIVERIES;

	return apart > APART_LEAST ? apart : APART_LEAST;
}

static int earlier(const void *a, const void *b)
{
	const struct rt_watch_hit *x = a, *y = b;

	if (x->event != y->event)
		return x->event < y->event ? -1 : 1;
	return x->time < y->time ? -1 : x->time > y->time;
}

/* A thread that moves to another CPU is no rival of itself; the idle tasks of all CPUs have id 0. */
static bool is_rival(const struct rt_watch_hit *a, const struct rt_watch_hit *b)
{
	return a->cpu != b->cpu && (a->tid != b->tid || !a->tid);
}

static bool has_rival(const struct rt_watch_hit *hits, size_t count, size_t i, uint64_t apart)
{
	const struct rt_watch_hit *hit = &hits[i];
	size_t k;

	for (k = i; k-- > 0 && hits[k].event == hit->event && hit->time - hits[k].time <= apart;)
		if (is_rival(hit, &hits[k]))
			return true;
	for (k = i + 1;
	     k < count && hits[k].event == hit->event && hits[k].time - hit->time <= apart; k++)
		if (is_rival(hit, &hits[k]))
			return true;
	return false;
}

void rt_watch_hits_judge(struct rt_watch_hit *hits, size_t count, uint64_t apart)
{
	size_t i;

	qsort(hits, count, sizeof(*hits), earlier);
	for (i = 0; i < count; i++) {
		if (!(hits[i].flags & RT_WATCH_UNCHECKED))
			continue;
		hits[i].flags &= ~RT_WATCH_UNCHECKED;
		if (has_rival(hits, count, i, apart))
			hits[i].flags |= RT_WATCH_UNCERTAIN;
	}
}

/* --- the file -------------------------------------------------------------------- */

struct hits {
	struct rt_watch_hit *list;
	size_t count, room;
	bool unchecked;
};

static int append(struct hits *h, const struct rt_watch_hit *hit)
{
	struct rt_watch_hit *grown;

	if (h->count == h->room) {
		h->room = h->room ? 2 * h->room : 1024;
		grown = realloc(h->list, h->room * sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		h->list = grown;
	}
	h->list[h->count++] = *hit;
	h->unchecked |= hit->flags & RT_WATCH_UNCHECKED;
	return 0;
}

/* Where the flags of the event's records are; 0: it is not a watch of values. */
static uint32_t flags_of(const struct rt_event_spec *spec)
{
	size_t i;

	if (spec->kind != RT_SPEC_WATCH || spec->access & RT_ACCESS_EXECUTE)
		return 0;
	for (i = 0; i < spec->fields.count; i++)
		if (spec->fields.fields[i].show == RT_SHOW_WATCH)
			return spec->fields.fields[i].offset;
	return 0;
}

/* Whether all hits of the event are in the file. */
static bool is_complete(const struct rt_counts *counts)
{
	uint64_t lost = 0;
	int i;

	for (i = 0; i < RT_LOST_CAUSES; i++)
		lost += counts->lost[i];
	return counts->entered && !counts->filtered && !lost;
}

/* The file, and where the flags of each of its events are: 0: nothing to settle. */
struct file {
	const char *path;
	const struct rt_watch_hits_event *events;
	size_t count;
};

static uint32_t flags_in(const struct file *f, const struct rt_perf_event *event)
{
	size_t i;

	for (i = 0; event && i < f->count; i++)
		if (f->events[i].file == (int)event->index && is_complete(f->events[i].counts))
			return flags_of(f->events[i].spec);
	return 0;
}

static int take_hit(const struct file *f, const struct rt_perf_record *rec, struct hits *h)
{
	uint32_t at = flags_in(f, rec->event);
	struct rt_sample sample = { 0 };
	struct rt_watch_hit hit = { 0 };
	struct rt_err ignored;
	uint16_t flags;

	if (!at || rt_sample_parse(rec, &sample, &ignored) || sample.raw.size < at + sizeof(flags))
		return 0;
	memcpy(&flags, (const char *)sample.raw.data + at, sizeof(flags));
	hit.event = rec->event->index;
	hit.flags = flags;
	hit.time = sample.time;
	hit.cpu = sample.cpu;
	hit.tid = sample.tid;
	hit.offset = rec->offset + ((const char *)sample.raw.data + at - (const char *)rec->hdr);
	return append(h, &hit);
}

static int take_hits(const struct file *f, struct hits *h, struct rt_err *err)
{
	const struct rt_reader_options opt = { .unordered = true };
	struct rt_perf_record rec;
	struct rt_reader *reader;
	int ret = rt_reader_open(f->path, &opt, &reader, err);

	if (ret)
		return ret;
	while ((ret = rt_reader_next(reader, &rec, err)) > 0) {
		if (rec.hdr->type != RT_PERF_RECORD_SAMPLE)
			continue;
		ret = take_hit(f, &rec, h);
		if (ret) {
			rt_err_set(err, -ret, "out of memory");
			break;
		}
	}
	rt_reader_close(reader);
	return ret;
}

static int put_hits(const struct file *f, const struct hits *h, struct rt_err *err)
{
	int fd = open(f->path, O_WRONLY | O_CLOEXEC), ret = 0;
	uint16_t flags;
	size_t i;

	if (fd < 0)
		return rt_err_set(err, errno, "cannot open %s: %s", f->path, strerror(errno));
	for (i = 0; !ret && i < h->count; i++) {
		flags = h->list[i].flags;
		errno = EIO;
		if (pwrite(fd, &flags, sizeof(flags), h->list[i].offset) != sizeof(flags))
			ret = rt_err_set(err, errno, "cannot write %s: %s", f->path,
					 strerror(errno));
	}
	close(fd);
	return ret;
}

int rt_watch_hits_settle(const char *path, int device, const struct rt_watch_hits_event *events,
			 size_t count, struct rt_err *err)
{
	const struct file f = { path, events, count };
	struct rt_try tried = { 0 };
	struct hits h = { 0 };
	bool any = false;
	size_t i;
	int ret;

	for (i = 0; i < count; i++)
		any |= flags_of(events[i].spec) && is_complete(events[i].counts);
	if (!any)
		return 0;
	ret = take_hits(&f, &h, err);
	if (!ret && h.unchecked) {
		if (rt_device_try(device, &tried))
			tried.delivery = 0;
		rt_watch_hits_judge(h.list, h.count, rt_watch_hits_apart(tried.delivery));
		ret = put_hits(&f, &h, err);
	}
	free(h.list);
	return ret;
}
