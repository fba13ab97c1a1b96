/* SPDX-License-Identifier: GPL-2.0 */
/*
 * probe_name.h - the name in an ADD: "function", "module:function", "system:tracepoint".
 */
#ifndef RT_PROBE_NAME_H
#define RT_PROBE_NAME_H

#include <uapi/ringtail.h>

struct rt_probe_name {
	char *text;	  /* all of it; the kernel resolves "module:function" as it stands */
	char *prefix;	  /* module or system; NULL: none was given */
	const char *base; /* what follows, in text */
};

/* All NULL when the event goes by address. */
int rt_probe_name_take(struct rt_probe_name *name, const struct rt_event_add *add,
		       struct rt_refusal *refusal);
void rt_probe_name_free(struct rt_probe_name *name);

#endif
