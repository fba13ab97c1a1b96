/* SPDX-License-Identifier: GPL-2.0 */
/*
 * collect.h - from the samples of a recording to the tree of a flame graph.
 *
 * Weights are summed by group and stack number while the recording is read; frames are looked at
 * once per distinct stack, at the end.
 */
#ifndef RT_DRAW_COLLECT_H
#define RT_DRAW_COLLECT_H

#include "base/error.h"
#include "draw/flame.h"
#include "profile/profile.h"

/* The levels below the stacks. */
enum rt_collect_level {
	RT_COLLECT_EVENT,
	RT_COLLECT_COMM,
	RT_COLLECT_PID,
	RT_COLLECT_TID,
	RT_COLLECT_CPU,
	RT_COLLECT_LEVELS
};

enum rt_collect_weight {
	RT_COLLECT_SAMPLES, /* each sample counts one */
	RT_COLLECT_PERIOD,
	RT_COLLECT_OFF_CPU, /* nanoseconds from sched:sched_switch to the return of the task */
};

struct rt_collect_how {
	enum rt_collect_level levels[RT_COLLECT_LEVELS];
	unsigned int level_count;
	enum rt_collect_weight weight;
	const char *event; /* only samples of this event; NULL: of all */
};

struct rt_collect_stats {
	uint64_t samples;	/* that were counted */
	uint64_t first, last;	/* times of samples; first > last: none has a time */
	uint64_t switches;	/* RT_COLLECT_OFF_CPU: of all tasks, with those not wanted */
	uint64_t unknown_waits; /* the end of which was not recorded */
};

/* Parse "event,comm,pid,tid,cpu". */
int rt_collect_levels(struct rt_collect_how *how, const char *text, struct rt_err *err);

/*
 * Read the profile to its end and add its stacks to one side of the tree.  After an error in the
 * file, what came before it is in the tree.  Off-CPU time needs the samples of unwanted tasks: open
 * the profile with keep_filtered.
 */
int rt_collect(struct rt_profile *profile, const struct rt_collect_how *how, struct rt_flame *flame,
	       int side, struct rt_collect_stats *stats, struct rt_err *err);

#endif
