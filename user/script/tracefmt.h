/* SPDX-License-Identifier: GPL-2.0 */
/*
 * tracefmt.h - a tracepoint's print format, made ready to run.
 *
 * libtraceevent reads the format; this turns what it read into a short list of steps
 * with fields, constants and flag names resolved once, that any thread may run and
 * that checks every byte it reads of an event.  What it does not know (addresses of
 * the network, bit masks, %*d, …) is left to libtraceevent, slower: see trace.h.
 */
#ifndef RT_SCRIPT_TRACEFMT_H
#define RT_SCRIPT_TRACEFMT_H

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

struct tep_event;
struct rt_tracefmt;

/* The name of the kernel function at addr and how far into it; NULL: unknown. */
typedef const char *(*rt_function_name)(void *arg, uint64_t addr, uint64_t *offset);

/* NULL when the format needs libtraceevent itself, or without memory. */
struct rt_tracefmt *rt_tracefmt_new(const struct tep_event *event);
void rt_tracefmt_free(struct rt_tracefmt *f);

void rt_tracefmt_print(const struct rt_tracefmt *f, struct rt_text *out, const void *raw,
		       size_t size, rt_function_name name, void *arg);

#endif
