/* SPDX-License-Identifier: GPL-2.0 */
/* layout.h - turn arguments into the record's fields and the fetch program that writes them. */
#ifndef RT_EVENTS_LAYOUT_H
#define RT_EVENTS_LAYOUT_H

#include "events/arg.h"
#include "events/spec.h"

/* A value that the module provides by itself: RT_CONTEXT_*. */
struct rt_layout_given {
	const char *name;
	uint16_t context;
	uint8_t size;
	bool hidden; /* printed at the head of the line, not as name=value */
	enum rt_field_show show;
	bool constant; /* `value` instead of a context */
	uint64_t value;
};

/*
 * Fill spec->fields, fetch and faults.  The record holds first the GIVEN values, then the arguments
 * in the order typed, each aligned to its size, then the fault mask if anything can fault, then the
 * strings.
 */
int rt_layout_make(struct rt_event_spec *spec, const struct rt_layout_given *given,
		   size_t given_count, const struct rt_arg *args, size_t arg_count,
		   struct rt_err *err);

#endif
