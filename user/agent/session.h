/* SPDX-License-Identifier: GPL-2.0 */
/*
 * session.h - one session of the module: its rings, events and targets.
 *
 * Everything ends with rt_session_close(), and also when the program dies.
 */
#ifndef RT_AGENT_SESSION_H
#define RT_AGENT_SESSION_H

#include <stdint.h>

#include "agent/cpuring.h"
#include "base/error.h"
#include "ringtail.h"

struct rt_session {
	int fd;
	struct rt_info info;
	struct rt_rings rings;
	/* By CPU number, info.cpus_possible of them; those not mapped have no data. */
	struct rt_cpuring *events;
	struct rt_cpuring *side;
	uint32_t cpus;
};

/* Open the device and set up the rings; zeros in SHAPE take the module's defaults. */
int rt_session_open(struct rt_session *s, const struct rt_rings *shape, struct rt_err *err);
void rt_session_close(struct rt_session *s);

/* Map the rings of CPUs that have come since the last call.  The number mapped in all. */
int rt_session_map_new(struct rt_session *s, struct rt_err *err);

/*
 * Overwrite mode: let the rings give what they hold now, through rt_cpuring_peek() and _take(),
 * while the writers go on.
 */
int rt_session_drain(struct rt_session *s, struct rt_err *err);

/* Each refusal becomes a sentence in ERR. */
int rt_session_add(struct rt_session *s, struct rt_event_add *add, struct rt_err *err);
int rt_session_target(struct rt_session *s, uint32_t what, uint64_t value, struct rt_err *err);
int rt_session_enable(struct rt_session *s, struct rt_err *err);
int rt_session_disable(struct rt_session *s, struct rt_err *err);
int rt_session_counts(struct rt_session *s, uint32_t id, uint32_t cpu, struct rt_counts *counts,
		      struct rt_err *err);

#endif
