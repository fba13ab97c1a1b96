/* SPDX-License-Identifier: GPL-2.0 */
/*
 * trace.h - what a tracepoint's raw data says, by its print format.
 *
 * A table of compiled formats (tracefmt.h) is shared by all threads; each thread has a
 * struct rt_tracer of its own for the formats that only libtraceevent can print.
 */
#ifndef RT_SCRIPT_TRACE_H
#define RT_SCRIPT_TRACE_H

#include "base/text.h"
#include "perfdata/reader.h"
#include "perfdata/sample.h"
#include "script/tracefmt.h"
#include "symbols/kernel.h"

struct rt_tracefmts;
struct rt_tracer;

/* Compile the formats of all events known so far; call again when a pipe brings more. */
struct rt_tracefmts *rt_tracefmts_new(const struct rt_reader *reader);
void rt_tracefmts_free(struct rt_tracefmts *t);

struct rt_tracer *rt_tracer_new(const struct rt_reader *reader);
void rt_tracer_free(struct rt_tracer *t);

/* kernel, for %pS, may be NULL. */
void rt_trace_print(struct rt_tracer *t, const struct rt_tracefmts *formats, struct rt_text *out,
		    const struct rt_event *event, const struct rt_sample *s,
		    struct rt_kernel *kernel);

#endif
