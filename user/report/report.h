/* SPDX-License-Identifier: GPL-2.0 */
/*
 * report.h - tables of a recording: what took how much, with call graphs.
 *
 *	sums.h		samples, summed while the recording is read
 *	keys.h		sort keys: the values that make two samples the same line
 *	table.h		the lines of one event, or of a group of events, in order
 *	tree.h		the call tree of one line
 *	graph.h		a call tree as text
 *	print.h		the tables as text
 *	diff.h		the comparison of recordings
 *
 * This folder: the tables and call graphs of `ringtail report`.  May use: base, perfdata,
 * perfdata/read, perfdata/text, process, symbols, symbols/kernel, symbols/lines, symbols/unwind,
 * stack, profile, traceformat.
 */
#ifndef RT_REPORT_REPORT_H
#define RT_REPORT_REPORT_H

#include <regex.h>

#include "base/names.h"
#include "profile/profile.h"
#include "report/keys.h"
#include "report/pool.h"
#include "report/sums.h"
#include "traceformat/tracer.h"

#define RT_PARENT_DEFAULT "^sys_|^do_page_fault" /* perf's */

enum rt_graph_style {
	RT_GRAPH_NONE,
	RT_GRAPH_ABSOLUTE, /* "graph": percentages of all samples */
	RT_GRAPH_RELATIVE, /* "fractal": percentages of the parent */
	RT_GRAPH_FLAT,
	RT_GRAPH_FOLDED,
};

enum rt_graph_value {
	RT_GRAPH_PERCENT,
	RT_GRAPH_PERIOD,
	RT_GRAPH_COUNT,
};

struct rt_graph_options {
	enum rt_graph_style style;
	enum rt_graph_value value;
	bool caller; /* from the outermost caller inwards; false: from the sampled function */
	bool lines;  /* print source lines: frames are told apart by address */
	double min_percent;
	unsigned int print_limit; /* 0: none */
};

struct rt_report_options {
	bool compat;
	bool children;	  /* add the time of callees to each function */
	bool stacks;	  /* the recording has stacks, and they are wanted */
	bool show_count;  /* -n */
	bool show_period; /* --show-total-period */
	bool show_modes;  /* --show-cpu-utilization */
	bool group;	  /* print a group of events as one table */
	bool group_all;	  /* of a recording without groups, all events */
	bool hierarchy;
	bool hide_unresolved;
	bool exclude_other; /* leave out lines without a caller that --parent matches */
	bool branches; /* count the branches of samples, not the samples (default, if there are) */
	bool no_branches; /* --no-branch-stack */
	bool memory;   /* --mem-mode: samples are accesses to data, and count with their weights */
	bool relative; /* percentages of the samples that pass the filters */
	bool raw_trace;
	bool nanoseconds;
	bool full_source_path;
	bool quiet;
	bool show_empty; /* events without samples, too */
	bool keep_ends;	 /* tables say to which lines each sum belongs, and have no call graphs */
	bool by_thread;	 /* tell sums of different threads apart, whatever the sort keys */
	double percent_limit;
	char separator; /* -t; 0: none */
	uint64_t time_quantum;
	const char *sort, *fields, *time, *widths, *parent;
	const char *switch_on, *switch_off; /* events between which samples count */
	bool show_switches;		    /* count these events, too */
	struct rt_names symbols, objects;   /* filters */
	const char *symbol_part;	    /* only lines of functions with this in their names */
	const char *socket;		    /* only samples of this processor socket; NULL: all */
	const struct rt_names *comms;	    /* a filter of the profile */
	struct rt_graph_options graph;
	bool graph_asked; /* refuse a file without stacks */
};

#define RT_REPORT_OBJECTS 64 /* a power of two */

struct rt_report {
	struct rt_report_options *opt;
	struct rt_profile *profile;
	bool settled; /* the columns are made */
	bool plain;   /* samples of the same task, place and stack always belong to one sum */
	struct rt_reader *reader;
	struct rt_sums sums;
	struct rt_pool pool;
	struct rt_columns columns;
	struct rt_tracefmts *traces;
	struct rt_tracer *tracer;
	size_t traces_of; /* the number of events whose formats are compiled */
	struct rt_func_names *names;
	uint32_t names_count;
	/* Objects of which the name was asked lately, and their numbers in the pool; 0: none. */
	struct rt_report_object {
		const struct rt_object *object;
		uint32_t name;
	} objects[RT_REPORT_OBJECTS];
	struct rt_text text; /* for short use */
	struct rt_report_count {
		uint64_t all, unfiltered;
	} * samples; /* of each event */
	size_t samples_room;
	/* Tables leave these sums out as the filters do; NULL: none. */
	bool (*leave_out)(void *arg, const struct rt_sum *sum);
	void *leave_out_arg;
	const struct rt_branch_entry *branch; /* while a branch of a sample is added, else NULL */
	struct rt_report_switch {
		const struct rt_perf_event *on, *off;
		bool discarding;
	} switching;
	regex_t parent;
	bool parent_ready;
	bool shown;			  /* rt_report_print() has printed a line of a table */
	const struct rt_column *order_by; /* lines are sorted by this column first; NULL: none */
};

/* The report changes `opt`: a recording without stacks has no children and no graphs. */
int rt_report_open(struct rt_report *r, struct rt_report_options *opt, struct rt_profile *profile,
		   struct rt_err *err);
/*
 * Find out whether the report is `plain`, and more: when the first sample comes, which is when the
 * events of a pipe are known.
 */
int rt_report_settle(struct rt_report *r, struct rt_err *err);
/* Add a sample: for callers that read the recording themselves. */
int rt_report_add(void *report, const struct rt_profile_sample *s, struct rt_err *err);
/*
 * For callers that count samples themselves: find the sum of a sample, which becomes sums.last, and
 * leave it to rt_report_more() to add the sample.  Only if the report is `plain`.
 */
int rt_report_find(struct rt_report *r, const struct rt_profile_sample *s, struct rt_err *err);
/* Add COUNT samples, which have WEIGHT together. */
void rt_report_more(struct rt_report *r, uint32_t sum, uint64_t count, uint64_t weight);
/* Read the whole recording; a damaged one as far as it is readable. */
int rt_report_read(struct rt_report *r, struct rt_err *err);
/*
 * The events of the table that begins with `leader`: itself, or its group.  Returns how many; 0 if
 * no table begins with it, or it has no samples and empty tables are left out.
 */
size_t rt_report_members(const struct rt_report *r, const struct rt_perf_event *leader,
			 const struct rt_perf_event **list);
/* Print every table; 0 or a negative errno. */
int rt_report_print(struct rt_report *r, FILE *out, struct rt_err *err);
void rt_report_close(struct rt_report *r);

#endif
