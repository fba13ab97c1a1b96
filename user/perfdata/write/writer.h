/* SPDX-License-Identifier: GPL-2.0 */
/*
 * writer.h - write a perf.data file or pipe that every perf since 5.10 opens.
 *
 *	rt_writer_open("perf.data", &opt, &w, &err);
 *	event = rt_writer_add(w, &desc, &err);		one call per event
 *	rt_writer_begin(w, &err);
 *	rt_synth_kernel(w, &err);			synth.h: what exists already
 *	rt_synth_tasks(w, 0, &err);
 *	rt_writer_comm(), …, rt_writer_sample(), …	as things happen
 *	rt_writer_round(w);				after each sweep over the rings
 *	rt_writer_close(w, &err);
 *
 * Order.  Records of one round may come in any order of time, as long as none is older than the
 * newest one of the round before the last.  A caller that merges by time meets this automatically.
 * The writer counts records that break the rule (out_of_order).
 *
 * Errors.  Opening, adding and closing fill an rt_err.  The functions that write records return 0
 * or a negative errno.  The first failure sticks: all later writes fail with the same errno, and
 * rt_writer_close() returns the sentence.  What reached the file before is still a complete file;
 * on a full disk the writer gives up the last kilobytes to complete it.  If the reader of a pipe is
 * gone, the error is -EPIPE; the caller must ignore SIGPIPE.
 *
 * Being killed.  Every half second in which something was written, the writer brings the file on
 * disk into a state that perf can open: see file.c.
 *
 * Memory.  One buffer of RT_WRITER_BUFFER bytes; nothing is allocated per record.  Only one thread
 * may use a writer at a time; lanes, below, let several write.  docs/file-format.md says what is
 * written and why.
 *
 * This folder: everything that makes a perf.data file or pipe: records, header, formats, and what
 * exists before the recording begins.  May use: base, host, perfdata; libelf, libdw,
 * libzstd.
 */
#ifndef RT_PERFDATA_WRITE_WRITER_H
#define RT_PERFDATA_WRITE_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "perfdata/layout.h"

struct rt_writer;
struct rt_host_description;

#define RT_WRITER_BUFFER     (1024 * 1024)
#define RT_WRITER_EVENTS_MAX 65000	  /* tracepoint ids are 16 bits wide */
#define RT_WRITER_CHECKPOINT 200000000ULL /* ns between two checkpoints */
#define RT_WRITER_SYNC	     500000000ULL /* the same if each goes to disk */

/*
 * What every sample carries; other records end with TID TIME CPU and the id.  With `terse`, a
 * recording of one event has no ids.
 */
#define RT_WRITER_SAMPLE                                                                        \
	(RT_SAMPLE_IDENTIFIER | RT_SAMPLE_IP | RT_SAMPLE_TID | RT_SAMPLE_TIME | RT_SAMPLE_CPU | \
	 RT_SAMPLE_PERIOD)

/* What an event may add to that in attr.sample_type. */
#define RT_WRITER_SAMPLE_MORE                                                         \
	(RT_SAMPLE_ADDR | RT_SAMPLE_CALLCHAIN | RT_SAMPLE_RAW | RT_SAMPLE_REGS_USER | \
	 RT_SAMPLE_STACK_USER | RT_SAMPLE_REGS_INTR)

#define RT_WRITER_NO_CLOCKID (-1) /* the kernel's local clock, which user space cannot read */

struct rt_writer_options {
	int argc; /* the command line as typed: CMDLINE */
	const char *const *argv;
	int32_t clockid; /* of all times: CLOCK_MONOTONIC, …, or RT_WRITER_NO_CLOCKID */
	uint64_t wall_ns, clock_ns; /* the same moment in both clocks; 0: begin reads them */
	const struct rt_host_description
		*host;	   /* the traced machine (host/description.h); NULL: this one */
	bool no_build_ids; /* do not open mapped files to read their build-ids */
	/*
	 * Recorded on another machine, which host, wall_ns and clock_ns describe: read nothing
	 * here.
	 */
	bool foreign;
	uint64_t checkpoint_ns; /* 0: RT_WRITER_CHECKPOINT, with sync RT_WRITER_SYNC */
	bool sync;		/* sync each checkpoint to disk before the next record is written */
	/*
	 * Called repeatedly while the reader of a pipe does not read: 0 to go on waiting, or a
	 * negative errno to give up.  NULL: wait forever.
	 */
	int (*stalled)(void);
	bool held;	    /* rt_writer_publish() names the file, not begin */
	bool count_threads; /* end with how often each thread had each event */
	bool terse;	    /* leave out the ids if there is one event and no room for another */
	int level;	    /* compress the records of a file: zstd's level; 0: do not */
	uint32_t room; /* of a file, in bytes, for events that are added after begin; 0: none */
	bool raw;      /* a raw recording (perfdata/raw.h): its samples come as pieces */
	/*
	 * One for each RT_FEATURE_*: header sections of another recording of the same events, taken over
	 * as they are, with the formats of the tracepoints.  Valid until close.  NULL: none.
	 */
	const struct rt_writer_section {
		const void *data; /* NULL: made as ever */
		size_t size;
	} * sections;
};

/*
 * path "-": standard output, in pipe format.  An existing file is renamed to FILE.old when this one
 * gets its name.
 */
int rt_writer_open(const char *path, const struct rt_writer_options *opt, struct rt_writer **out,
		   struct rt_err *err);
/* The same in pipe format to a descriptor, which the caller keeps. */
int rt_writer_open_pipe(int fd, const struct rt_writer_options *opt, struct rt_writer **out,
			struct rt_err *err);

/* A regular file that is open for reading and writing, and that the caller keeps; PATH is for messages. */
int rt_writer_open_file(int fd, const char *path, const struct rt_writer_options *opt,
			struct rt_writer **out, struct rt_err *err);

struct rt_writer_event {
	const char *
		name; /* as perf shows it: "sched:sched_switch", "probe:tcp_sendmsg", "cpu-clock" */
	const char *alias; /* perf shows this instead of the name; NULL: none */
	/*
	 * type, config, sample_period or _freq, exclude_ and other flags, sample_regs_user,
	 * sample_stack_user, …; of sample_type only the bits of RT_WRITER_SAMPLE_MORE.
	 */
	struct rt_attr attr;
	const uint64_t *ids; /* NULL: the writer chooses one id */
	size_t ids_count;
	/*
	 * RT_TYPE_TRACEPOINT: the text of events/SYSTEM/EVENT/format.  NULL: read from tracefs.  An
	 * event of ringtail (probe, watch) leaves attr.config 0: it gets an id that no other event
	 * of the file has, which the writer also puts into the text.
	 */
	const char *format;
	int group; /* events of one group share a number and are adjacent; 0: no group */
};

/* Call before begin or, with `room`, at any time.  Returns the number of the event, from 0, or a negative errno. */
int rt_writer_add(struct rt_writer *w, const struct rt_writer_event *event, struct rt_err *err);
/* After this, records may be written. */
int rt_writer_begin(struct rt_writer *w, struct rt_err *err);
/* With `held`, call after begin.  Until then, giving up changes nothing on disk. */
int rt_writer_publish(struct rt_writer *w, struct rt_err *err);

/* After begin: the first id of an event, and its tracepoint id (common_type). */
uint64_t rt_writer_id(const struct rt_writer *w, unsigned event);
uint16_t rt_writer_tracepoint(const struct rt_writer *w, unsigned event);

struct rt_writer_regs {
	const uint64_t *regs; /* one for each bit of the attr's mask; NULL: not available */
	uint64_t abi;	      /* RT_REGS_ABI_32 or _64 */
};

struct rt_writer_sample {
	unsigned event;
	uint16_t misc; /* RT_MISC_KERNEL or RT_MISC_USER: where ip is */
	uint32_t cpu;
	int32_t pid, tid;
	uint64_t id; /* 0: the event's first */
	uint64_t time, ip, period, addr;

	/* The stack, innermost frame first, without markers: the writer adds them. */
	const void *kernel_ips, *user_ips; /* 64-bit numbers, not aligned */
	size_t kernel_count, user_count;

	/*
	 * A tracepoint's record.  With `common` the writer makes the 8 bytes of common fields
	 * (type, flags, preempt count, tid), and raw is what follows them.
	 */
	const void *raw;
	size_t raw_size;
	bool common;
	uint8_t common_flags, common_preempt_count;

	struct rt_writer_regs user_regs, intr_regs;
	const void *stack; /* bytes of the user stack, from its pointer upwards */
	size_t stack_size;
};

/* -EMSGSIZE if it is longer than a record can be; it is then counted as lost, also in the file. */
int rt_writer_sample(struct rt_writer *w, const struct rt_writer_sample *s);

/*
 * The same for an event that records nothing but its fields (rt_writer_plain), which most events of
 * most recordings are, in a fraction of the time.
 */
struct rt_writer_context {
	uint32_t event;
	uint16_t misc;
	uint8_t common_flags, common_preempt_count;
	struct rt_writer_task {
		int32_t pid, tid;
	} task;
};

bool rt_writer_plain(const struct rt_writer *w, unsigned event);
/* RAW is what follows the common fields, a multiple of 4 bytes.  The arguments fit into registers. */
int rt_writer_fields(struct rt_writer *w, struct rt_writer_context context, uint32_t cpu,
		     uint64_t time, uint64_t ip, const void *raw, size_t raw_size);

/* The place and time of a record other than a sample.  NULL stands for "before the recording". */
struct rt_writer_stamp {
	uint64_t time;
	int32_t pid, tid; /* of the current task */
	uint32_t cpu;
};

int rt_writer_comm(struct rt_writer *w, const struct rt_writer_stamp *at, int32_t pid, int32_t tid,
		   const char *comm, bool exec);
int rt_writer_fork(struct rt_writer *w, const struct rt_writer_stamp *at, int32_t pid, int32_t ppid,
		   int32_t tid, int32_t ptid);
int rt_writer_exit(struct rt_writer *w, const struct rt_writer_stamp *at, int32_t pid, int32_t ppid,
		   int32_t tid, int32_t ptid);

struct rt_writer_map {
	int32_t pid, tid;
	uint64_t start, len, pgoff;
	uint32_t maj, min;
	uint64_t ino, ino_generation;
	uint32_t prot, flags; /* PROT_*, MAP_* */
	const char *filename; /* "//anon", "[vdso]", a path */
};

/*
 * Whether a mapping belongs into the recording: executable ones; if stack bytes are recorded, also
 * the other parts of files, because they hold the unwind tables; if data addresses are recorded, all
 * that can be read.
 */
bool rt_writer_wants(const struct rt_writer *w, const struct rt_writer_map *map);
/* Write a mapping of a process.  For a new path, read and keep its build-id. */
int rt_writer_map(struct rt_writer *w, const struct rt_writer_stamp *at,
		  const struct rt_writer_map *map);
/*
 * Write the map of the kernel ("[kernel.kallsyms]_text": pgoff is the address of that symbol) or of
 * a module (its file, or "[name]").
 */
int rt_writer_kernel_map(struct rt_writer *w, const struct rt_writer_stamp *at, uint64_t start,
			 uint64_t len, uint64_t pgoff, const char *filename);
int rt_writer_ksymbol(struct rt_writer *w, const struct rt_writer_stamp *at, uint64_t addr,
		      uint32_t len, uint16_t type, bool gone, const char *name);

/*
 * Write that so many samples of an event were lost on at->cpu, at or before at->time.  Closing
 * writes the sum for each event again.
 */
int rt_writer_lost(struct rt_writer *w, const struct rt_writer_stamp *at, unsigned event,
		   uint64_t count);

/*
 * Write that events were lost on at->cpu (UINT32_MAX: unknown), at or before at->time, with the
 * number for each cause in the module's numbering: a LOST record, and a note with the causes.  The
 * affected events are unknown here; rt_writer_lost_sum() adds to each event's sum, which closing
 * writes.
 */
int rt_writer_lost_here(struct rt_writer *w, const struct rt_writer_stamp *at,
			const uint64_t lost[RT_NOTE_CAUSES]);
int rt_writer_lost_sum(struct rt_writer *w, unsigned event, uint64_t count);
/* Write a note: up to at->time the event was off on at->cpu, for at most NS nanoseconds in so many TIMES. */
int rt_writer_off(struct rt_writer *w, const struct rt_writer_stamp *at, unsigned event,
		  uint64_t ns, uint64_t times);

/*
 * A raw recording: bytes FROM to TO of a sub-buffer, which begins at SUBBUF, with so many records, the
 * last of them at LAST or a little later.
 */
struct rt_writer_piece {
	const void *subbuf;
	uint32_t cpu, from, to;
	uint64_t seq, start, last, records;
};

enum { RT_WRITER_PIECES_MAX = 16 };

/* Write up to RT_WRITER_PIECES_MAX pieces at once. */
int rt_writer_pieces(struct rt_writer *w, const struct rt_writer_piece *pieces, unsigned int count);

/* Set the number of events that would be missing if the recording were killed now. */
void rt_writer_pending(struct rt_writer *w, uint64_t events);
/* Call before closing: the number of events that occurred; those not in the file are missing. */
void rt_writer_total(struct rt_writer *w, uint64_t events);

/* Write a complete record from elsewhere (the kernel's ring, another file), with our trailer. */
int rt_writer_record(struct rt_writer *w, const struct rt_perf_record_header *record,
		     uint64_t time);
/* A record of those was made on this CPU: the header has at least as many. */
void rt_writer_cpu(struct rt_writer *w, uint32_t cpu);

/* Set the build-id of a kernel object; rt_writer_map() finds those of user files. */
int rt_writer_build_id(struct rt_writer *w, const char *filename, bool kernel,
		       const struct rt_buildid *id);

/* End a round: everything older than the newest record of the previous round is in the file. */
int rt_writer_round(struct rt_writer *w);
/*
 * Call often: if something was written and the last time is long enough ago, bring the file on disk
 * up to date; for a pipe, write out the buffer.  Ending a round does the same.
 */
int rt_writer_settle(struct rt_writer *w);
/* Whether that would do something now. */
bool rt_writer_due(const struct rt_writer *w);

/*
 * Several threads that write samples and losses at once: each uses a lane as it would use the writer.
 * From rt_writer_lanes_begin() until all have flushed, nobody uses the writer itself; then
 * rt_writer_lane_end(), by one thread, adds each event's counts.  The records of lanes are not in
 * order among each other: the caller ends a round only when the rule at the top is met.
 */
struct rt_writer *rt_writer_lane_new(struct rt_writer *w);
void rt_writer_lane_free(struct rt_writer *lane);
int rt_writer_lanes_begin(struct rt_writer *w);
int rt_writer_lane_begin(struct rt_writer *lane);
int rt_writer_lane_flush(struct rt_writer *lane);
/*
 * Flush it and, if a checkpoint is due, make everything that was flushed readable.  Nobody else writes
 * mappings meanwhile.
 */
int rt_writer_lane_settle(struct rt_writer *lane);
/* The bytes of all records that this lane has made. */
uint64_t rt_writer_lane_bytes(const struct rt_writer *lane);
int rt_writer_lane_end(struct rt_writer *lane);

struct rt_writer_stats {
	uint64_t samples;
	uint64_t bytes;	      /* written, or still in the buffer */
	uint64_t lost;	      /* reported to rt_writer_lost(), plus records too big */
	uint64_t lost_places; /* LOST records with a note of their causes */
	uint64_t too_big;
	uint64_t out_of_order;
};

const struct rt_writer_stats *rt_writer_stats(const struct rt_writer *w);

/*
 * Write what the buffer holds: what is compressed has its size only then.  rt_writer_close() reports
 * what goes wrong.
 */
void rt_writer_flush(struct rt_writer *w);

/*
 * Write the rest, the sizes and the feature sections, and free the writer, also on failure.  Return
 * 0 or the first error of the whole recording.
 */
int rt_writer_close(struct rt_writer *w, struct rt_err *err);
/* Give up: remove a file that has no name yet; leave a named one as a kill would. */
void rt_writer_abort(struct rt_writer *w);

#endif
