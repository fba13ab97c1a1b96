/* SPDX-License-Identifier: GPL-2.0 */
/*
 * script.h - what the parts of `ringtail script` share: what is to be printed, how,
 * and of which machine.  Settled before the first sample; the thread that reads may
 * change it only while no other formats.
 */
#ifndef RT_SCRIPT_SCRIPT_H
#define RT_SCRIPT_SCRIPT_H

#include "base/names.h"
#include "perfdata/reader.h"
#include "perfdata/sample.h"
#include "process/machine.h"
#include "script/fields.h"
#include "script/trace.h"

enum rt_script_format {
	RT_SCRIPT_TEXT,
	RT_SCRIPT_JSON,
	RT_SCRIPT_CSV,
};

enum rt_script_inlines {
	RT_INLINES_PERF, /* in unwound stacks only, as perf 6.1 */
	RT_INLINES_ALL,
	RT_INLINES_NONE,
};

struct rt_script {
	struct rt_fields fields;
	enum rt_script_format format;
	enum rt_script_inlines inlines;
	bool compat;	       /* --compat */
	bool nanoseconds;      /* --ns */
	bool latency;	       /* -L */
	bool full_source_path; /* --full-source-path */
	bool kernel_path;      /* --show-kernel-path */
	unsigned int max_stack;
	struct rt_names stop_at; /* --stop-bt */
	struct rt_names symbols; /* -S; empty: all */
	struct rt_names objects; /* --dsos; empty: all */
	unsigned int addr_range; /* --addr-range */

	struct rt_reader *reader;
	struct rt_symbols *symtab;
	struct rt_machine machine;
	struct rt_tracefmts *traces;
	char *columns; /* the names as they are printed, column_len each */
	size_t column_len;
	uint16_t elf;	    /* the machine's architecture */
	bool leaf_callers;  /* arm64: the caller of a leaf function is in LR only */
	const char **names; /* of the events, by index */
};

/* One sample to be printed, with what was true when it was taken. */
struct rt_item {
	const struct rt_event *event;
	struct rt_sample sample;
	uint64_t time; /* as shown: may count from another moment */
	const char *comm;
	struct rt_maps *maps;
	int data_src_width; /* perf widens this column as it goes */
};

/* A branch trace sampled one by one: perf shows where each branch went. */
static inline bool rt_event_is_branch(const struct rt_event *e)
{
	return e->attr.type == RT_TYPE_HARDWARE && e->attr.config & 4 && e->attr.sample_period == 1;
}

/* ---- printing a sample ---------------------------------------------------- */

struct rt_printer; /* one thread's */

struct rt_printer *rt_printer_new(const struct rt_script *script);
void rt_printer_free(struct rt_printer *p);

/* Append the item's text, in whatever format is asked for. */
void rt_printer_item(struct rt_printer *p, const struct rt_item *item, struct rt_text *out);

/* The first columns, up to the time, of any record (line.c). */
void rt_line_start(const struct rt_script *script, const struct rt_event *event,
		   const struct rt_sample *s, uint32_t type, const char *comm, uint64_t time,
		   struct rt_text *out);

/* The decoded data source (details.c): "|OP LOAD|LVL …"; its length. */
int rt_data_src_text(uint64_t data_src, char *out, size_t size);

/* Settle the names and what depends on the events, when they are known. */
int rt_script_prepare(struct rt_script *script, struct rt_err *err);

#endif
