/* SPDX-License-Identifier: GPL-2.0 */
/*
 * expand.h - from a raw recording (`record --raw`) into the perf.data file that record would have written.
 *
 * The pieces of sub-buffers become rings again, and user/record/ turns their records into samples, in
 * the order of time.  A round record says that everything up to the round before is in the file, so
 * what waits for being sorted is what half a second of the recording brought, and it stays in the
 * mapped file.
 *
 * This folder: reading raw recordings.  May use: base, host, arch, uapi, agent, events, record,
 * perfdata, perfdata/read, perfdata/write.
 */
#ifndef RT_RAW_EXPAND_H
#define RT_RAW_EXPAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

/* Its build-ids: EARLIER are those of a checkpoint, because the last ones are cut off. */
enum rt_raw_build_ids { RT_RAW_IDS_WHOLE, RT_RAW_IDS_EARLIER, RT_RAW_IDS_MISSING };

/* What a raw recording held. */
struct rt_raw_found {
	uint64_t samples; /* in the expanded file */
	uint64_t missing; /* events that the recording should hold and that are not in the expanded file */
	uint64_t bytes; /* of the expanded file */
	bool opened; /* errors are no longer those of the raw recording, but of the expanded file */
	bool closed, cut;
	unsigned int damages; /* places that were skipped */
	uint64_t skipped;     /* bytes of them */
	uint64_t first_damage;
	enum rt_raw_build_ids build_ids;
	char header[256]; /* what is wrong with the header, or "" */
};

/* Expand the file FROM to TO ("-": standard output, in pipe format).  Progress is shown on MESSAGES. */
int rt_raw_expand(const char *from, const char *to, FILE *messages, struct rt_raw_found *found,
		  struct rt_err *err);
/* The same to an open file, which the caller keeps. */
int rt_raw_expand_to(const char *from, int fd, FILE *messages, struct rt_raw_found *found,
		     struct rt_err *err);

/*
 * What is missing or damaged, in words, without the number of missing events, which the expanded file tells its readers.
 * False if nothing is.
 */
bool rt_raw_complaint(const struct rt_raw_found *found, const char *path, char *text, size_t size);

/*
 * Expand PATH into a file without a name in $TMPDIR, /var/tmp or /tmp and return its descriptor;
 * WARNING gets the complaint, or "".
 */
int rt_raw_open(const char *path, FILE *messages, char *warning, size_t size, struct rt_err *err);

#endif
