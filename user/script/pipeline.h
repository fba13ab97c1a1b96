/* SPDX-License-Identifier: GPL-2.0 */
/*
 * pipeline.h - one thread reads, all threads format, the output stays in order.
 *
 * The reading thread applies the side-band and puts samples into batches, each with the state of
 * its process at that moment.  Workers format batches.  The reading thread does so too if the
 * workers cannot keep up, so that one thread runs per processor; on a single processor there are no
 * workers.  The thread that finishes the oldest batch writes it and the finished ones behind it.
 *
 * The first batches are small, so that output begins at once.
 */
#ifndef RT_SCRIPT_PIPELINE_H
#define RT_SCRIPT_PIPELINE_H

#include <stdio.h>

#include "script/pending.h"

struct rt_pipeline;

/* threads: how many threads format, including the reading one; 0: one per processor. */
struct rt_pipeline *rt_pipeline_new(const struct rt_script *script, unsigned int threads, FILE *out,
				    struct rt_err *err);

/*
 * Return room for one more item; the caller fills it in before the next call of any function here.
 * NULL after a failure (rt_pipeline_error() gives the reason).  rt_pipeline_add() holds the record
 * and the maps and fills them in.
 */
struct rt_pending *rt_pipeline_add(struct rt_pipeline *p, const struct rt_perf_record *rec,
				   struct rt_maps *maps);

/* Pass on everything added so far, even if the batch is not full. */
void rt_pipeline_flush(struct rt_pipeline *p);

/* Also wait until all of it is formatted and written; then no thread uses shared state. */
void rt_pipeline_drain(struct rt_pipeline *p);

/* 0, or the negative errno of a failed write: -EPIPE if the reader of the output is gone. */
int rt_pipeline_error(const struct rt_pipeline *p);

/* Whether there was anything to write.  Drain first. */
bool rt_pipeline_has_printed(const struct rt_pipeline *p);

/* The error in a sample, after which nothing was printed; NULL if there was none.  Drain first. */
const struct rt_err *rt_pipeline_damage(const struct rt_pipeline *p);

/* Drain, stop the workers, free. */
void rt_pipeline_free(struct rt_pipeline *p);

/* The number of processors that this process may use. */
unsigned int rt_pipeline_processors(void);

#endif
