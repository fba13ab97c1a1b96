/* SPDX-License-Identifier: GPL-2.0 */
/*
 * event.h - the events of a perf.data file: what was asked of the kernel, under
 * which ids its samples come, and by what name people know it.
 *
 * Events are made by the reader and live until it is closed; their address and
 * attr never change, so threads that format may keep pointers.  In a pipe more
 * events may be added while reading (always before their first sample), and
 * name, unit and scale may be set by records that come before the samples.
 */
#ifndef RT_PERFDATA_EVENT_H
#define RT_PERFDATA_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perfdata/layout.h"

struct tep_event;

/* One kernel counter: an event is opened once per CPU or thread. */
struct rt_event_id {
	uint64_t id;
	struct rt_event *event;
	uint64_t period;      /* last value of a read group: rt_sample_split() */
	int32_t cpu, tid;     /* from ID_INDEX, -1 when unknown */
	uint32_t machine_pid; /* the guest's VMM, 0 on the host */
	uint32_t vcpu;
};

struct rt_event {
	struct rt_attr attr;
	unsigned index; /* position in rt_events.list */

	char *name;	 /* from the file, NULL when it gives none: use rt_event_name() */
	char *made_name; /* from the attr */
	char *unit;	 /* "" unless an EVENT_UPDATE said otherwise */
	double scale;	 /* 1.0 unless an EVENT_UPDATE said otherwise */
	bool own_cpus;	 /* an EVENT_UPDATE gave CPUs of its own */

	struct rt_event *leader; /* itself unless a member of a group */
	unsigned members;	 /* of a leader: how many events in the group, itself counted */
	char *group_name;	 /* of a leader, from GROUP_DESC; or NULL */

	uint64_t *ids; /* as listed in the file */
	size_t ids_count;

	/* What parsing needs, worked out once. */
	int id_pos;	 /* word of the id in a sample, counted from the front; -1: none */
	int is_pos;	 /* word of the id in any other record, counted from the end; -1: none */
	int time_pos;	 /* word of the time in a sample; -1: none */
	int time_is_pos; /* word of the time in any other record, from the end; -1: none */
	int tid_pos;	 /* word of pid and tid in a sample; -1: none */
	int cpu_pos;	 /* word of the CPU in a sample; -1: none */
	unsigned fixed_size; /* bytes of the fixed part of a sample, up to PERIOD */
	unsigned id_size;    /* bytes of the sample_id at the end of other records */

	/* Of a tracepoint: its format, set when TRACING_DATA has been read; else NULL. */
	struct tep_event *format;
};

struct rt_id_slot;

struct rt_events {
	struct rt_event **list;
	size_t count;

	/* All the same in files that can be read: said of the whole file. */
	uint64_t sample_type; /* all events' bits together */
	bool sample_id_all;   /* of the first event, as perf takes it */
	int id_pos, is_pos;   /* of the first event */
	bool same_time;	      /* the time is at the same place in all of them */

	struct rt_id_slot *slots; /* id -> rt_event_id, open addressing */
	size_t slot_count, id_count;
};

/* The event a name belongs to, or NULL. */
struct rt_event *rt_events_find(const struct rt_events *events, const char *name);

/* The counter with this id; NULL when unknown. */
struct rt_event_id *rt_events_id(const struct rt_events *events, uint64_t id);

/*
 * The event of an id as perf finds it: id 0, or a file with one event only,
 * means the first event, and a file without ids too.  NULL when unknown.
 */
struct rt_event *rt_events_by_id(const struct rt_events *events, uint64_t id);

/*
 * The name perf shows: from the header when that has one, else made from the
 * attr ("cycles:u", "L1-dcache-loads", "mem:0x1000:rw", "raw 0x3c", …).
 */
const char *rt_event_name(const struct rt_event *event);

static inline bool rt_event_is_leader(const struct rt_event *event)
{
	return event->leader == event;
}

static inline bool rt_event_has(const struct rt_event *event, uint64_t sample_bits)
{
	return (event->attr.sample_type & sample_bits) != 0;
}

#endif
