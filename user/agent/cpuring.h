/* SPDX-License-Identifier: GPL-2.0 */
/*
 * cpuring.h - one CPU's ring, mapped from the module: look at the next record, then take it.
 */
#ifndef RT_AGENT_CPURING_H
#define RT_AGENT_CPURING_H

#include <stdbool.h>
#include <stdint.h>

#include "agent/live.h"
#include "base/error.h"
#include "ringtail.h"

struct rt_cpuring {
	const struct rt_ring_status *status; /* NULL: not mapped */
	struct rt_ring_control *control;
	const void *data;
	size_t status_bytes, data_bytes;
	struct rt_live_ring live;
	struct rt_record record; /* the one at hand, if `have` */
	bool have;
};

/* PARTS is 0 or RT_MMAP_SIDE.  -ENXIO: this CPU has no ring (yet). */
int rt_cpuring_map(struct rt_cpuring *r, int fd, uint32_t cpu, uint32_t parts, struct rt_err *err);
void rt_cpuring_unmap(struct rt_cpuring *r);

/*
 * The oldest record that was not taken yet, or NULL: none now.  It stays valid, and is
 * given again, until rt_cpuring_take().
 */
const struct rt_record *rt_cpuring_peek(struct rt_cpuring *r);
void rt_cpuring_take(struct rt_cpuring *r);

#endif
