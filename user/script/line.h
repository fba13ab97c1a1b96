/* SPDX-License-Identifier: GPL-2.0 */
/*
 * line.h - a sample as perf script prints it, to the column.
 */
#ifndef RT_SCRIPT_LINE_H
#define RT_SCRIPT_LINE_H

#include "script/chain.h"
#include "script/frames.h"
#include "script/script.h"

/* What one thread prints with. */
struct rt_line_tools {
	const struct rt_script *script;
	struct rt_frames *frames;
	struct rt_chain *chain;
	struct rt_tracer *tracer;
};

void rt_line_print(const struct rt_line_tools *t, const struct rt_item *item, struct rt_text *out);

#endif
