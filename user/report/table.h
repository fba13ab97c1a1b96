/* SPDX-License-Identifier: GPL-2.0 */
/*
 * table.h - the lines of one table: of one event, or of a group of events that are printed
 * together.  Each line knows the sums that contribute to it, so that its call tree can be built
 * when it is printed, and freed afterwards.
 */
#ifndef RT_REPORT_TABLE_H
#define RT_REPORT_TABLE_H

#include "base/arena.h"
#include "report/report.h"

struct rt_stat {
	uint64_t period, count;
	uint64_t system, user; /* parts of the period */
};

/* A sum that contributes to a line, with the part of its stack that belongs to it. */
struct rt_share {
	uint32_t sum;
	uint32_t node; /* of the profile: where the line's function is called; 0: the whole stack */
	uint32_t next; /* in the list of the line, from 1 up; 0: the end */
};

/* A frame of stacks whose sums have the same line for the same function; 0 is none. */
struct rt_table_place {
	uint32_t caller; /* its number is lower */
	uint32_t line;	 /* its number */
};

/* A sum and the lines to which it belongs. */
struct rt_table_end {
	uint32_t sum;
	uint32_t line;	/* that of the sampled function */
	uint32_t place; /* where its stack ends: the lines of this place and of its callers */
};

struct rt_line {
	struct rt_where where;
	struct rt_line *parent; /* --hierarchy */
	unsigned int level;
	uint32_t number; /* lines made before it */
	uint64_t rank;	 /* while lines are sorted: the number that decides first, */
	uint32_t rank2;	 /* and the one that decides next; the larger one comes first */
	bool filtered;
	/* What is changed for each sum is close together. */
	uint32_t shares, last_share;
	uint32_t max_depth;
	uint32_t touched;      /* the sum that was added last, plus 1 */
	struct rt_stat stat[]; /* own, of each event; with children: accumulated, of each event */
};

struct rt_report_table {
	struct rt_report *r;
	const struct rt_perf_event **events;
	size_t members;
	struct rt_arena arena;
	struct rt_line **lines;
	uint32_t count, room;
	uint32_t levels; /* of the lines that rt_hierarchy_make() made; 0: it did not */
	struct rt_index index;
	struct rt_share *shares;
	uint32_t share_count, share_room;
	/* Of tables without call graphs: */
	struct rt_table_place *places;
	uint32_t place_count, place_room;
	struct rt_table_end *ends;
	uint32_t end_count;
	uint64_t *total;	    /* of each event: the period of all samples */
	uint64_t all;		    /* of the first event: also of filtered samples */
	uint64_t graph_total;	    /* the period of all samples of the first event */
	bool failed;		    /* there was no memory */
	struct rt_table_memo *memo; /* what is known of each function while the table is made */
	uint32_t *path;		    /* the nodes of the stack at work, innermost first */
	size_t path_room;
};

/* Build the table of these events. */
int rt_table_make(struct rt_report_table *t, struct rt_report *r,
		  const struct rt_perf_event **events, size_t members, struct rt_err *err);
void rt_table_free(struct rt_report_table *t);

/* The accumulated sums of a line, or its own if there are no children. */
static inline const struct rt_stat *rt_line_all(const struct rt_report_table *t,
						const struct rt_line *l)
{
	return l->stat + (t->r->opt->children ? t->members : 0);
}

/* A number for the line that stays the same when the table is made again. */
uint64_t rt_line_identity(const struct rt_report_table *t, struct rt_line *l);

/* Per cent of the total, for --percent-limit. */
double rt_line_percent(const struct rt_report_table *t, const struct rt_line *l);

/* Store a node at t->path[n]; n grows by one at a time.  False if there is no memory. */
bool rt_table_push(struct rt_report_table *t, size_t n, uint32_t node);

#endif
