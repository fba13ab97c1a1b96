/* SPDX-License-Identifier: GPL-2.0 */
/* ring_alloc.h - rings in kernel memory. */
#ifndef RT_RING_ALLOC_H
#define RT_RING_ALLOC_H

#include "ring.h"

struct rt_ring_config {
	u32 cpu;
	u32 kind; /* RT_RING_* */
	u32 mode;
	u32 subbufs;
	u32 subbuf_bytes;
	u32 watermark;
	bool kept; /* in the memory that the next boot leaves alone */
	const u8 *session;
	const u8 *boot_id;
	void (*wake)(struct rt_ring *ring);
};

/* The memory that such a ring takes in all, in bytes; the caller compares it with its limits. */
u64 rt_ring_bytes(const struct rt_ring_config *config);

/*
 * May sleep.  ERR_PTR(-EINVAL): a number is outside the limits of the uapi header, or a sub-buffer
 * is smaller than a page.  ERR_PTR(-EINTR): the calling task was killed meanwhile.
 * ERR_PTR(-ENOMEM).
 */
struct rt_ring *rt_ring_create(const struct rt_ring_config *config);

/* The caller makes sure that nobody writes, reads or maps the ring any more. */
void rt_ring_destroy(struct rt_ring *ring);

#endif
