// SPDX-License-Identifier: GPL-2.0
#include "agent/image_table.h"

#include <string.h>

static size_t padded(size_t bytes)
{
	return (bytes + 7) / 8 * 8;
}

static void next_block(struct rt_image_entries *at)
{
	at->block++;
	at->offset = 0;
}

/* The next place of a table of this kind where at least LEAST bytes are left. */
static const void *place(const struct rt_image_session *s, struct rt_image_entries *at, __u32 kind,
			 size_t least, size_t *left)
{
	for (; at->block < s->tables; next_block(at)) {
		const struct rt_anchor_table *table = s->table[at->block];

		if (!at->offset)
			at->offset = sizeof(*table);
		if (table->kind != kind || table->used - at->offset < least)
			continue;
		*left = table->used - at->offset;
		return (const char *)table + at->offset;
	}
	return NULL;
}

/* Whether all that the entry says it has lies in its own bytes. */
static bool event_fits(const struct rt_anchor_event *entry, size_t left)
{
	size_t need = sizeof(*entry) + padded(entry->name_bytes) + padded(entry->format_bytes) +
		      (size_t)entry->code * sizeof(struct rt_insn);

	return entry->bytes <= left && !(entry->bytes % 8) && need <= entry->bytes &&
	       entry->name_bytes && memchr(entry + 1, 0, entry->name_bytes);
}

bool rt_image_next_event(const struct rt_image_session *s, struct rt_image_entries *at,
			 struct rt_image_event *event)
{
	const struct rt_anchor_event *entry;
	size_t left;

	while ((entry = place(s, at, RT_PART_EVENTS, sizeof(*entry), &left))) {
		if (!event_fits(entry, left)) {
			next_block(at);
			continue;
		}
		event->entry = entry;
		event->name = (const char *)(entry + 1);
		event->format = event->name + padded(entry->name_bytes);
		event->fetch = (const void *)(event->format + padded(entry->format_bytes));
		at->offset += entry->bytes;
		return true;
	}
	return false;
}

bool rt_image_next_module(const struct rt_image_session *s, struct rt_image_entries *at,
			  const struct rt_anchor_module **module)
{
	const struct rt_anchor_module *entry;
	size_t left;

	while ((entry = place(s, at, RT_PART_MODULES, sizeof(*entry), &left))) {
		at->offset += sizeof(*entry);
		if (entry->build_id_bytes > RT_BUILD_ID_MAX ||
		    !memchr(entry->name, 0, sizeof(entry->name)))
			continue;
		*module = entry;
		return true;
	}
	return false;
}
