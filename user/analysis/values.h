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

#include "base/arena.h"
#include "perfdata/read/sample.h"

#define RT_VALUES_MAX	 512
#define RT_VALUES_FIELDS 24 /* of an event; more are left out */

struct tep_format_field;

enum rt_value_kind { RT_VALUE_UNSIGNED, RT_VALUE_SIGNED, RT_VALUE_POINTER, RT_VALUE_TEXT };

struct rt_value_count {
	uint64_t number;
	const char *text; /* of RT_VALUE_TEXT */
	uint64_t count;
};

struct rt_value_field {
	const struct tep_format_field *format;
	const char *name;
	enum rt_value_kind kind;
	unsigned int offset, size;     /* of a number that can be read as it is; size 0: not so */
	struct rt_value_count *values; /* after rt_values_sort() the most frequent first */
	size_t distinct;
	uint64_t others; /* not among the values */
	uint16_t *slots; /* open hash table: number of the value, plus 1 */
	/* Of the others, and after rt_values_sort() of all: */
	uint64_t count;
	uint64_t min, max; /* of numbers; of RT_VALUE_SIGNED read them as int64_t */
	double sum;
};

struct rt_value_event {
	const struct rt_perf_event *event;
	struct rt_value_field fields[RT_VALUES_FIELDS];
	size_t field_count;
	size_t reach;	 /* the end of the last number that can be read as it is */
	size_t no_value; /* fields that are arrays or structures */
	size_t left_out; /* fields for which there was no room */
};

struct rt_values { /* all zero: empty */
	bool sorted;
	struct rt_arena arena;
	struct rt_value_event **events; /* by the index of the event; NULL: has no values */
	size_t event_count;
};

void rt_values_free(struct rt_values *v);
/* Count the values of a sample; 0 or -ENOMEM. */
int rt_values_add(struct rt_values *v, const struct rt_perf_event *event, const struct rt_sample *s,
		  bool swapped);
/* After the last sample: add up what all values have in common, and sort them. */
void rt_values_sort(struct rt_values *v);

#endif
