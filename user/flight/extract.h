/* SPDX-License-Identifier: GPL-2.0 */
/*
 * extract.h - from the rings in a memory image into a perf.data file.
 *
 * This folder: `ringtail flight`.  May use: base, host, arch, uapi, agent, image, events, record,
 * perfdata, perfdata/write.
 */
#ifndef RT_FLIGHT_EXTRACT_H
#define RT_FLIGHT_EXTRACT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "image/find.h"

struct rt_flight_options {
	const char *path;     /* the file to write; NULL: only look */
	const char *kallsyms; /* of the machine that died, or NULL */
	bool live;	      /* the rings are of this machine, which goes on */
	bool recovered;	      /* the image has the rings only, not the tasks */
	int argc;
	const char *const *argv;
};

/* What one CPU's ring held. */
struct rt_flight_cpu {
	uint32_t cpu;
	uint64_t records, first, last; /* times; valid if there are records */
	uint32_t tid;
	uint16_t event;	     /* of the last record: its number in the session */
	char event_name[80]; /* or "" */
};

/* What was found of one session. */
struct rt_flight_found {
	struct rt_flight_cpu *cpu;
	size_t cpus;
	uint64_t records;
	uint64_t pending; /* were being written when the machine stopped: skipped */
	uint64_t behind;  /* of a machine that runs: behind a record that is being written */
	uint64_t side_records;
	uint64_t unknown;	  /* records of events that the image does not describe: left out */
	uint64_t malformed;	  /* records that make no sense: left out */
	uint64_t lost;		  /* during the recording, in the time that the rings cover */
	uint64_t overwritten;	  /* older records that newer ones replaced */
	uint64_t subbufs;	  /* sub-buffers with records */
	uint64_t subbufs_missing; /* of which nothing is in the dump */
	uint64_t subbufs_cut;	  /* of which the end is missing or damaged */
	uint64_t subbufs_reused;  /* of a live machine: overwritten during the reading */
	uint64_t tasks;
	size_t events, modules;
	uint64_t newer; /* events whose records have parts that this program does not know: left out */
	bool tasks_complete, has_machine, live, recovered;
	struct rt_anchor_machine machine;
	struct rt_anchor_pin pin; /* of a flight; else without a name */
	uint64_t samples;	  /* in the file, the marks included */
	char *not_watched;	  /* lines about watches that were off at times; NULL: none was */
};

/* Look through a session's rings, and write them to a file if one is asked for. */
int rt_flight_extract(const struct rt_image *image, const struct rt_image_session *s,
		      const struct rt_flight_options *opt, struct rt_flight_found *found,
		      struct rt_err *err);
void rt_flight_found_free(struct rt_flight_found *found);

/* Print what was found, for people. */
void rt_flight_print(const struct rt_image *image, const struct rt_image_session *s,
		     const struct rt_flight_found *found, FILE *out);

#endif
