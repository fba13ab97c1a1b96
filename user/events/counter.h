/* SPDX-License-Identifier: GPL-2.0 */
/* counter.h - events from the kernel's counters: names, sysfs PMUs, /terms/ and :modifiers. */
#ifndef RT_EVENTS_COUNTER_H
#define RT_EVENTS_COUNTER_H

#include "events/scan.h"
#include "events/spec.h"

/* Hardware, software, cache and raw names; -ENOENT if NAME is none of them. */
int rt_counter_find(const char *name, struct perf_event_attr *attr);

struct rt_counter_name {
	const char *name, *alias; /* the alias may be NULL */
	uint32_t type;
	uint64_t config;
};

/* Call each() for the name of every hardware, software and cache counter until it returns non-zero. */
int rt_counter_each(int (*each)(void *arg, const struct rt_counter_name *counter), void *arg);

/* Offer each name as a suggestion. */
void rt_counter_offer(struct rt_nearest *near);

/*
 * Parse the /terms/ of an event.  The cursor is behind the first slash; the function steps over the
 * closing one.  PMU is NULL for an event that does not belong to a PMU: then only the terms that
 * every event accepts are allowed.
 */
int rt_terms_parse(struct rt_scan *scan, const struct rt_event_env *env, const char *pmu,
		   struct rt_event_spec *spec);

/* Parse the modifiers after a ':', up to the end. */
int rt_modifiers_parse(struct rt_scan *scan, struct perf_event_attr *attr);

#endif
