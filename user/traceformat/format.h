/* SPDX-License-Identifier: GPL-2.0 */
/*
 * format.h - a tracepoint's print format, compiled.
 *
 * libtraceevent parses the format when the file is opened.  This code turns the result into a short
 * list of steps with fields, constants and flag names resolved once.  Any thread may run them, and
 * they check every byte they read of an event.  The library never sees the data of an event,
 * because it trusts the lengths and offsets in it.
 */
#ifndef RT_TRACEFORMAT_FORMAT_H
#define RT_TRACEFORMAT_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

struct tep_event;
struct rt_tracefmt;

/* How to resolve addresses in the data; each may be NULL. */
struct rt_trace_names {
	void *arg;
	/* The name of the kernel function at addr and the offset into it; NULL: unknown. */
	const char *(*function)(void *arg, uint64_t addr, uint64_t *offset);
	/* The kernel's text at addr; NULL: unknown. */
	const char *(*text)(void *arg, uint64_t addr);
};

/*
 * NULL if there is no memory.  If the library could not parse the print format, or a conversion is
 * unknown, the event is printed field by field.
 */
struct rt_tracefmt *rt_tracefmt_new(const struct tep_event *event);
void rt_tracefmt_free(struct rt_tracefmt *f);

/* Whether the print format was understood. */
bool rt_tracefmt_is_whole(const struct rt_tracefmt *f);

void rt_tracefmt_print(const struct rt_tracefmt *f, struct rt_text *out, const void *raw,
		       size_t size, const struct rt_trace_names *names);

#endif
