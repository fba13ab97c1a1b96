/* SPDX-License-Identifier: GPL-2.0 */
/*
 * gather.h - everything that the page about a recording shows besides its tables: a flame graph of
 * each event, the timeline, values and latencies.  Gathered in one pass over the samples.
 *
 * The caller sums samples that differ only in their time, for its tables.  The flame graphs are made
 * of these sums, and the page can show a part of the recorded time because each sum is divided into
 * slices of time.
 */
#ifndef RT_DRAW_GATHER_H
#define RT_DRAW_GATHER_H

#include "base/error.h"
#include "base/text.h"
#include "draw/slice_rows.h"
#include "profile/profile.h"

struct rt_gather;

/* The sum of a sample. */
struct rt_gather_into {
	uint32_t sum; /* RT_GATHER_NO_SUM: an option leaves the sample out */
	bool filtered;
	/*
	 * Samples of the same event, command, function, stack and mode always belong to this sum,
	 * and this one has not been added yet.  All sums of a recording are so, or none is.
	 */
	bool plain;
};

#define RT_GATHER_NO_SUM UINT32_MAX

/* The caller's sums. */
struct rt_gather_sums {
	void *arg;
	/*
	 * Find the sum of a sample, and add the sample to it if it is not plain; 0 or a negative
	 * errno with the sentence.
	 */
	int (*add)(void *arg, const struct rt_profile_sample *s, struct rt_gather_into *into,
		   struct rt_err *err);
	/* Add COUNT samples, which have WEIGHT together, to a plain sum. */
	void (*more)(void *arg, uint32_t sum, uint64_t count, uint64_t weight);
};

/* NULL: no memory */
struct rt_gather *rt_gather_new(struct rt_profile *profile, const struct rt_gather_sums *sums);
void rt_gather_free(struct rt_gather *g);

/*
 * Add a sample to its sum, then or later, and look at what it holds; 0 or a negative errno with the
 * sentence.
 */
int rt_gather_sample(void *gather, const struct rt_profile_sample *s, struct rt_err *err);
/* Look at any other record. */
void rt_gather_record(void *gather, const struct rt_perf_record *rec);

/* A sum of samples. */
struct rt_gather_sum {
	uint32_t event; /* its index */
	bool filtered;
	const char *comm;
	uint32_t func, stack; /* of the profile */
	uint64_t period;
};

/* The caller's part of the page. */
struct rt_gather_page {
	void *arg;
	uint32_t sums; /* how many there are */
	void (*sum)(void *arg, uint32_t i, struct rt_gather_sum *out);
	/*
	 * Append the table of an event, with at most ROWS rows.  Returns 0 or a negative errno with
	 * the sentence.
	 */
	int (*table)(void *arg, const struct rt_perf_event *event, size_t rows, struct rt_text *out,
		     struct rt_err *err);
	/* Append the numbers of that table over time as JSON. */
	void (*slices)(void *arg, const struct rt_perf_event *event, uint64_t unit,
		       struct rt_slice_rows *rows);
	bool damaged; /* the recording could not be read to its end */
};

/* After the last sample: add all samples to plain sums.  False if there is no memory. */
bool rt_gather_finish(struct rt_gather *g);
/* Append the whole page; after rt_gather_finish(). */
int rt_gather_write(struct rt_gather *g, const struct rt_gather_page *page, struct rt_text *out,
		    struct rt_err *err);

#endif
