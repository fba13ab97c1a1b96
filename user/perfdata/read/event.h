/* SPDX-License-Identifier: GPL-2.0 */
/*
 * event.h - the events of a perf.data file: their attributes, the ids of their samples, and their
 * names.
 *
 * The reader creates events, and they live until it is closed.  Their address and attr never
 * change, so formatting threads may keep pointers.  A pipe may add more events while it is read
 * (always before their first sample), and records before the samples may set name, unit and scale.
 */
#ifndef RT_PERFDATA_READ_EVENT_H
#define RT_PERFDATA_READ_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perfdata/layout.h"

struct tep_event;

/* One kernel counter: an event is opened once per CPU or thread. */
struct rt_perf_event_id {
	uint64_t id;
	struct rt_perf_event *event;
	uint64_t period;      /* last value of a read group: rt_sample_split() */
	int32_t cpu, tid;     /* from ID_INDEX, -1 if unknown */
	uint32_t machine_pid; /* the guest's VMM, 0 on the host */
	uint32_t vcpu;
};

struct rt_perf_event {
	struct rt_attr attr;
	unsigned index; /* position in rt_perf_events.list */

	char *name;	 /* from the file, NULL if it has none: use rt_perf_event_name() */
	char *made_name; /* derived from the attr */
	char *unit;	 /* "" unless an EVENT_UPDATE set it */
	double scale;	 /* 1.0 unless an EVENT_UPDATE set it */
	bool own_cpus;	 /* an EVENT_UPDATE gave its own CPUs */

	struct rt_perf_event *leader; /* itself unless it is a member of a group */
	unsigned members; /* of a leader: the number of events in the group, including itself */
	char *group_name; /* of a leader, from GROUP_DESC; or NULL */

	uint64_t *ids; /* as listed in the file */
	size_t ids_count;

	/* Precomputed for the parser. */
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

struct rt_perf_events {
	struct rt_perf_event **list;
	size_t count;

	/* Properties of the whole file; they agree in every readable file. */
	uint64_t sample_type; /* the bits of all events */
	bool sample_id_all;   /* of the first event, as in perf */
	int id_pos, is_pos;   /* of the first event */
	bool same_time;	      /* all of them have the time at the same position */

	struct rt_id_slot *slots; /* id -> rt_perf_event_id, open addressing */
	size_t slot_count, id_count;
};

/* perf's event without samples, which only carries the records of tasks and mappings. */
static inline bool rt_perf_event_is_dummy(const struct rt_perf_event *e)
{
	return e->attr.type == RT_TYPE_SOFTWARE && e->attr.config == RT_SW_DUMMY;
}

/* The number of events that can have samples. */
size_t rt_perf_events_sampled(const struct rt_perf_events *events);

/* Return the event with this name, or NULL. */
struct rt_perf_event *rt_perf_events_find(const struct rt_perf_events *events, const char *name);

/* Return the counter with this id; NULL if unknown. */
struct rt_perf_event_id *rt_perf_events_id(const struct rt_perf_events *events, uint64_t id);

/*
 * Find the event of an id as perf does: id 0, a file with only one event, or a file without ids
 * means the first event.  NULL if unknown.
 */
struct rt_perf_event *rt_perf_events_by_id(const struct rt_perf_events *events, uint64_t id);

/*
 * The name that perf prints: from the header if it has one, otherwise made from the attr
 * ("cycles:u", "L1-dcache-loads", "mem:0x1000:rw", "raw 0x3c", …).
 */
const char *rt_perf_event_name(const struct rt_perf_event *event);

/* Whether it is a watch of memory that ringtail recorded. */
bool rt_perf_event_is_watch(const struct rt_perf_event *event);

static inline bool rt_perf_event_is_leader(const struct rt_perf_event *event)
{
	return event->leader == event;
}

static inline bool rt_perf_event_has(const struct rt_perf_event *event, uint64_t sample_bits)
{
	return (event->attr.sample_type & sample_bits) != 0;
}

#endif
