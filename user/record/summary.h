/* SPDX-License-Identifier: GPL-2.0 */
/* summary.h - the lines printed at the end of a recording. */
#ifndef RT_RECORD_SUMMARY_H
#define RT_RECORD_SUMMARY_H

#include "record/recording.h"

/* What the closing lines need; the recording is closed before they are printed. */
struct rt_summary {
	struct rt_recorded *events; /* a copy */
	size_t count;
	bool overwrite;
	uint64_t read, overwritten; /* records of overwrite rings */
	uint64_t side_lost;
	uint32_t side_missing; /* bits: RT_SIDE_* */
	struct rt_losses losses;
	struct rt_off_list off;		/* a copy */
	uint64_t skipped, side_skipped; /* records that could not be parsed */
	uint64_t bytes;			/* written to the file or pipe */
	unsigned int writers;		/* threads that wrote events */
	double seconds;			/* since rt_summary_start() */
	double cpu;			/* CPU seconds that the program used in that time */
};

/* Call when the recording begins. */
void rt_summary_start(struct rt_summary *s);
/* Call when the recording has stopped; 0 or -ENOMEM. */
int rt_summary_take(struct rt_summary *s, const struct rt_recording *r);
/* Call after the file is closed and has its final size. */
void rt_summary_print(const struct rt_summary *s, const char *path, FILE *out);
void rt_summary_free(struct rt_summary *s);

#endif
