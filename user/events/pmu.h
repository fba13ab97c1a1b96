/* SPDX-License-Identifier: GPL-2.0 */
/* pmu.h - the PMUs that sysfs lists as event sources, with their events and terms. */
#ifndef RT_EVENTS_PMU_H
#define RT_EVENTS_PMU_H

#include "base/nearest.h"
#include "events/spec.h"

/* Whether sysfs lists PMU as an event source. */
bool rt_pmu_exists(const struct rt_event_env *env, const char *pmu);

/*
 * Read the file NAME in the directory DIR of a PMU, without the newline; the caller frees it.  NULL
 * for NAME: DIR is the file.  NULL if there is no such file.
 */
char *rt_pmu_read(const struct rt_event_env *env, const char *pmu, const char *dir,
		  const char *name);

/* Call each(arg, pmu) for every PMU, in the order of their names, until it returns non-zero. */
int rt_pmu_each(const struct rt_event_env *env, int (*each)(void *arg, const char *pmu), void *arg);

/* The same for the files of DIR, which is "events" or "format". */
int rt_pmu_each_file(const struct rt_event_env *env, const char *pmu, const char *dir,
		     int (*each)(void *arg, const char *name), void *arg);

/* Offer every PMU/EVENT/ as a suggestion. */
void rt_pmu_offer(const struct rt_event_env *env, struct rt_nearest *near);

#endif
