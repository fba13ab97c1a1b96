/* SPDX-License-Identifier: GPL-2.0 */
/*
 * tracer.h - print a tracepoint's raw data with its print format.
 *
 * All threads share a table of compiled formats (format.h); each thread has its own struct
 * rt_tracer, which caches the names of functions.
 *
 * This folder: print formats of tracepoints, compiled once and applied to the raw data of events.
 * May use: base, perfdata, perfdata/read, symbols/kernel; libtraceevent.
 */
#ifndef RT_TRACEFORMAT_TRACER_H
#define RT_TRACEFORMAT_TRACER_H

#include "base/text.h"
#include "perfdata/read/reader.h"
#include "perfdata/read/sample.h"
#include "traceformat/format.h"
#include "symbols/kernel/kernel.h"

struct rt_tracefmts;
struct rt_tracer;

/* Compile the formats of all events known so far; call again when a pipe adds more. */
struct rt_tracefmts *rt_tracefmts_new(const struct rt_reader *reader);
void rt_tracefmts_free(struct rt_tracefmts *t);

struct rt_tracer *rt_tracer_new(const struct rt_reader *reader);
void rt_tracer_free(struct rt_tracer *t);

/* kernel, for %pS, may be NULL. */
void rt_trace_print(struct rt_tracer *t, const struct rt_tracefmts *formats, struct rt_text *out,
		    const struct rt_perf_event *event, const struct rt_sample *s,
		    struct rt_kernel *kernel);

#endif
