/* SPDX-License-Identifier: GPL-2.0 */
/*
 * pipeline.h - one thread reads, all format, the output stays in order.
 *
 * The reading thread applies the side-band and puts samples, each with the state of
 * its process at that moment, into batches.  Workers format batches; so does the
 * reading thread itself when the workers cannot keep up, so that as many threads run
 * as there are processors, and on one processor there is only the reading one.
 * Whoever finishes the oldest batch writes it, and those that wait behind it.
 *
 * The first batches are small, so that output begins at once.
 */
#ifndef RT_SCRIPT_PIPELINE_H
#define RT_SCRIPT_PIPELINE_H

#include "script/script.h"

struct rt_pipeline;

/*
 * What the reading thread says of a sample: little, for it passes from one processor's
 * cache to another's.  Whoever formats the sample takes it apart.
 */
struct rt_pending {
	const struct rt_event *event; /* NULL: `text` is printed as it is */
	const struct rt_record_header *hdr;
	struct rt_block *block;
	const struct rt_event *layout; /* the record's event; another than `event` in a group */
	uint64_t offset;
	uint64_t time; /* as in struct rt_item, likewise what follows */
	const char *comm;
	struct rt_maps *maps;
	int data_src_width;
	bool part; /* of a group read together: it has an id and a period of its own */
	union {
		struct {
			uint64_t id, period;
		};
		struct {
			char *text; /* freed when it is printed */
			size_t len;
		};
	};
};

/* threads: how many format, the reading one counted; 0: one for each processor. */
struct rt_pipeline *rt_pipeline_new(const struct rt_script *script, unsigned int threads, int fd,
				    struct rt_err *err);

/*
 * Room for one more, to be filled in before the next call of any function here; NULL when
 * it is over (rt_pipeline_error() says why).  The record and the maps are held and filled
 * in by rt_pipeline_add().
 */
struct rt_pending *rt_pipeline_add(struct rt_pipeline *p, const struct rt_record *rec,
				   struct rt_maps *maps);

/* Everything added so far goes on its way, though the batch is not full. */
void rt_pipeline_flush(struct rt_pipeline *p);

/* And is formatted and written when this returns: nobody looks at shared state then. */
void rt_pipeline_drain(struct rt_pipeline *p);

/* 0, or the negative errno with which the output broke: -EPIPE when nobody reads it. */
int rt_pipeline_error(const struct rt_pipeline *p);

/* What was wrong with a sample, after which nothing was printed; NULL: nothing.  When drained. */
const struct rt_err *rt_pipeline_damage(const struct rt_pipeline *p);

/* Drain, stop the workers, free. */
void rt_pipeline_free(struct rt_pipeline *p);

/* How many processors this process may use. */
unsigned int rt_pipeline_processors(void);

#endif
