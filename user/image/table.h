/* SPDX-License-Identifier: GPL-2.0 */
/*
 * table.h - the events and modules of a session that was found in a memory image.
 *
 *	struct rt_image_entries at = { 0 };
 *	while (rt_image_next_event(session, &at, &event))
 *		...
 */
#ifndef RT_IMAGE_TABLE_H
#define RT_IMAGE_TABLE_H

#include "image/find.h"

struct rt_image_entries {
	size_t block;
	__u32 offset;
};

struct rt_image_event {
	const struct rt_anchor_event *entry;
	const char *name;   /* ends in a NUL */
	const char *format; /* entry->format_bytes of text, no NUL */
	const struct rt_insn *fetch;
	const struct rt_anchor_argument *argument; /* NULL: of an older module */
	const struct rt_anchor_off *off;	   /* of a watch: for how long it was off */
	__u32 off_cpus;				   /* on each CPU from 0 on */
};

/* Read the description of the machine; false if the module was too old, or it is missing. */
bool rt_image_machine(const struct rt_image *image, const struct rt_image_session *s,
		      struct rt_anchor_machine *machine);
/* Read who pinned the session; false, and PIN is zero, if nobody did. */
bool rt_image_pin(const struct rt_image *image, const struct rt_image_session *s,
		  struct rt_anchor_pin *pin);
/* Read the status of a ring; false if there is none. */
bool rt_image_status(const struct rt_image *image, const struct rt_image_session *s, __u32 ring,
		     __u32 cpu, struct rt_ring_status *status, __u64 *phys);

/* Return the next entry, checked; false if there are no more.  An invalid entry ends its block. */
bool rt_image_next_event(const struct rt_image_session *s, struct rt_image_entries *at,
			 struct rt_image_event *event);
bool rt_image_next_module(const struct rt_image_session *s, struct rt_image_entries *at,
			  const struct rt_anchor_module **module);

#endif
