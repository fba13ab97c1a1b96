/* SPDX-License-Identifier: GPL-2.0 */
/*
 * line.h - a sample as perf script prints it, to the column.
 */
#ifndef RT_SCRIPT_LINE_H
#define RT_SCRIPT_LINE_H

#include "script/chain.h"
#include "script/frames.h"
#include "script/script.h"

/*
 * The first columns of the line before.  They are mostly those of this one, too: the same task
 * on the same CPU within the same second.
 */
struct rt_line_before {
	const struct rt_event *event;
	uint64_t fields;
	const char *comm; /* names are kept once each */
	int32_t pid, tid;
	uint32_t cpu;
	size_t task_len; /* 0: nothing to use again */
	char task[64];

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
