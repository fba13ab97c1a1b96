/* SPDX-License-Identifier: GPL-2.0 */
/*
 * native.h - tracepoints whose probes are made of the kernel's own TRACE_EVENT code.
 * The table is made when the module is built: see native.sh.
 */
#ifndef RT_NATIVE_H
#define RT_NATIVE_H

#include <linux/types.h>

#include "event/hit.h"
#include "event/hit_fast.h"
#include "standin.h"

struct rt_native {
	const char *system;
	const char *name;
	/* Probes: they take the event, then what the tracepoint passes. */
	void *careful;
	void *fast; /* for an event that is not `careful`, see event.h */
	u32 fixed;  /* bytes behind the common fields, without the dynamic parts */
};

/* Ends with NULL. */
extern const struct rt_native *const rt_natives[];

#endif
