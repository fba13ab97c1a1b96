// SPDX-License-Identifier: GPL-2.0
/* Notes: records of a type that every perf skips, with information for which perf has no record. */
#include "perfdata/write/internal.h"

#include <errno.h>

int rt_write_note(struct rt_writer *w, enum rt_note kind)
{
	struct rt_perf_record_note *note = rt_write_reserve(w, sizeof(*note));
	uint64_t known;

	if (!note)
		return w->failed;
	*note = (struct rt_perf_record_note){
		.hdr = { .type = RT_PERF_RECORD_HEADER_EVENT_TYPE, .size = sizeof(*note) },
		.magic = RT_NOTE_MAGIC,
		.kind = kind,
		.cpu = UINT32_MAX,
		.time = rt_write_newest(w),
		.samples = w->stats.samples,
		.missing = kind == RT_NOTE_SO_FAR ? w->pending : 0,
	};
	known = w->stats.samples + w->stats.too_big;
	if (kind == RT_NOTE_END && w->total > known)
		note->missing = w->total - known;
	memcpy(note->lost, w->lost, sizeof(note->lost));
	return rt_write_commit(w, sizeof(*note), 0);
}

int rt_writer_lost_here(struct rt_writer *w, const struct rt_writer_stamp *at,
			const uint64_t lost[RT_NOTE_CAUSES])
{
	struct rt_perf_record_note note = {
		.hdr = { .type = RT_PERF_RECORD_HEADER_EVENT_TYPE, .size = sizeof(note) },
		.magic = RT_NOTE_MAGIC,
		.kind = RT_NOTE_LOST,
		.cpu = at->cpu,
		.time = at->time,
		.samples = w->stats.samples,
	};
	struct rt_writer_stamp lost_at = *at;
	uint64_t sum = 0;
	int i, ret;

	for (i = 0; i < RT_NOTE_CAUSES; i++) {
		note.lost[i] = lost[i];
		w->lost[i] += lost[i];
		sum += lost[i];
	}
	if (!sum)
		return w->failed;
	w->stats.lost += sum;
	w->stats.lost_places++;
	ret = rt_writer_record(w, &note.hdr, 0);
	/* Newer perf rejects a CPU that the machine does not have. */
	if (lost_at.cpu == UINT32_MAX)
		lost_at.cpu = 0;
	return ret ? ret : rt_write_lost(w, &lost_at, &w->events[0], sum);
}

int rt_writer_lost_sum(struct rt_writer *w, unsigned event, uint64_t count)
{
	if (event >= w->event_count)
		return -EINVAL;
	w->events[event].lost += count;
	return w->failed;
}

int rt_writer_off(struct rt_writer *w, const struct rt_writer_stamp *at, unsigned event,
		  uint64_t ns, uint64_t times)
{
	struct rt_perf_record_note note = {
		.hdr = { .type = RT_PERF_RECORD_HEADER_EVENT_TYPE, .size = sizeof(note) },
		.magic = RT_NOTE_MAGIC,
		.kind = RT_NOTE_OFF,
		.cpu = at->cpu,
		.time = at->time,
		.samples = w->stats.samples,
		.lost = { [RT_NOTE_OFF_EVENT] = event,
			  [RT_NOTE_OFF_NS] = ns,
			  [RT_NOTE_OFF_TIMES] = times },
	};

	if (event >= w->event_count)
		return -EINVAL;
	return rt_writer_record(w, &note.hdr, 0);
}

void rt_writer_pending(struct rt_writer *w, uint64_t events)
{
	w->pending = events;
}

void rt_writer_total(struct rt_writer *w, uint64_t events)
{
	w->total = events;
}
