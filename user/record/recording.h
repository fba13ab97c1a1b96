/* SPDX-License-Identifier: GPL-2.0 */
/*
 * recording.h - from the module's rings into a perf.data file.
 *
 *	rt_recording_open()     add the events to a session and to the file
 *	rt_recording_start()    arm everything, write the existing tasks, then record events
 *	rt_recording_publish()  give the file its name
 *	rt_recording_sweep()    call repeatedly: move records from the rings into the file
 *	rt_recording_stop()     stop recording, disarm, sweep a last time, take the counts
 *	rt_recording_close()    complete the file
 *
 * This folder: the way from the rings to the file: adding events, sweeping, targets, the end of a
 * recording, its summary.  May use: base, host, arch, abi, uapi, agent, events, probe, perfdata,
 * perfdata/read, perfdata/write, symbols, symbols/kernel.
 */
#ifndef RT_RECORD_RECORDING_H
#define RT_RECORD_RECORDING_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "agent/session.h"
#include "base/error.h"
#include "events/spec.h"
#include "perfdata/write/writer.h"
#include "record/hurry.h"
#include "record/sampling.h"
#include "record/tasks.h"

/* One event: its number in the session and in the file. */
struct rt_recorded {
	const struct rt_event_spec *spec;
	uint32_t carry;
	int file;	      /* its number in the file */
	bool plain;	      /* its samples are nothing but its fields */
	bool addresses;	      /* they have a data address, if only 0 */
	uint8_t address;      /* which word of its fields is its address; 0: none */
	uint64_t lost_before; /* told in files that are complete */
	bool waits;	      /* its module is not loaded */
	uint32_t stack_max;   /* frames; 0: the module's limit */
	bool perf;	      /* a tracepoint that the kernel's perf_events deliver */
	struct rt_sampling sampling;
	struct rt_counts counts;
};

/* The format in the anchor begins with a line that has this in front of the event's system. */
#define RT_RECORDED_SYSTEM "system: "

/* Fill in the event's attributes for the file, from its kind, carry and sampling. */
void rt_recorded_attr(const struct rt_recorded *event, enum rt_arch arch, struct rt_attr *attr);

struct rt_recording_options {
	const char *path; /* NULL: no file, for a session that the module keeps */
	int argc;
	const char *const *argv;
	bool stacks;
	bool registers;
	bool addresses;		   /* of data, in every sample; 0 where there is none */
	bool strict;		   /* refuse a glob if one of its events cannot be recorded */
	bool (*interrupted)(void); /* whether the user wants to end; NULL: never */
	bool sync;		   /* sync the file to disk twice a second */
	bool raw;		   /* write sub-buffers as they are, see pieces.h */
	int level;		   /* compress the records with this level of zstd; 0: do not */
	bool identifiers;	   /* also if there is one event */
	bool count_threads;	   /* end the file with the counts of each thread */
	bool no_build_ids;	   /* do not read the build-ids of mapped files */
	int (*stalled)(void);	   /* as in rt_writer_options */
	FILE *messages;		   /* where progress is shown; NULL: nowhere */
	uint32_t stack_max;
	uint32_t instances;
	uint32_t watch_rate; /* record at most N hits per second per CPU; 0: the module's default */
	unsigned int threads; /* that read the rings, at most; 0: as many as fit to the CPUs */
	struct rt_sampling_options sampling;
	struct rt_rings rings;
};

/* Where events were lost, by cause. */
struct rt_losses {
	uint64_t told[RT_LOST_CAUSES];
	uint64_t places[RT_LOST_CAUSES];
	uint64_t first[RT_LOST_CAUSES], last[RT_LOST_CAUSES]; /* times of these places */
};

/* One event on one CPU; the sums so far, and what of them the files that are complete have. */
struct rt_off {
	size_t event; /* index in rt_recording.events */
	uint32_t cpu;
	uint64_t ns, times;
	uint64_t ns_told, times_told;
};

struct rt_off_list {
	struct rt_off *list;
	size_t count;
};

struct rt_recording {
	struct rt_agent_session session;
	struct rt_writer *writer; /* NULL: there is no file at the moment */
	const char *path;
	struct rt_writer_options file; /* for each file of the recording */
	uint64_t samples_before;       /* in files that are complete */
	uint64_t bytes_before;
	enum rt_arch arch;
	const struct rt_event_list *list;
	bool strict;		    /* as in the options */
	bool (*interrupted)(void);  /* the same */
	struct rt_recorded *events; /* indexed by session id - 1 */
	size_t count;
	struct rt_later *later; /* tracepoints of modules, see later.h */
	size_t later_count, later_hint;
	struct rt_tasks tasks;
	struct rt_losses losses;
	struct rt_off_list off;
	uint64_t skipped;      /* events whose records could not be parsed */
	uint64_t side_skipped; /* side-band records that could not be parsed */
	bool began;	       /* the file has its name */
	uint64_t newest;       /* the latest time of an event written */
	uint64_t side_newest;  /* and of a side-band record */
	uint64_t reached;      /* the time of the last one */
	uint64_t complete;    /* every event older than this is written, but for uncommitted ones */
	uint64_t marked;      /* the later of both when the last round record was written */
	unsigned int threads; /* as in the options */
	struct rt_hurry hurry;
	struct rt_lanes *lanes; /* NULL: one thread does everything */
	unsigned int writers;	/* threads that wrote events; 0: one; known at the end */
	bool more;		/* the last sweep left records in the rings */
	bool raw;		/* as in the options */
	bool foreign;		/* of another machine: its modules are written from elsewhere */
	FILE *messages;
	/*
	 * A sweep ends when the file has so many bytes; 0: no limit.  When all rings are to be emptied, on_full
	 * then makes room.
	 */
	uint64_t limit;
	int (*on_full)(struct rt_recording *r, struct rt_err *err);
	unsigned int marks_due; /* round records still to be written */
	uint64_t marked_at;	/* when the last round record was due */
};

/*
 * In later.c: the room that the file needs for events that are added while it records, in bytes; and
 * free what describes them.
 */
uint32_t rt_recording_room(const struct rt_event_list *list);
void rt_recording_free_later(struct rt_recording *r);

int rt_recording_open(struct rt_recording *r, const struct rt_event_list *list,
		      char *const *filters, const struct rt_event_env *env,
		      const struct rt_recording_options *opt, struct rt_err *err);
/*
 * A part of it, in adding.c: add all events.  Those of globs that the module refuses are noted as left
 * out, unless the options are strict.
 */
int rt_recording_add_all(struct rt_recording *r, const struct rt_event_list *list,
			 char *const *filters, const struct rt_event_env *env,
			 const struct rt_recording_options *opt, struct rt_err *err);
/*
 * The same for the session alone and one event, with an optional filter.  1: the event is left out.
 * r->events needs room for one more.
 */
int rt_recording_add_to_session(struct rt_recording *r, struct rt_event_spec *spec,
				const char *condition, const struct rt_event_env *env,
				const struct rt_recording_options *opt, struct rt_err *err);
/* The same for the file alone and one event: the session has it already. */
int rt_recording_add_to_file(struct rt_recording *r, struct rt_recorded *event, struct rt_err *err);
/* Arm everything; events of globs that cannot be armed are noted as left out.  No hit is recorded yet. */
int rt_recording_arm(struct rt_recording *r, struct rt_err *err);
/*
 * The same, write what exists already, and record.  With a WORKLOAD, record events only after that process calls exec; HELD: only after
 * rt_agent_session_start().
 */
int rt_recording_start(struct rt_recording *r, pid_t workload, bool held, struct rt_err *err);
/* Give the file its name, when nothing can be refused any more.  Closing earlier leaves no file. */
int rt_recording_publish(struct rt_recording *r, struct rt_err *err);
/*
 * Return the number of records written, or a negative errno.  One call takes a few milliseconds at
 * most; r->more says whether the rings hold more.  It also maps the rings of new CPUs.
 */
int rt_recording_sweep(struct rt_recording *r, struct rt_err *err);
/* How many bytes the file may still grow; at most 0: it is full. */
int64_t rt_recording_left(const struct rt_recording *r);
/* Overwrite mode: write the rings' present contents to the file; the recording goes on. */
int rt_recording_dump(struct rt_recording *r, struct rt_err *err);
/* Record nothing until rt_recording_resume(); the file gets what the rings hold. */
int rt_recording_pause(struct rt_recording *r, struct rt_err *err);
int rt_recording_resume(struct rt_recording *r, struct rt_err *err);
int rt_recording_stop(struct rt_recording *r, struct rt_err *err);
/*
 * After a failure: disarm, so that rt_recording_close() can say how many events are missing.  If there
 * is no file at the moment, return how many events are in none.
 */
uint64_t rt_recording_give_up(struct rt_recording *r);
/* Call this also if any function above fails. */
int rt_recording_close(struct rt_recording *r, struct rt_err *err);

#endif
