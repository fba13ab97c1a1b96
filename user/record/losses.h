/* SPDX-License-Identifier: GPL-2.0 */
/* losses.h - where events were lost and why: written to the file as it happens, and summed up. */
#ifndef RT_RECORD_LOSSES_H
#define RT_RECORD_LOSSES_H

#include <stddef.h>
#include <stdint.h>

#include "record/recording.h"

/* Record that events were lost on CPU at or before TIME; 0 or the writer's negative errno. */
int rt_losses_tell(struct rt_recording *r, uint32_t cpu, uint64_t time,
		   const uint64_t lost[RT_LOST_CAUSES]);
/*
 * Call now and then: report losses since the last call that no ring has counted.  They happened
 * between the two calls; TIME is that of the newest record.
 */
int rt_losses_look(struct rt_recording *r, uint64_t time);
/* Call before a file is complete and another one begins: each event's losses since the last file. */
int rt_losses_file(struct rt_recording *r, struct rt_err *err);
/*
 * Call when the rings are empty: report losses after their last records, and each event's counts.
 */
int rt_losses_end(struct rt_recording *r, uint64_t time, struct rt_err *err);

/* "ring full"; CAUSE is RT_LOST_*. */
const char *rt_losses_cause(int cause);
/* Format " in 3 places between 12.345678 and 12.456789", or "". */
const char *rt_losses_where(const struct rt_losses *l, int cause, char *text, size_t size);

#endif
