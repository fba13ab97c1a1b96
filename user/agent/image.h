/* SPDX-License-Identifier: GPL-2.0 */
/*
 * image.h - rings out of a memory image.
 *
 * An image is a set of pieces of physical memory, in any order: the segments of a
 * vmcore, or one raw file.  Whatever is found in it by its magic number is checked;
 * an anchor, if there is one, says more, but the sub-buffers speak for themselves.
 */
#ifndef RT_AGENT_IMAGE_H
#define RT_AGENT_IMAGE_H

#include "agent/subbuf.h"

struct rt_image_piece {
	__u64 phys;
	const void *data;
	__u64 bytes;
};

/* One sub-buffer, gathered into memory of its own. */
struct rt_image_subbuf {
	struct rt_subbuf *sub;
	bool copy; /* not where it says it lies: a copy, taken for want of the original */
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
	struct rt_image_session *session;
	size_t sessions;
	size_t damaged; /* things with a magic number that made no sense */

	struct rt_image_piece *piece; /* sorted by address */
	size_t pieces;
	__u64 budget; /* bytes that may still be gathered */
};

/*
 * Search the pieces.  They may not overlap and stay the caller's; the rest is freed by
 * rt_image_free().  0 also when nothing was found.
 */
int rt_image_find(struct rt_image *image, const struct rt_image_piece *piece, size_t pieces,
		  struct rt_err *err);
void rt_image_free(struct rt_image *image);

/* Physical memory from the image, across pieces.  False if any of it is missing. */
bool rt_image_read(const struct rt_image *image, __u64 phys, void *to, size_t bytes);

#endif
