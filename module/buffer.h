/* SPDX-License-Identifier: GPL-2.0 */
/*
 * buffer.h - a ring as a session has it: with its reader to wake, and to be mapped.
 */
#ifndef RT_BUFFER_H
#define RT_BUFFER_H

#include <linux/irq_work.h>
#include <linux/types.h>

#include "ring_alloc.h"

struct vm_area_struct;
struct rt_session;

struct rt_buffer {
	struct rt_ring *ring;
	struct rt_session *session;
	struct irq_work wake;
};

/* SHAPE says CPU, mode, sizes and watermark; the rest is the session's. */
struct rt_buffer *rt_buffer_new(struct rt_session *session, const struct rt_ring_config *shape);
void rt_buffer_free(struct rt_buffer *buffer);

/* Whether a reader would find at least the watermark's sub-buffers. */
bool rt_buffer_ready(const struct rt_buffer *buffer);

/* Map one part (RT_MMAP_*) of it. */
int rt_buffer_map(struct rt_buffer *buffer, u32 part, struct vm_area_struct *vma);

#endif
