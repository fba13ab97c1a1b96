/* SPDX-License-Identifier: GPL-2.0 */
/*
 * writer.h - write a perf.data file or pipe that every perf since 5.10 opens.
 *
 * 	rt_writer_open("perf.data", &opt, &w, &err);
 * 	event = rt_writer_add(w, &desc, &err);		one call per event
 * 	rt_writer_begin(w, &err);
 * 	rt_synth_kernel(w, &err);			synth.h: what exists already
 * 	rt_synth_tasks(w, 0, &err);
 * 	rt_writer_comm(), …, rt_writer_sample(), …	as things happen
 * 	rt_writer_round(w);				after each sweep over the rings
 * 	rt_writer_close(w, &err);
 *
 * Order.  Records of one round may come in any order of time as long as none is
 * older than the newest one of the round before the last; a caller that merges by
 * time meets this by itself.  Records that break it are counted (out_of_order).
 *
 * Errors.  Opening, adding and closing fill an rt_err.  The functions that write
 * records return 0 or a negative errno; the first failure sticks: all that is
 * written later is refused with the same errno, and rt_writer_close() gives the
 * sentence.  What reached the file before stays a whole file.  A pipe whose reader
 * has gone is -EPIPE: the caller ignores SIGPIPE.
 *
 * Being killed.  Once a second, at the end of a round, the file on disk is brought
 * into a state that perf opens as it is: see write_file.c.
 *
 * Memory.  One buffer of RT_WRITER_BUFFER bytes; nothing is allocated per record.
 * One thread at a time.  docs/file-format.md tells what is written and why.
 */
#ifndef RT_PERFDATA_WRITER_H
#define RT_PERFDATA_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "perfdata/feature.h"
#include "perfdata/layout.h"

struct rt_writer;
struct rt_host;

#define RT_WRITER_BUFFER     (1024 * 1024)
#define RT_WRITER_EVENTS_MAX 65000	   /* tracepoint ids are 16 bits wide */
#define RT_WRITER_CHECKPOINT 1000000000ULL /* ns between two states a kill may leave */

/* What every sample carries; other records end with TID TIME CPU and the id. */
#define RT_WRITER_SAMPLE                                                                        \
	(RT_SAMPLE_IDENTIFIER | RT_SAMPLE_IP | RT_SAMPLE_TID | RT_SAMPLE_TIME | RT_SAMPLE_CPU | \
	 RT_SAMPLE_PERIOD)

/* What an event may ask for beyond that in attr.sample_type. */
#define RT_WRITER_SAMPLE_MORE                                                         \
	(RT_SAMPLE_ADDR | RT_SAMPLE_CALLCHAIN | RT_SAMPLE_RAW | RT_SAMPLE_REGS_USER | \
	 RT_SAMPLE_STACK_USER | RT_SAMPLE_REGS_INTR)

#define RT_WRITER_NO_CLOCKID (-1) /* the kernel's local clock: no user clock reads the same */

struct rt_writer_options {
	int argc; /* what the user typed: CMDLINE */
	const char *const *argv;
	int32_t clockid; /* of all times: CLOCK_MONOTONIC, …, or RT_WRITER_NO_CLOCKID */
	uint64_t wall_ns, clock_ns; /* one moment by both clocks; 0: now, taken by begin */
	const struct rt_host *host; /* facts of the traced machine (hostinfo.h); NULL: this one */
	bool no_build_ids;	    /* do not open mapped files to learn theirs */
	/* Recorded on another machine, which host, wall_ns and clock_ns tell of: read nothing here. */
	bool foreign;
	uint64_t checkpoint_ns; /* 0: RT_WRITER_CHECKPOINT */
};

/* path "-": standard output, in pipe format.  A file that is there is replaced. */
int rt_writer_open(const char *path, const struct rt_writer_options *opt, struct rt_writer **out,
		   struct rt_err *err);
/* The same in pipe format to a descriptor that stays the caller's. */
int rt_writer_open_pipe(int fd, const struct rt_writer_options *opt, struct rt_writer **out,
			struct rt_err *err);

struct rt_writer_event {
	const char *
		name; /* as perf shows it: "sched:sched_switch", "probe:tcp_sendmsg", "cpu-clock" */
	/*
	 * type, config, sample_period or _freq, exclude_ and other flags, sample_regs_user,
	 * sample_stack_user, …; of sample_type only the bits of RT_WRITER_SAMPLE_MORE.
	 */
	struct rt_attr attr;
	const uint64_t *ids; /* NULL: one id of the writer's own choosing */
	size_t ids_count;
	/*
	 * RT_TYPE_TRACEPOINT: the text of events/SYSTEM/EVENT/format.  NULL: taken from
	 * tracefs.  An event of our own (probe, watch) leaves attr.config 0: it gets an
	 * id that no other event of the file has, put into its text as well.
	 */
	const char *format;
};

/* Before begin.  Returns the number of the event, counted from 0, or a negative errno. */
int rt_writer_add(struct rt_writer *w, const struct rt_writer_event *event, struct rt_err *err);
/* From here on records may be written. */
int rt_writer_begin(struct rt_writer *w, struct rt_err *err);

/* After begin: the first id of an event, and its tracepoint id (common_type). */
uint64_t rt_writer_id(const struct rt_writer *w, unsigned event);
uint16_t rt_writer_tracepoint(const struct rt_writer *w, unsigned event);

struct rt_writer_regs {
	const uint64_t *regs; /* one for each bit of the attr's mask; NULL: none could be had */
	uint64_t abi;	      /* RT_REGS_ABI_32 or _64 */
};

struct rt_writer_sample {
	unsigned event;
	uint16_t misc; /* RT_MISC_KERNEL or RT_MISC_USER: where ip is */
	uint32_t cpu;
	int32_t pid, tid;
	uint64_t id; /* 0: the event's first */
	uint64_t time, ip, period, addr;

	/* The stack, innermost frame first, without markers: those are set here. */
	const void *kernel_ips, *user_ips; /* 64-bit numbers, aligned to nothing */
	size_t kernel_count, user_count;

	/*
	 * A tracepoint's record.  With `common` the 8 bytes of common fields are made
	 * here (type, flags, preempt count, tid), and raw is what comes behind them.
	 */
	const void *raw;
	size_t raw_size;
	bool common;
	uint8_t common_flags, common_preempt_count;

	struct rt_writer_regs user_regs, intr_regs;
	const void *stack; /* bytes of the user stack, from its pointer upwards */
	size_t stack_size;
};

/* -EMSGSIZE when it is longer than a record can be: then it is counted as lost, in the file too. */
int rt_writer_sample(struct rt_writer *w, const struct rt_writer_sample *s);

/* Where and when a record other than a sample was made.  NULL stands for "before the recording". */
struct rt_writer_stamp {
	uint64_t time;
	int32_t pid, tid; /* of the task that ran */
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
 * Whether a mapping belongs into the recording: what is executable and, where stack bytes
 * are recorded, the files' other parts as well, since their unwind tables lie there.
 */
bool rt_writer_wants(const struct rt_writer *w, const struct rt_writer_map *map);
/* A mapping of a process.  A path seen for the first time has its build-id read and kept. */
int rt_writer_map(struct rt_writer *w, const struct rt_writer_stamp *at,
		  const struct rt_writer_map *map);
/*
 * The kernel ("[kernel.kallsyms]_text": pgoff is the address of that symbol) or a
 * module (its file, or "[name]").
 */
int rt_writer_kernel_map(struct rt_writer *w, const struct rt_writer_stamp *at, uint64_t start,
			 uint64_t len, uint64_t pgoff, const char *filename);
int rt_writer_ksymbol(struct rt_writer *w, const struct rt_writer_stamp *at, uint64_t addr,
		      uint32_t len, uint16_t type, bool gone, const char *name);

/*
 * So many samples of an event are not in the file, lost on at->cpu not later than
 * at->time.  The sum for each event is written once more when closing.
 */
int rt_writer_lost(struct rt_writer *w, const struct rt_writer_stamp *at, unsigned event,
		   uint64_t count);

/* A record made elsewhere (the kernel's ring, another file), whole, with our trailer. */
int rt_writer_record(struct rt_writer *w, const struct rt_record_header *record, uint64_t time);

/* The build-id of a kernel object; those of user files are found by rt_writer_map(). */
int rt_writer_build_id(struct rt_writer *w, const char *filename, bool kernel,
		       const struct rt_build_id *id);

/* Everything older than the newest record of the round before is in the file. */
int rt_writer_round(struct rt_writer *w);

struct rt_writer_stats {
	uint64_t records, samples;
	uint64_t bytes; /* written, or still in the buffer */
	uint64_t lost;	/* told to rt_writer_lost(), and too big */
	uint64_t too_big;
	uint64_t out_of_order;
};

const struct rt_writer_stats *rt_writer_stats(const struct rt_writer *w);
uint64_t rt_writer_samples(const struct rt_writer *w, unsigned event);

/*
 * Write what is left, the sizes and the feature sections, and free the writer, also
 * when it fails.  0, or the first error of the whole recording.
 */
int rt_writer_close(struct rt_writer *w, struct rt_err *err);
/* Give up: before begin nothing is left behind, later what a kill would leave. */
void rt_writer_abort(struct rt_writer *w);

#endif
