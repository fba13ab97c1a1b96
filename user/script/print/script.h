/* SPDX-License-Identifier: GPL-2.0 */
/*
 * script.h - shared by the parts of `ringtail script`: what to print, how, and for which machine.
 * It is settled before the first sample; later the reading thread may change it only while no other
 * thread formats.
 *
 * This folder: the text, JSON and CSV of a sample: columns, stacks, frames.  May use: base, arch,
 * perfdata, perfdata/read, perfdata/text, process, symbols, symbols/kernel, symbols/lines,
 * symbols/unwind, traceformat, stack, script/dump.
 */
#ifndef RT_SCRIPT_PRINT_SCRIPT_H
#define RT_SCRIPT_PRINT_SCRIPT_H

#include "base/names.h"
#include "perfdata/read/reader.h"
#include "perfdata/read/sample.h"
#include "process/machine.h"
#include "script/print/fields.h"
#include "stack/stack.h"
#include "traceformat/tracer.h"

enum rt_script_format {
	RT_SCRIPT_TEXT,
	RT_SCRIPT_JSON,
	RT_SCRIPT_CSV,
};

enum rt_script_inlines {
	RT_INLINES_PERF, /* only in unwound stacks, like perf 6.1 */
	RT_INLINES_ALL,
	RT_INLINES_NONE,
};

struct rt_script {
	struct rt_fields fields;
	enum rt_script_format format;
	enum rt_script_inlines inlines;
	struct rt_stack_how stack;
	bool nanoseconds;	 /* --ns */
	bool latency;		 /* -L */
	bool full_source_path;	 /* --full-source-path */
	bool kernel_path;	 /* --show-kernel-path */
	struct rt_names stop_at; /* --stop-bt */
	struct rt_names symbols; /* -S; empty: all */
	struct rt_names objects; /* --dsos; empty: all */
	unsigned int addr_range; /* --addr-range */

	struct rt_reader *reader;
	struct rt_machine machine;
	struct rt_tracefmts *traces;
	char *columns; /* the names as printed, column_len each, in places of column_room */
	size_t column_len, column_room;
	const char **names;  /* of the events, by index */
	uint64_t csv_fields; /* the columns of --csv */
	bool csv_settled;    /* the first line with their names was printed */
};

/* One sample to print, with the state at the time when it was taken. */
struct rt_item {
	const struct rt_perf_event *event;
	struct rt_sample sample;
	uint64_t time; /* as printed: may count from another time */
	const char *comm;
	struct rt_maps *maps;
	int data_src_width; /* perf widens this column over time */
};

/* A branch trace sampled branch by branch: perf prints where each branch went. */
static inline bool rt_perf_event_is_branch(const struct rt_perf_event *e)
{
	return e->attr.type == RT_TYPE_HARDWARE && e->attr.config & 4 && e->attr.sample_period == 1;
}

/* ---- printing a sample ---------------------------------------------------- */

struct rt_printer; /* used by one thread */

struct rt_printer *rt_printer_new(const struct rt_script *script);
void rt_printer_free(struct rt_printer *p);

/* Append the item's text in the selected format. */
void rt_printer_item(struct rt_printer *p, const struct rt_item *item, struct rt_text *out);

/* Print the first columns of any record, up to the time (line.c). */
void rt_line_start(const struct rt_script *script, const struct rt_perf_event *event,
		   const struct rt_sample *s, uint32_t type, const char *comm, uint64_t time,
		   struct rt_text *out);

/* The weight to print (details.c): of WEIGHT_STRUCT, the first of three. */
uint64_t rt_script_weight(const struct rt_script *script, const struct rt_perf_event *event,
			  const struct rt_sample *s);

/* What a tracepoint interrupted, and the preemption depth (context.c). */
const char *rt_context_name(const struct rt_sample *s);
unsigned int rt_context_preempt(const struct rt_script *script, const struct rt_sample *s);

/* Settle the names and everything that depends on the events, once these are known. */
int rt_script_prepare(struct rt_script *script, struct rt_err *err);

#endif
