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

static int keep(struct rt_perf_record_note **list, size_t *count, size_t *allocated,
		const struct rt_perf_record_note *note)
{
	size_t room = *allocated ? 2 * *allocated : 64;
	struct rt_perf_record_note *grown;

	if (*count == *allocated) {
		grown = realloc(*list, room * sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		*list = grown;
		*allocated = room;
	}
	(*list)[(*count)++] = *note;
	return 0;
}

int rt_notes_take(struct rt_notes *n, const struct rt_perf_record_note *note)
{
	if (note->kind == RT_NOTE_LOST)
		return keep(&n->lost, &n->lost_count, &n->lost_room, note);
	if (note->kind == RT_NOTE_OFF)
		return keep(&n->off, &n->off_count, &n->off_room, note);
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
	free(n->off);
	n->off = NULL;
	n->off_count = n->off_room = 0;
}

/* Add up from I on what other notes say of the same event and CPU; false if an earlier one did. */
static bool sum_of(const struct rt_notes *n, size_t i, uint64_t *ns, uint64_t *times)
{
	const struct rt_perf_record_note *first = &n->off[i];
	size_t k;

	*ns = *times = 0;
	for (k = 0; k < n->off_count; k++) {
		if (n->off[k].cpu != first->cpu ||
		    n->off[k].lost[RT_NOTE_OFF_EVENT] != first->lost[RT_NOTE_OFF_EVENT])
			continue;
		if (k < i)
			return false;
		*ns += n->off[k].lost[RT_NOTE_OFF_NS];
		*times += n->off[k].lost[RT_NOTE_OFF_TIMES];
	}
	return true;
}

bool rt_notes_off(const struct rt_notes *n, size_t event, char *text, size_t size)
{
	uint64_t ns, times;
	size_t used = 0, i;
	int put;

	for (i = 0; i < n->off_count; i++) {
		if (n->off[i].lost[RT_NOTE_OFF_EVENT] != event || !sum_of(n, i, &ns, &times))
			continue;
		put = snprintf(text + used, size - used,
			       "%s%.3f ms on CPU %" PRIu64 " (%" PRIu64 " time%s)",
			       used ? ", " : "", (double)ns / 1e6, n->off[i].cpu, times,
			       times == 1 ? "" : "s");
		if (put < 0 || (size_t)put >= size - used) {
			snprintf(text + (used < size - 4 ? used : size - 4), 4, "…");
			return true;
		}
		used += put;
	}
	return used > 0;
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
