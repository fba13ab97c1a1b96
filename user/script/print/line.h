/* SPDX-License-Identifier: GPL-2.0 */
/* line.h - print a sample in exactly the columns of perf script. */
#ifndef RT_SCRIPT_PRINT_LINE_H
#define RT_SCRIPT_PRINT_LINE_H

#include "stack/chain.h"
#include "script/print/frames.h"
#include "script/print/script.h"
#include "script/print/callers.h"

#define RT_LINE_TASKS 64
#define RT_LINE_CHAIN (1ull << 63) /* in a style, besides RT_FIELD_*: a stack follows */

/* The columns that depend only on the task and the CPU. */
struct rt_line_task {
	uint64_t style;
	const char *comm; /* each name is stored only once */
	int32_t pid, tid;
	uint32_t cpu;
	uint32_t len; /* 0: nothing to reuse */
	char text[64];
};

/*
 * The first columns of earlier lines.  Mostly the next line has the same ones: the same task on the
 * same CPU within the same second.
 */
struct rt_line_before {
	struct rt_line_task task[RT_LINE_TASKS];

	uint64_t second; /* in nanoseconds */
	size_t second_len;
	char seconds[32]; /* whole blocks */
};

/* The tools with which one thread prints. */
struct rt_line_tools {
	const struct rt_script *script;
	struct rt_line_before *before;
	struct rt_frames *frames;
	struct rt_callers *callers;
	struct rt_chain *chain;
	struct rt_tracer *tracer;
};

/* The frames of the item's stack, as rt_chain_expand(); false if no stack is to be printed. */
bool rt_line_stack(const struct rt_line_tools *t, const struct rt_item *item,
		   const struct rt_chain_entry **entries, size_t *count);

void rt_line_print(const struct rt_line_tools *t, const struct rt_item *item, struct rt_text *out);

#endif
