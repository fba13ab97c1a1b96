/* SPDX-License-Identifier: GPL-2.0 */
/*
 * values.h - the values of tracepoints, probes and watches: for each field how often each value
 * came, the extremes and the mean.
 *
 * Memory is bounded: of each field the first RT_VALUES_MAX different values are counted one by one,
 * all others together.
 */
#ifndef RT_ANALYSIS_VALUES_H
#define RT_ANALYSIS_VALUES_H

#include "analysis/field.h"
#include "base/arena.h"
#include "perfdata/read/sample.h"

#define RT_VALUES_MAX	 512
#define RT_VALUES_FIELDS 24 /* of an event; more are left out */

enum rt_value_kind { RT_VALUE_UNSIGNED, RT_VALUE_SIGNED, RT_VALUE_POINTER, RT_VALUE_TEXT };

struct rt_value_count {
	uint64_t number;
	const char *text; /* of RT_VALUE_TEXT */
	uint64_t count;
};

/* A value while samples come: its number, or the hash of its text. */
struct rt_value_cell {
	uint64_t number;
	uint64_t count; /* 0: the cell is empty */
};

#define RT_VALUES_TEXTS 64 /* a power of two */

/* Texts of 16 bytes that came lately, with what is behind their ends. */
struct rt_value_recent {
	uint64_t words[2];
	struct rt_value_cell *cell; /* NULL: none */
};

struct rt_value_field {
	const struct tep_format_field *format;
	const char *name;
	enum rt_value_kind kind;
	struct rt_field_plain plain;
	struct rt_value_cell *cells; /* open hash table */
	const char **texts;	     /* of the cells, if they are of RT_VALUE_TEXT */
	struct rt_value_recent *recent;
	size_t distinct;
	uint64_t others; /* not among the values */
	/* After rt_values_sort() the values, the most frequent first. */
	struct rt_value_count *values;
	/* Of the others, and after rt_values_sort() of all: */
	uint64_t count;
	uint64_t min, max; /* of numbers; of RT_VALUE_SIGNED read them as int64_t */
	double sum;
};

struct rt_value_event {
	const struct rt_perf_event *event;
	struct rt_value_field fields[RT_VALUES_FIELDS];
	size_t field_count;
	struct rt_value_field *end; /* behind the last */
	size_t reach;		    /* the end of the last number that can be read as it is */
	size_t no_value;	    /* fields that are arrays or structures */
	size_t left_out;	    /* fields for which there was no room */
};

struct rt_values {    /* all zero: empty */
	bool swapped; /* the recording has the other byte order */
	bool sorted;
	struct rt_arena arena;
	struct rt_value_event **events; /* by the index of the event; NULL: has no values */
	size_t event_count;
};

void rt_values_free(struct rt_values *v);
/* Where the values of an event are counted.  The event must have a format.  NULL: no memory. */
struct rt_value_event *rt_values_of(struct rt_values *v, const struct rt_perf_event *event);
/* Count the values of a sample; 0 or -ENOMEM. */
int rt_values_add(struct rt_values *v, struct rt_value_event *e, const struct rt_sample *s);
/*
 * After the last sample: add up what all values have in common, and sort them.  False if there is
 * no memory.
 */
bool rt_values_sort(struct rt_values *v);

#endif
