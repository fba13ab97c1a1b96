/* SPDX-License-Identifier: GPL-2.0 */
/*
 * callers.h - print stacks that consist only of addresses.
 *
 * Samples share their callers.  So besides the frame cache, each thread keeps the text of runs of
 * callers: four addresses that follow each other.  A run costs one lookup and one copy.  Runs are
 * counted from the outermost frame, so that stacks with the same callers have the same runs
 * whatever their depth.
 */
#ifndef RT_SCRIPT_PRINT_CALLERS_H
#define RT_SCRIPT_PRINT_CALLERS_H

#include "script/print/frames.h"
#include "script/print/script.h"

struct rt_callers;

struct rt_callers *rt_callers_new(const struct rt_script *script, struct rt_frames *frames);
void rt_callers_free(struct rt_callers *k);

/* Forget all runs, because kernel addresses get another meaning. */
void rt_callers_clear(struct rt_callers *k);

/*
 * Append the lines of the sample's chain to `out`; nothing if the chain is invalid.  False if the
 * stack ends there (--stop-bt).
 */
bool rt_callers_put(struct rt_callers *k, const struct rt_item *item, unsigned int parts,
		    struct rt_text *out);

/* The same for addresses that were unwound from the sample's copied stack. */
void rt_callers_put_unwound(struct rt_callers *k, const struct rt_item *item, const uint64_t *ips,
			    size_t count, unsigned int parts, struct rt_text *out);

#endif
