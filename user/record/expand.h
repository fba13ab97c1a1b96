/* SPDX-License-Identifier: GPL-2.0 */
/* expand.h - convert compact ring records to records of a perf.data file. */
#ifndef RT_RECORD_EXPAND_H
#define RT_RECORD_EXPAND_H

#include "agent/subbuf.h"
#include "record/recording.h"

/* Return 0 or the writer's negative errno.  A malformed record is skipped and counted. */
int rt_expand_event(struct rt_recording *r, const struct rt_record *rec, uint32_t cpu);
int rt_expand_side(struct rt_recording *r, const struct rt_record *rec, uint32_t cpu);

/*
 * Which word of the fields is the address where it happened: a probe's first one; of a return probe the
 * second one, the caller's address.
 */
unsigned int rt_expand_address(const struct rt_event_spec *spec);

#endif
