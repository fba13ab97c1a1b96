// SPDX-License-Identifier: GPL-2.0
#include "image/table.h"

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

/* Return the next position in a table of this kind with at least LEAST bytes left. */
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

/* Whether everything that the entry refers to lies inside its own bytes. */
static size_t event_needs(const struct rt_anchor_event *entry)
{
	return sizeof(*entry) + padded(entry->name_bytes) + padded(entry->format_bytes) +
	       (size_t)entry->code * sizeof(struct rt_insn);
}

static bool event_fits(const struct rt_anchor_event *entry, size_t left)
{
	return entry->bytes <= left && !(entry->bytes % 8) && event_needs(entry) <= entry->bytes &&
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
		event->argument = NULL;
		event->off = NULL;
		event->off_cpus = 0;
		left = entry->bytes - event_needs(entry);
		if (left >= sizeof(*event->argument)) {
			event->argument = (const void *)(event->fetch + entry->code);
			left -= sizeof(*event->argument);
			event->off = (const void *)(event->argument + 1);
			if (entry->kind == RT_KIND_WATCHPOINT)
				event->off_cpus = left / sizeof(*event->off);
		}
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

bool rt_image_machine(const struct rt_image *image, const struct rt_image_session *s,
		      struct rt_anchor_machine *machine)
{
	__u32 i;

	for (i = 0; s->anchor && i < s->anchor->parts; i++) {
		const struct rt_anchor_part *part = &s->anchor->part[i];

		if (part->kind != RT_PART_MACHINE || part->bytes < sizeof(*machine) ||
		    !rt_image_read(image, part->phys, machine, sizeof(*machine)))
			continue;
		machine->nodename[sizeof(machine->nodename) - 1] = 0;
		machine->oops.text[RT_MARK_TEXT - 1] = 0;
		machine->panic.text[RT_MARK_TEXT - 1] = 0;
		return true;
	}
	return false;
}

bool rt_image_pin(const struct rt_image *image, const struct rt_image_session *s,
		  struct rt_anchor_pin *pin)
{
	__u32 i;

	for (i = 0; s->anchor && i < s->anchor->parts; i++) {
		const struct rt_anchor_part *part = &s->anchor->part[i];

		if (part->kind != RT_PART_PIN || !part->phys || part->bytes < sizeof(*pin) ||
		    !rt_image_read(image, part->phys, pin, sizeof(*pin)))
			continue;
		pin->name[sizeof(pin->name) - 1] = 0;
		pin->comm[sizeof(pin->comm) - 1] = 0;
		return true;
	}
	memset(pin, 0, sizeof(*pin));
	return false;
}

bool rt_image_status(const struct rt_image *image, const struct rt_image_session *s, __u32 ring,
		     __u32 cpu, struct rt_ring_status *status, __u64 *phys)
{
	__u32 kind = ring == RT_RING_SIDE ? RT_PART_SIDE_STATUS : RT_PART_STATUS, i;

	for (i = 0; s->anchor && i < s->anchor->parts; i++) {
		const struct rt_anchor_part *part = &s->anchor->part[i];

		if (part->kind != kind || part->cpu != cpu || !part->phys)
			continue;
		*phys = part->phys;
		return rt_image_read(image, part->phys, status, sizeof(*status)) &&
		       status->magic == RT_STATUS_MAGIC && status->abi_major == RT_ABI_MAJOR &&
		       status->areas <= RT_SUBBUFS_MAX + 1;
	}
	return false;
}
