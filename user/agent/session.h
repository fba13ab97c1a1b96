/* SPDX-License-Identifier: GPL-2.0 */
/*
 * session.h - one session of the module: its rings, events and targets.
 *
 * rt_agent_session_close() ends everything; so does the exit of the program.
 *
 * This folder: the device, its ioctls, mapped rings, and the records in sub-buffers, live or in a
 * memory image.  It knows neither perf.data nor symbols.  May use: base, host, abi, uapi.
 */
#ifndef RT_AGENT_SESSION_H
#define RT_AGENT_SESSION_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "agent/cpuring.h"
#include "base/error.h"
#include "ringtail.h"

struct rt_agent_session {
	int fd;
	struct rt_info info;
	struct rt_rings rings;
	/* Indexed by CPU number; unmapped rings have no data. */
	struct rt_cpuring *events;
	struct rt_cpuring *side;
	uint32_t cpus;
	uint32_t refused;  /* id of the event that could not be armed; 0: none */
	uint32_t left_out; /* events that were left out because they could not be armed */
};

/* Open the device and set up the rings; zeros in RINGS select the module's defaults. */
int rt_agent_session_open(struct rt_agent_session *s, const struct rt_rings *rings,
			  struct rt_err *err);
void rt_agent_session_close(struct rt_agent_session *s);

/* Map the rings of CPUs that have come online since the last call. */
int rt_agent_session_map_new(struct rt_agent_session *s, struct rt_err *err);

/*
 * Overwrite mode: let rt_cpuring_peek() and rt_cpuring_take() return what the rings hold now, while
 * the writers go on.
 */
int rt_agent_session_drain(struct rt_agent_session *s, struct rt_err *err);
/* Whether some of that is still to be read. */
bool rt_agent_session_draining(const struct rt_agent_session *s);
void rt_agent_session_drain_end(struct rt_agent_session *s);

/* The number of events in the rings that were not taken yet. */
uint64_t rt_agent_session_pending(const struct rt_agent_session *s);

/* A refusal becomes a sentence in ERR. */
int rt_agent_session_add(struct rt_agent_session *s, struct rt_event_add *add, struct rt_err *err);
int rt_agent_session_target(struct rt_agent_session *s, uint32_t what, uint64_t value,
			    struct rt_err *err);
/*
 * Arm everything or, if LENIENT, what can be armed: rt_counts.refused tells of the others.  The
 * module records the side-band now, but no hit before rt_agent_session_start().  -EINTR if a signal
 * came meanwhile: nothing is armed then.
 */
int rt_agent_session_arm(struct rt_agent_session *s, bool lenient, struct rt_err *err);
/* Arm everything and record at once. */
int rt_agent_session_enable(struct rt_agent_session *s, struct rt_err *err);
/* Record from now on or, with a PID, from the moment when that process calls exec. */
int rt_agent_session_start(struct rt_agent_session *s, pid_t pid, struct rt_err *err);
/* Stop recording hits; everything stays armed.  Signal handlers may call this. */
void rt_agent_session_stop(const struct rt_agent_session *s);
int rt_agent_session_disable(struct rt_agent_session *s, struct rt_err *err);
int rt_agent_session_counts(struct rt_agent_session *s, uint32_t id, uint32_t cpu,
			    struct rt_counts *counts, struct rt_err *err);
/* The next tracepoint of a module that loaded: 1, or 0 if there is no other one so far. */
int rt_agent_session_found(struct rt_agent_session *s, struct rt_found *found, struct rt_err *err);

#endif
