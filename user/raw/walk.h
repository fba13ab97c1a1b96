/* SPDX-License-Identifier: GPL-2.0 */
/*
 * walk.h - the records of a raw recording in the order of the file, also of one that was cut or damaged.
 *
 * The walk does not trust the sizes in the file's header: a recording that was killed has records behind
 * its last checkpoint.  It ends behind the note that closes a recording, or where the file ends.  Behind
 * damage it goes on with the next record that has a magic number.
 */
#ifndef RT_RAW_WALK_H
#define RT_RAW_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "perfdata/raw.h"

struct rt_raw_walk {
	const uint8_t *map;
	size_t size, at;
	size_t given_back; /* bytes at the front whose pages were released */

	bool closed;			 /* the last note was found */
	bool cut;			 /* the file ends inside a record */
	unsigned int damages;		 /* places where something was skipped or is wrong */
	uint64_t skipped;		 /* bytes that were skipped in all of them */
	uint64_t first_damage;		 /* the offset of the first */
	struct rt_perf_record_note last; /* the newest note, except those of losses */
	bool noted;			 /* there was one */
};

struct rt_raw_item {
	const struct rt_perf_record_header *hdr;
	uint64_t offset;
	/* Of a piece, its bytes; of one at the end of a file that was cut, those that are there. */
	const void *bytes;
	size_t size;
};

/* Map the file of FD and begin at OFFSET. */
int rt_raw_walk_open(struct rt_raw_walk *w, int fd, uint64_t offset, const char *path,
		     struct rt_err *err);
void rt_raw_walk_close(struct rt_raw_walk *w);
/* The next record, which stays valid until close; false at the end. */
bool rt_raw_walk_next(struct rt_raw_walk *w, struct rt_raw_item *item);
/* Count a place at this offset where something is wrong, and SKIPPED bytes that are left out. */
void rt_raw_walk_damage(struct rt_raw_walk *w, uint64_t offset, uint64_t skipped);

#endif
