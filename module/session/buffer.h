/* SPDX-License-Identifier: GPL-2.0 */
/*
 * buffer.h - a ring of a session, with the reader that it wakes and its mapping.
 */
#ifndef RT_BUFFER_H
#define RT_BUFFER_H

#include <linux/irq_work.h>
#include <linux/types.h>

#include "ring/ring_alloc.h"

struct vm_area_struct;
struct rt_session;

struct rt_buffer {
	struct rt_ring *ring;
	struct rt_session *session;
	struct irq_work wake;
};

/* CONFIG says CPU, mode, sizes and watermark; everything else comes from the session. */
struct rt_buffer *rt_buffer_new(struct rt_session *session, const struct rt_ring_config *config);
void rt_buffer_free(struct rt_buffer *buffer);

/* Map one part (RT_MMAP_*) of the ring. */
int rt_buffer_map(struct rt_buffer *buffer, u32 part, struct vm_area_struct *vma);

#endif
