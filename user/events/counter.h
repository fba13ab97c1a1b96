/* SPDX-License-Identifier: GPL-2.0 */
/*
 * counter.h - events of the kernel's counters: names, sysfs PMUs, /terms/ and :modifiers.
 */
#ifndef RT_EVENTS_COUNTER_H
#define RT_EVENTS_COUNTER_H

#include "events/scan.h"
#include "events/spec.h"

/* Hardware, software, cache and raw names; -ENOENT if NAME is none of them. */
int rt_counter_find(const char *name, struct perf_event_attr *attr);

/* Whether PMU is a directory of sysfs' event sources. */
bool rt_pmu_exists(const struct rt_event_env *env, const char *pmu);

/*
 * The /terms/ behind an event, cursor behind the first slash; steps over the
 * closing one.  PMU is NULL for an event that is not a PMU's: then only the
 * terms that every event takes are allowed.
 */
int rt_terms_parse(struct rt_scan *scan, const struct rt_event_env *env, const char *pmu,
		   struct rt_event_spec *spec);

/* The modifiers behind a ':', up to the end. */
int rt_modifiers_parse(struct rt_scan *scan, struct perf_event_attr *attr);

#endif
