/* SPDX-License-Identifier: GPL-2.0 */
/*
 * recording.h - from the module's rings into a perf.data file.
 *
 *	rt_recording_open()     events are added to a session and to the file
 *	rt_recording_start()    everything is armed, what exists already is written
 *	rt_recording_sweep()    again and again: what the rings hold goes into the file
 *	rt_recording_stop()     disarmed, the last sweep, counts are taken
 *	rt_recording_close()    the file is whole
 */
#ifndef RT_RECORD_RECORDING_H
#define RT_RECORD_RECORDING_H

#include <stdbool.h>
#include <sys/types.h>
#include <stdint.h>

#include "agent/session.h"
#include "base/error.h"
#include "events/spec.h"
#include "perfdata/writer.h"
#include "record/sampling.h"
#include "record/tasks.h"

/* One event as the session and the file know it. */
struct rt_recorded {
	const struct rt_event_spec *spec;
	uint32_t carry;
	int file;   /* its number in the file */
	bool waits; /* its module is not loaded */
	struct rt_sampling sampling;
	struct rt_counts counts;
};

struct rt_recording_options {
	const char *path;
	int argc;
	const char *const *argv;
	bool stacks;
	bool registers;
	uint32_t stack_max;
	uint32_t instances;
	uint32_t watch_rate; /* hits of a watch, a second and CPU; 0: the module's default */
	struct rt_sampling_options sampling;
	struct rt_rings rings;
};

struct rt_recording {
	struct rt_session session;
	struct rt_writer *writer;
	enum rt_arch arch;
	struct rt_recorded *events; /* by the session's id - 1 */
	size_t count;
	struct rt_tasks tasks;
	bool dumping;	   /* overwrite mode: events are being written */
	unsigned int idle; /* sweeps in a row that found nothing */
};

int rt_recording_open(struct rt_recording *r, const struct rt_event_list *list,
		      char *const *filters, const struct rt_event_env *env,
		      const struct rt_recording_options *opt, struct rt_err *err);
int rt_recording_start(struct rt_recording *r, pid_t workload, struct rt_err *err);
/* The number of records written, or a negative errno. */
int rt_recording_sweep(struct rt_recording *r);
/* Overwrite mode: what the rings hold now goes into the file; the recording goes on. */
int rt_recording_dump(struct rt_recording *r, struct rt_err *err);
int rt_recording_stop(struct rt_recording *r, struct rt_err *err);
/* Also after a failure anywhere above. */
int rt_recording_close(struct rt_recording *r, struct rt_err *err);

#endif
