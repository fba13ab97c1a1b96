/* SPDX-License-Identifier: GPL-2.0 */
/*
 * find.h - find rings in a memory image.
 *
 * The search finds structures by their magic number and checks them.  An anchor adds information,
 * but the sub-buffers are readable without it.  Sub-buffers stay in the image: the search remembers
 * where they are, and rt_image_load() reads one.
 */
#ifndef RT_IMAGE_FIND_H
#define RT_IMAGE_FIND_H

#include "agent/subbuf.h"
#include "image/memory.h"

/* More are not taken: 32 KB each in the ordinary case. */
#define RT_IMAGE_SUBBUFS_MAX (1U << 19)

/* One sub-buffer: where it is, and what its head said during the search. */
struct rt_image_subbuf {
	__u64 at;
	__u64 seq, commit;
	__u32 bytes;
	__u16 cpu;
	__u8 ring; /* RT_RING_* */
	bool copy; /* found at another address than it names; used if the original is missing */
};

/* The sub-buffers of one session and boot, by ring, CPU and then by sequence number. */
struct rt_image_session {
	__u8 session[16];
	__u8 boot_id[16];
	struct rt_anchor *anchor; /* with its parts, or NULL */
	struct rt_image_subbuf *subbuf;
	size_t subbufs;
	struct rt_anchor_table **table; /* blocks of the event and module tables, in any order */
	size_t tables;
};

struct rt_image {
	struct rt_memory *memory;
	struct rt_image_session *session;
	size_t sessions;
	size_t damaged;	 /* structures with a magic number but invalid contents */
	size_t left_out; /* sub-buffers beyond the limit */
	/* The ring format of structures that this program does not read; 0.0: there are none. */
	__u16 other_major, other_minor;

	size_t subbufs; /* of all sessions */
	__u64 budget;	/* bytes of tables that may still be copied */
};

/*
 * Search the memory, which the caller keeps as long as the image; free the rest with
 * rt_image_free().  Returns 0 also if nothing was found.
 */
int rt_image_find(struct rt_image *image, struct rt_memory *memory, struct rt_err *err);
void rt_image_free(struct rt_image *image);

/* Read physical memory from the image.  False if any of it is missing. */
bool rt_image_read(const struct rt_image *image, __u64 phys, void *to, size_t bytes);

/*
 * Read a sub-buffer into BUFFER, which has room for its bytes, and open it.  If its end is missing,
 * its first records can be read: *MISSING gets the bytes that cannot.  -ENODATA: its head is
 * missing; -ESTALE: the machine still runs and has used it for something newer.
 */
int rt_image_load(const struct rt_image *image, const struct rt_image_subbuf *sub, void *buffer,
		  struct rt_subbuf_reader *r, size_t *missing);

/*
 * The next committed record of a sub-buffer that rt_image_load() opened.  False: there is none.  While the machine
 * runs, its writers go on during the reading: then this ends at the first record of an open sub-buffer that is not
 * committed, because what lies behind it may be torn, and a record that is missing there may exist by now.
 */
bool rt_image_next(const struct rt_image *image, struct rt_subbuf_reader *r, struct rt_record *rec);

#endif
