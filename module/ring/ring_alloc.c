// SPDX-License-Identifier: GPL-2.0
/*
 * ring_alloc.c - rings in kernel memory.
 *
 * Each sub-buffer is one physically contiguous, naturally aligned block in the direct map, on the
 * memory node of its CPU.  So an NMI that writes to it never meets a missing page table entry, and
 * a reader of a memory image that has found the first page has found all of it.  The memory is
 * charged to the memory cgroup of the task that allocates the ring.  A ring that must outlive this
 * boot lies in memory that is not the kernel's (kernel/kept.h), with the same alignment.
 */
#include <linux/err.h>
#include <linux/gfp.h>
#include <linux/io.h>
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/topology.h>

#include "kernel/kept.h"
#include "kernel/memory.h"
#include "ring_alloc.h"

#define RING_GFP (GFP_KERNEL_ACCOUNT | __GFP_ZERO | __GFP_NOWARN)

/*
 * A ring must not make the kernel kill another process.  Both flags keep the OOM killer away, that of a
 * memory cgroup too.  With the first one the kernel gives up soon.  If memory is only fragmented, the
 * second one makes it compact memory, which is worth while as long as enough is available.
 */
static struct page *pages_alloc(int node, unsigned int order)
{
	struct page *page = alloc_pages_node(node, RING_GFP | __GFP_NORETRY, order);

	if (!page && order && rt_memory_has((u64)PAGE_SIZE << order, NULL))
		page = alloc_pages_node(node, RING_GFP | RT_COMPAT_GFP_TRY_HARD, order);
	return page;
}

static void *block_alloc(const struct rt_ring_config *config, u32 bytes)
{
	struct page *page;

	if (config->kept)
		return rt_kept_alloc(bytes);
	page = pages_alloc(cpu_to_node(config->cpu), get_order(bytes));
	return page ? page_address(page) : NULL;
}

u64 rt_ring_bytes(const struct rt_ring_config *config)
{
	return (u64)rt_ring_areas(config->mode, config->subbufs) * config->subbuf_bytes +
	       (PAGE_SIZE << get_order(rt_ring_status_bytes(config->mode, config->subbufs))) +
	       PAGE_SIZE;
}

/* Undo rt_ring_create(), also after a failure half-way: pointers that it did not set are NULL. */
static void ring_release(struct rt_ring *ring, u32 areas, u32 subbuf_bytes, u32 status_bytes)
{
	u32 i;

	for (i = 0; ring->area && i < areas; i++)
		rt_block_free(ring->area[i], subbuf_bytes);
	rt_block_free(ring->status, status_bytes);
	rt_block_free(ring->control, PAGE_SIZE);
	kvfree(ring->area);
	kvfree(ring->slot);
	kfree(ring);
}

struct rt_ring *rt_ring_create(const struct rt_ring_config *config)
{
	u32 areas = rt_ring_areas(config->mode, config->subbufs), i;
	u32 status_bytes = rt_ring_status_bytes(config->mode, config->subbufs);
	struct rt_ring_setup setup = {
		.cpu = config->cpu,
		.kind = config->kind,
		.mode = config->mode,
		.subbufs = config->subbufs,
		.subbuf_bytes = config->subbuf_bytes,
		.watermark = config->wake ? config->watermark : 0,
		.session = config->session,
		.boot_id = config->boot_id,
		.wake = config->wake,
	};
	int node = cpu_to_node(config->cpu), err = -ENOMEM;
	struct rt_ring *ring;
	u64 *phys;

	if (rt_ring_check(&setup) || config->subbuf_bytes < PAGE_SIZE)
		return ERR_PTR(-EINVAL);
	ring = kzalloc_node(sizeof(*ring), GFP_KERNEL_ACCOUNT, node);
	phys = kvmalloc_node(areas * sizeof(*phys), GFP_KERNEL_ACCOUNT, node);
	if (!ring || !phys)
		goto err_ring;
	setup.phys = phys;
	setup.area = ring->area =
		kvzalloc_node(areas * sizeof(*ring->area), GFP_KERNEL_ACCOUNT, node);
	setup.slot = ring->slot =
		kvzalloc_node(config->subbufs * sizeof(u64), GFP_KERNEL_ACCOUNT, node);
	setup.status = ring->status = block_alloc(config, status_bytes);
	setup.control = ring->control = block_alloc(config, PAGE_SIZE);
	if (!ring->area || !ring->slot || !ring->status || !ring->control)
		goto err_parts;
	for (i = 0; i < areas; i++) {
		/* Rings may take gigabytes, and zeroing them takes long. */
		cond_resched();
		if (fatal_signal_pending(current)) {
			err = -EINTR;
			goto err_parts;
		}
		ring->area[i] = block_alloc(config, config->subbuf_bytes);
		if (!ring->area[i])
			goto err_parts;
		phys[i] = rt_block_phys(ring->area[i]);
	}
	err = rt_ring_init(ring, &setup);
	if (err)
		goto err_parts;
	kvfree(phys);
	return ring;

err_parts:
	ring_release(ring, areas, config->subbuf_bytes, status_bytes);
	ring = NULL;
err_ring:
	kvfree(phys);
	kfree(ring);
	return ERR_PTR(err);
}

void rt_ring_destroy(struct rt_ring *ring)
{
	u32 areas = ring->status->areas, bytes = ring->words * RT_WORD;

	rt_ring_wipe(ring);
	ring_release(ring, areas, bytes, rt_ring_status_bytes(ring->mode, ring->subbufs));
}
