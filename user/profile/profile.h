/* SPDX-License-Identifier: GPL-2.0 */
/*
 * profile.h - read a recording once and hand on every wanted sample with its event, thread, weight
 * and resolved stack.
 *
 *	struct rt_profile_options opt = { .stack.max = RT_FRAMES_DEFAULT, … };
 *	rt_profile_open(&opt, path, &profile, &err);
 *	rt_profile_read(profile, on_sample, arg, &err);		calls on_sample() for each sample
 *	…							functions and stacks stay valid
 *	rt_profile_close(profile);
 *
 * A stack is a number.  Equal stacks have the same number, so a caller sums weights by number and
 * looks at the frames only at the end:
 *
 *	for (n = sample->stack; n; n = node->caller) {		from the sampled function outwards
 *		node = rt_profile_node(profile, n);
 *		func = rt_profile_func(profile, node->func);
 *	}
 *
 * Number 0 is the end, and the stack of a sample that has none.  A node belongs to one path from
 * the outermost caller, so the nodes are the call tree of the recording.
 *
 * The raw addresses of each distinct stack are resolved once.  Memory grows with the number of
 * distinct stacks, not with the number of samples.
 *
 * This folder: the samples of a recording with interned functions and stacks.  May use: base,
 * perfdata, perfdata/read, process, symbols, symbols/kernel, symbols/lines, symbols/unwind, stack.
 */
#ifndef RT_PROFILE_PROFILE_H
#define RT_PROFILE_PROFILE_H

#include <stdio.h>

#include "perfdata/read/sample.h"
#include "process/selection.h"
#include "profile/funcs.h"
#include "profile/nodes.h"
#include "stack/stack.h"

struct rt_profile_options {
	struct rt_stack_how stack;	   /* set `max` and `compat` */
	struct rt_symbols_options symbols; /* where symbols come from */
	struct rt_selection want;	   /* parsed; rt_profile_open() parses the times */
	const char *time;		   /* --time, or NULL */
	bool keep_filtered; /* hand on samples of unwanted tasks too, marked `filtered` */
	bool no_stacks;	    /* every stack is 0 */
	bool by_address;    /* frames at different addresses of a function are different nodes */
	bool all_inlines;   /* inlined functions in all stacks; default: in unwound ones, as perf */
	bool no_inlines;
	bool hide_unresolved; /* leave frames without a symbol out of stacks */
	struct rt_reader_options reader;
	FILE *progress; /* for a progress bar if it is a terminal; NULL: none */
};

/* One sample; valid during the call. */
struct rt_profile_sample {
	const struct rt_perf_event *event;
	const struct rt_thread *thread; /* pid, tid; `comm` at the time of the sample */
	const struct rt_sample *raw;	/* everything that was recorded */
	uint64_t time;			/* all ones: not recorded */
	uint32_t cpu;			/* all ones: not recorded */
	uint64_t weight;		/* the period */
	uint32_t func;			/* the sampled function: for rt_profile_func() */
	uint64_t address;		/* the sampled address in its object */
	uint32_t stack;			/* for rt_profile_node() */
	bool filtered;
};

struct rt_profile;

/* Returns 0, or a negative error with a sentence; `opt` must live as long as the profile. */
int rt_profile_open(struct rt_profile_options *opt, const char *path, struct rt_profile **out,
		    struct rt_err *err);
void rt_profile_close(struct rt_profile *p);

/*
 * Read everything.  A negative value from fn stops the reading and is returned.  After an error in
 * the file, everything in front of the damage was handed on.
 */
typedef int (*rt_profile_fn)(void *arg, const struct rt_profile_sample *sample, struct rt_err *err);
int rt_profile_read(struct rt_profile *p, rt_profile_fn fn, void *arg, struct rt_err *err);

/* To look at any other record too; call it before rt_profile_read(). */
typedef void (*rt_profile_record_fn)(void *arg, const struct rt_perf_record *rec);
void rt_profile_on_record(struct rt_profile *p, rt_profile_record_fn fn, void *arg);

/* Where another address of a sample is: that of its data. */
struct rt_funcs_place rt_profile_at(struct rt_profile *p, const struct rt_profile_sample *s,
				    uint64_t address);
/* The same of an address that may be in the kernel or in user code, as the ends of branches. */
struct rt_funcs_place rt_profile_find(struct rt_profile *p, const struct rt_profile_sample *s,
				      uint64_t address);
const struct rt_profile_func *rt_profile_func(const struct rt_profile *p, uint32_t func);
const struct rt_profile_node *rt_profile_node(const struct rt_profile *p, uint32_t node);
/* The numbers of functions and nodes so far; they count from 0 without gaps. */
/* Whether any function is inlined. */
bool rt_profile_has_inlines(const struct rt_profile *p);
uint32_t rt_profile_func_count(const struct rt_profile *p);
uint32_t rt_profile_node_count(const struct rt_profile *p);

struct rt_reader *rt_profile_reader(const struct rt_profile *p);
struct rt_machine *rt_profile_machine(struct rt_profile *p);

#endif
