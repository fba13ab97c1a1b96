// SPDX-License-Identifier: GPL-2.0
#include "perfdata/read/note.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Indexed by the module's RT_LOST_*. */
static const char *const causes[RT_NOTE_CAUSES] = {
	"ring full", "nested too deep",	    "recursion", "too big",
	NULL,	     "no ring for the CPU", "throttled",
};

bool rt_note_is(const struct rt_perf_record_header *hdr)
{
	const struct rt_perf_record_note *note = (const void *)hdr;

	return hdr->type == RT_PERF_RECORD_HEADER_EVENT_TYPE && hdr->size == sizeof(*note) &&
	       note->magic == RT_NOTE_MAGIC;
}

static int keep_loss(struct rt_notes *n, const struct rt_perf_record_note *note)
{
	size_t room = n->lost_room ? 2 * n->lost_room : 64;
	struct rt_perf_record_note *grown;

	if (n->lost_count == n->lost_room) {
		grown = realloc(n->lost, room * sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		n->lost = grown;
		n->lost_room = room;
	}
	n->lost[n->lost_count++] = *note;
	return 0;
}

int rt_notes_take(struct rt_notes *n, const struct rt_perf_record_note *note)
{
	if (note->kind == RT_NOTE_LOST)
		return keep_loss(n, note);
	n->begun = true;
	n->ended = note->kind == RT_NOTE_END;
	n->last = *note;
	return 0;
}

const struct rt_perf_record_note *rt_notes_find(const struct rt_notes *n, uint32_t cpu,
						uint64_t time)
{
	size_t i;

	/* Search from the end: a LOST record follows its note. */
	for (i = n->lost_count; i-- > 0;)
		if (n->lost[i].time == time &&
		    (n->lost[i].cpu == cpu || n->lost[i].cpu == UINT32_MAX))
			return &n->lost[i];
	return NULL;
}

void rt_notes_free(struct rt_notes *n)
{
	free(n->lost);
	n->lost = NULL;
	n->lost_count = n->lost_room = 0;
}

void rt_note_causes(const uint64_t *lost, char *text, size_t size)
{
	size_t used = 0;
	int i, n;

	*text = 0;
	for (i = 0; i < RT_NOTE_CAUSES && used < size; i++) {
		if (!lost[i])
			continue;
		n = snprintf(text + used, size - used, "%s%s: %" PRIu64, used ? ", " : "",
			     causes[i] ? causes[i] : "unknown cause", lost[i]);
		used += n > 0 ? n : 0;
	}
}

bool rt_note_complaint(const struct rt_perf_record_note *last, char *text, size_t size)
{
	if (last->kind != RT_NOTE_END && last->missing)
		snprintf(text, size, "not closed cleanly, at least %" PRIu64 " events missing",
			 last->missing);
	else if (last->kind != RT_NOTE_END)
		snprintf(text, size, "not closed cleanly, the last events may be missing");
	else if (last->missing)
		snprintf(text, size,
			 "%" PRIu64 " events are not in the file, which could not be written whole",
			 last->missing);
	else
		return false;
	return true;
}
