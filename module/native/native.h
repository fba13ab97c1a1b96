/* SPDX-License-Identifier: GPL-2.0 */
/*
 * native.h - tracepoints whose probes are made of the kernel's own TRACE_EVENT code.
 * The table is made when the module is built: see native.sh.
 */
#ifndef RT_NATIVE_H
#define RT_NATIVE_H

#include <linux/types.h>

#include "event/hit.h"
#include "standin.h"

struct rt_native {
	const char *system;
	const char *name;
	void *probe; /* takes the event, then what the tracepoint passes */
	u32 fixed;   /* bytes behind the common fields, without the dynamic parts */
};

/* Ends with NULL. */
extern const struct rt_native *const rt_natives[];

#endif
