/* SPDX-License-Identifier: GPL-2.0 */
/*
 * line.h - a sample as perf script prints it, to the column.
 */
#ifndef RT_SCRIPT_LINE_H
#define RT_SCRIPT_LINE_H

#include "script/chain.h"
#include "script/frames.h"
#include "script/script.h"

#define RT_LINE_TASKS 64
#define RT_LINE_CHAIN (1ull << 63) /* in a style, beside RT_FIELD_*: a stack follows */

/* The columns that depend on nothing but the task and the CPU. */
struct rt_line_task {
	uint64_t style;
	const char *comm; /* names are kept once each */
	int32_t pid, tid;
	uint32_t cpu;
	uint32_t len; /* 0: nothing to use again */
	char text[64];
};

/*
 * The first columns of lines before.  They are mostly those of this one, too: the same task
 * on the same CPU within the same second.
 */
struct rt_line_before {
	struct rt_line_task task[RT_LINE_TASKS];

	uint64_t second;
	size_t second_len;
	char seconds[24];
};

/* What one thread prints with. */
struct rt_line_tools {
	const struct rt_script *script;
	struct rt_line_before *before;
	struct rt_frames *frames;
	struct rt_chain *chain;
	struct rt_tracer *tracer;
};

void rt_line_print(const struct rt_line_tools *t, const struct rt_item *item, struct rt_text *out);

#endif
