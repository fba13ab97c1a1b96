// SPDX-License-Identifier: GPL-2.0
/* ring_setup.c - initialise and wipe a ring in memory that the caller owns. */
#include "ring.h"

static bool power_of_two(u32 n)
{
	return n && !(n & (n - 1));
}

static void subbuf_init(const struct rt_ring_setup *setup, u32 index)
{
	struct rt_subbuf *sub = setup->area[index];

	sub->abi_major = RT_ABI_MAJOR;
	sub->abi_minor = RT_ABI_MINOR;
	sub->cpu = setup->cpu;
	sub->index = index;
	sub->bytes = setup->subbuf_bytes;
	sub->subbufs = setup->subbufs;
	sub->phys = setup->phys[index];
	sub->ring = setup->kind;
	memcpy(sub->session, setup->session, sizeof(sub->session));
	memcpy(sub->boot_id, setup->boot_id, sizeof(sub->boot_id));
	sub->seq = RT_SEQ_NONE;
	sub->claim = rt_claim_make(0, setup->subbuf_bytes / RT_WORD);
	sub->commit = setup->subbuf_bytes;
	sub->magic = RT_SUBBUF_MAGIC;
}

static void status_init(const struct rt_ring_setup *setup)
{
	struct rt_ring_status *status = setup->status;

	status->abi_major = RT_ABI_MAJOR;
	status->abi_minor = RT_ABI_MINOR;
	status->cpu = setup->cpu;
	status->mode = setup->mode;
	status->subbuf_bytes = setup->subbuf_bytes;
	status->subbufs = setup->subbufs;
	status->areas = rt_ring_areas(setup->mode, setup->subbufs);
	status->watermark = setup->watermark;
	status->ring = setup->kind;
	memcpy(status->session, setup->session, sizeof(status->session));
	memcpy(status->boot_id, setup->boot_id, sizeof(status->boot_id));
	memcpy(status->phys, setup->phys, status->areas * sizeof(u64));
	status->magic = RT_STATUS_MAGIC;
}

int rt_ring_check(const struct rt_ring_setup *setup)
{
	if (!power_of_two(setup->subbuf_bytes) || setup->subbuf_bytes < RT_SUBBUF_BYTES_MIN ||
	    setup->subbuf_bytes > RT_SUBBUF_BYTES_MAX || !power_of_two(setup->subbufs) ||
	    setup->subbufs < RT_SUBBUFS_MIN || setup->subbufs > RT_SUBBUFS_MAX ||
	    setup->mode > RT_MODE_OVERWRITE || setup->cpu >= RT_CPUS_MAX ||
	    setup->watermark >= setup->subbufs) /* the newest sub-buffer never waits */
		return -EINVAL;
	return 0;
}

/* Lap 0 is the empty ring: every sub-buffer is closed, complete and read. */
int rt_ring_init(struct rt_ring *ring, const struct rt_ring_setup *setup)
{
	u32 i, room = setup->subbuf_bytes - sizeof(struct rt_subbuf);

	_Static_assert(RT_RING_PAYLOAD_SURE + sizeof(struct rt_subbuf) + RT_RECORD_EXTENDED <=
			       RT_SUBBUF_BYTES_MIN,
		       "a payload that fits into every ring");
	if (rt_ring_check(setup))
		return -EINVAL;

	status_init(setup);
	for (i = 0; i < setup->status->areas; i++)
		subbuf_init(setup, i);
	for (i = 0; i < setup->subbufs; i++)
		setup->slot[i] = rt_slot_make(i, i);
	setup->status->head = setup->subbufs - 1;
	setup->control->consumed = setup->subbufs;

	memset(ring, 0, sizeof(*ring));
	ring->cur = setup->area[setup->subbufs - 1];
	ring->words = setup->subbuf_bytes / RT_WORD;
	ring->payload_max =
		(room < RT_RECORD_BYTES_MAX ? room : RT_RECORD_BYTES_MAX) - RT_RECORD_EXTENDED;
	ring->mode = setup->mode;
	ring->subbufs = setup->subbufs;
	ring->watermark = setup->watermark;
	ring->spare = setup->subbufs;
	ring->next = setup->subbufs;
	ring->status = setup->status;
	ring->control = setup->control;
	ring->wake = setup->wake;
	ring->slot = setup->slot;
	ring->area = setup->area;
	return 0;
}

void rt_ring_wipe(struct rt_ring *ring)
{
	u32 i;

	for (i = 0; i < ring->status->areas; i++)
		WRITE_ONCE(ring->area[i]->magic, 0);
	WRITE_ONCE(ring->status->magic, 0);
}
