/* SPDX-License-Identifier: GPL-2.0 */
/*
 * image_table.h - the events and modules of a session that was found in a memory image.
 *
 *	struct rt_image_entries at = { 0 };
 *	while (rt_image_next_event(session, &at, &event))
 *		...
 */
#ifndef RT_AGENT_IMAGE_TABLE_H
#define RT_AGENT_IMAGE_TABLE_H

#include "agent/image.h"

struct rt_image_entries {
	size_t block;
	__u32 offset;
};

struct rt_image_event {
	const struct rt_anchor_event *entry;
	const char *name;   /* ends in a NUL */
	const char *format; /* entry->format_bytes of text, no NUL */
	const struct rt_insn *fetch;
};

/* The next one, checked; false when there are no more.  What makes no sense ends its block. */
bool rt_image_next_event(const struct rt_image_session *s, struct rt_image_entries *at,
			 struct rt_image_event *event);
bool rt_image_next_module(const struct rt_image_session *s, struct rt_image_entries *at,
			  const struct rt_anchor_module **module);

#endif
