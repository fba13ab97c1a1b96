/* SPDX-License-Identifier: GPL-2.0 */
/*
 * probe_name.h - the name in an ADD: "function", "module:function", "system:tracepoint".
 */
#ifndef RT_PROBE_NAME_H
#define RT_PROBE_NAME_H

#include <uapi/ringtail.h>

struct rt_probe_name {
	char *text;	  /* the whole name; the kernel resolves "module:function" itself */
	char *prefix;	  /* module or system; NULL: none */
	const char *base; /* the part of text after the prefix */
};

/* All members are NULL for an event without a name. */
int rt_probe_name_take(struct rt_probe_name *name, const struct rt_event_add *add,
		       struct rt_refusal *refusal);
void rt_probe_name_free(struct rt_probe_name *name);

#endif
