// SPDX-License-Identifier: GPL-2.0
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/wait.h>
#include <asm/io.h>

#include "buffer.h"
#include "kernel/kept.h"
#include "session.h"

/* --- waking the reader ----------------------------------------------------------- */

/* From any context, NMI included: irq_work runs when interrupts are enabled again. */
static void wake_soon(struct rt_ring *ring)
{
	struct rt_buffer *buffer = ring->owner;

	irq_work_queue(&buffer->wake);
}

static void wake_now(struct irq_work *work)
{
	wake_up_interruptible(&container_of(work, struct rt_buffer, wake)->session->wait);
}

/* --- creating and freeing ------------------------------------------------------------- */

struct rt_buffer *rt_buffer_new(struct rt_session *session, const struct rt_ring_config *wanted)
{
	struct rt_ring_config config = *wanted;
	struct rt_buffer *buffer;
	struct rt_ring *ring;

	buffer = kzalloc(sizeof(*buffer), GFP_KERNEL_ACCOUNT);
	if (!buffer)
		return ERR_PTR(-ENOMEM);
	config.session = session->uuid;
	config.boot_id = session->boot_id;
	config.wake = wake_soon;
	ring = rt_ring_create(&config);
	if (IS_ERR(ring)) {
		kfree(buffer);
		return ERR_CAST(ring);
	}
	init_irq_work(&buffer->wake, wake_now);
	buffer->session = session;
	buffer->ring = ring;
	ring->owner = buffer;
	return buffer;
}

void rt_buffer_free(struct rt_buffer *buffer)
{
	irq_work_sync(&buffer->wake);
	rt_ring_destroy(buffer->ring);
	kfree(buffer);
}

/* --- mapping --------------------------------------------------------------------- */

/*
 * The pages live as long as the session; the mapping holds a reference to the file, and the file to
 * the session.
 */
static int map_block(struct vm_area_struct *vma, unsigned long *at, void *block, size_t bytes)
{
	size_t left = vma->vm_end - *at;
	int err;

	bytes = min(bytes, left);
	if (!bytes)
		return 0;
	err = remap_pfn_range(vma, *at, rt_block_phys(block) >> PAGE_SHIFT, bytes,
			      vma->vm_page_prot);
	*at += bytes;
	return err;
}

static int map_data(struct rt_ring *ring, struct vm_area_struct *vma)
{
	unsigned long at = vma->vm_start;
	int err = 0;
	u32 i;

	for (i = 0; i < ring->status->areas && !err; i++) {
		err = map_block(vma, &at, ring->area[i], ring->status->subbuf_bytes);
		cond_resched();
	}
	return err;
}

int rt_buffer_map(struct rt_buffer *buffer, u32 part, struct vm_area_struct *vma)
{
	size_t bytes = vma->vm_end - vma->vm_start, most;
	struct rt_ring *ring = buffer->ring;
	unsigned long at = vma->vm_start;

	switch (part) {
	case RT_MMAP_CONTROL:
		most = PAGE_SIZE;
		break;
	case RT_MMAP_STATUS:
		most = PAGE_ALIGN(rt_ring_status_bytes(ring->mode, ring->subbufs));
		break;
	case RT_MMAP_DATA:
		most = (size_t)ring->status->areas * ring->status->subbuf_bytes;
		break;
	default:
		return -ENXIO;
	}
	if (bytes > most)
		return -EINVAL;
	if (part == RT_MMAP_CONTROL)
		return map_block(vma, &at, ring->control, bytes);

	/* Only the traced CPUs write here; mprotect() must not change that. */
	if (vma->vm_flags & VM_WRITE)
		return -EPERM;
	vm_flags_clear(vma, VM_MAYWRITE);
	if (part == RT_MMAP_STATUS)
		return map_block(vma, &at, ring->status, bytes);
	return map_data(ring, vma);
}
