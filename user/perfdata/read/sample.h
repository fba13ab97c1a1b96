/* SPDX-License-Identifier: GPL-2.0 */
/*
 * sample.h - parse a sample, for every PERF_SAMPLE_* bit.
 *
 * Parsing allocates nothing and copies nothing: the pointers point into the record and live as long
 * as it does (reader.h).  It reads no mutable state, so any thread may parse a record that it
 * holds.
 */
#ifndef RT_PERFDATA_READ_SAMPLE_H
#define RT_PERFDATA_READ_SAMPLE_H

#include "base/error.h"
#include "perfdata/read/event.h"
#include "perfdata/read/reader.h"

struct rt_regs {
	uint64_t abi;  /* RT_REGS_ABI_*; NONE: no registers */
	uint64_t mask; /* which registers, lowest bit first in regs[] */
	const uint64_t *regs;
};

struct rt_sample {
	uint64_t ip;
	int32_t pid, tid; /* -1 if not recorded */
	uint64_t time;	  /* all ones if not recorded; the same for id and stream_id */
	uint64_t addr;
	uint64_t id, stream_id;
	uint32_t cpu;	 /* all ones if not recorded */
	uint64_t period; /* attr.sample_period if not recorded */
	uint8_t cpumode; /* RT_MISC_KERNEL, … */
	uint16_t misc;

	struct { /* SAMPLE_READ */
		uint64_t time_enabled, time_running;
		uint64_t nr;		/* number of values; 1 without FORMAT_GROUP */
		unsigned words;		/* 64-bit words per value: value [id] [lost] */
		const uint64_t *values; /* nr * words; see rt_sample_value() */
		uint64_t id, lost;	/* without FORMAT_GROUP */
	} read;

	struct {
		uint64_t nr;
		const uint64_t *ips; /* including RT_CONTEXT_* markers */
	} callchain;

	struct {
		uint32_t size;
		const void *data; /* at 4 bytes behind a multiple of 8, as in the file */
	} raw;

	struct {
		uint64_t nr;
		bool has_hw_idx;
		uint64_t hw_idx;
		const struct rt_branch_entry *entries;
		const uint64_t *counters; /* with RT_BRANCH_COUNTERS, else NULL */
	} branch;

	struct rt_regs user_regs, intr_regs;

	struct {
		const void *data;
		uint64_t size;	 /* bytes that the kernel filled */
		uint64_t room;	 /* bytes that it reserved */
		uint32_t offset; /* of its size word in the record */
	} user_stack;

	uint64_t weight;  /* the whole word; WEIGHT_STRUCT splits it as follows */
	uint32_t weight1; /* the meaning of `weight` in that case */
	uint16_t ins_lat, weight3;
	uint64_t data_src;
	uint64_t transaction;
	uint64_t phys_addr;
	uint64_t cgroup;
	uint64_t data_page_size, code_page_size;

	struct {
		uint64_t size;
		const void *data;
	} aux;
};

/* The task, time and CPU of a sample. */
struct rt_sample_head {
	uint64_t time;
	int32_t pid, tid;
	uint32_t cpu;
};

/* Parse only these, as rt_sample_parse() does; false if the sample is too short. */
bool rt_sample_head(const struct rt_perf_record *rec, struct rt_sample_head *head);

/*
 * Parse a record: a SAMPLE completely; of any other record the sample_id at its end (pid tid time
 * id stream_id cpu), if the file has them.  The event is rec->event. -EFAULT with a sentence if the
 * record is too short for its claimed contents; the fields before the bad one are filled in.
 */
int rt_sample_parse(const struct rt_perf_record *rec, struct rt_sample *s, struct rt_err *err);

/*
 * The same, into a sample that one of these functions filled from a record of the event `before`
 * and that nobody has changed since: fields that both records share are not written again.  NULL:
 * the sample is empty, as after an error.
 */
int rt_sample_parse_next(const struct rt_perf_record *rec, const struct rt_perf_event *before,
			 struct rt_sample *s, struct rt_err *err);

/* The i-th value of SAMPLE_READ. */
struct rt_sample_value {
	uint64_t value, id, lost;
};

struct rt_sample_value rt_sample_value(const struct rt_perf_event *event, const struct rt_sample *s,
				       uint64_t i);

/*
 * A sample of a group that was read together (SAMPLE_READ with FORMAT_GROUP) stands for one sample
 * of each member that counted something since the last one.  Call with *i = 0, and again until it
 * returns NULL.  Each call returns a member and sets *part to the sample with that member's id and
 * period.  Without SAMPLE_READ it returns the event itself once.  It keeps the previous value of
 * each counter, so call it in the order of delivery, from one thread.
 */
const struct rt_perf_event *rt_sample_split(struct rt_reader *reader,
					    const struct rt_perf_record *rec,
					    const struct rt_sample *s, uint64_t *i,
					    struct rt_sample *part);

#endif
