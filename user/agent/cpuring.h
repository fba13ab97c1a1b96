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
	struct rt_live_ring live; /* discard mode: read in place */

	/* Overwrite mode: nothing is read unless it is drained. */
	bool overwrite;
	bool open; /* a sub-buffer is taken, `taken` is on its way through it */
	struct rt_subbuf_reader taken;
	uint64_t drain; /* take those that come before this number */
	int fd;
	uint32_t cpu;

	uint64_t read;		 /* records given out */
	struct rt_record record; /* the one at hand, if `have` */
	bool have;
};

/* Overwrite mode: peek and take from now on give what the ring holds at this moment. */
void rt_cpuring_drain(struct rt_cpuring *r);

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
