/* SPDX-License-Identifier: GPL-2.0 */
/*
 * note.h - what ringtail's files say about themselves: where events were lost and why, and whether
 * the recording was closed.  docs/file-format.md has the layout.
 */
#ifndef RT_PERFDATA_READ_NOTE_H
#define RT_PERFDATA_READ_NOTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perfdata/layout.h"

/* The notes of a file, as far as it has been read. */
struct rt_notes {
	bool begun, ended;
	struct rt_perf_record_note last; /* the newest note, except those of single losses */
	struct rt_perf_record_note *lost;
	size_t lost_count, lost_room;
	struct rt_perf_record_note *off;
	size_t off_count, off_room;
};

/* Whether a record of type HEADER_EVENT_TYPE, in native byte order, is a note. */
bool rt_note_is(const struct rt_perf_record_header *hdr);
/* Add a note; 0 or -ENOMEM. */
int rt_notes_take(struct rt_notes *n, const struct rt_perf_record_note *note);
/* Find the note that belongs to a LOST record; NULL if it has none. */
const struct rt_perf_record_note *rt_notes_find(const struct rt_notes *n, uint32_t cpu,
						uint64_t time);
void rt_notes_free(struct rt_notes *n);

/* Format "ring full: 12, recursion: 3". */
void rt_note_causes(const uint64_t *lost, char *text, size_t size);
/*
 * Format "0.512 ms on CPU 1 (3 times)", for how long the event of that index was off; false if it was
 * not.  The text ends with "…" if it is too long.
 */
bool rt_notes_off(const struct rt_notes *n, size_t event, char *text, size_t size);
/* Describe what is wrong with a recording that ends with this note; false if nothing is. */
bool rt_note_complaint(const struct rt_perf_record_note *last, char *text, size_t size);

#endif
