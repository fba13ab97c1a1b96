// SPDX-License-Identifier: GPL-2.0
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "reading.h"
#include "ring/ring.h"
#include "session.h"

static struct rt_ring *ring_of(struct rt_session *session, u32 cpu, u32 kind)
{
	struct rt_channel_cpu *place = rt_session_cpu(session, cpu);

	if (!place)
		return NULL;
	/* Pairs with the release in make_ring(). */
	return kind == RT_RING_SIDE ? smp_load_acquire(&place->side_ring) :
				      smp_load_acquire(&place->ring);
}

int rt_reading_take(struct rt_session *session, struct rt_take *take, struct rt_refusal *refusal)
{
	struct rt_ring *ring = ring_of(session, take->cpu, RT_RING_EVENTS);
	struct rt_subbuf *sub;
	int err;

	if (!ring)
		return -ENXIO;
	if (ring->mode != RT_MODE_OVERWRITE || take->reserved) {
		refusal->reason = RT_REFUSED_MODE;
		return -EINVAL;
	}
	err = rt_ring_take(ring, &sub);
	if (err)
		return err;
	take->index = sub->index;
	take->seq = sub->seq;
	return 0;
}

int rt_reading_copy(struct rt_session *session, struct rt_copy *copy, struct rt_refusal *refusal)
{
	struct rt_ring *ring = ring_of(session, copy->cpu, copy->ring);
	u32 bytes;
	void *room;
	int err;

	if (copy->ring > RT_RING_SIDE || copy->reserved) {
		refusal->reason = RT_REFUSED_FLAGS;
		refusal->field = offsetof(struct rt_copy, ring);
		refusal->detail = RT_RING_SIDE;
		return -EINVAL;
	}

	if (!ring)
		return -ENXIO;
	rt_ring_span(ring, &copy->oldest, &copy->newest);
	if (!copy->to)
		return 0;
	bytes = ring->status->subbuf_bytes;
	if (copy->bytes != bytes) {
		refusal->reason = RT_REFUSED_RING_SIZE;
		refusal->field = offsetof(struct rt_copy, bytes);
		refusal->detail = bytes;
		return -EINVAL;
	}
	/* Not directly to user memory: a page fault could take longer than the writers need for a lap. */
	room = kvmalloc(bytes, GFP_KERNEL_ACCOUNT);
	if (!room)
		return -ENOMEM;
	err = rt_ring_copy(ring, copy->seq, room);
	if (!err && copy_to_user(u64_to_user_ptr(copy->to), room, bytes))
		err = -EFAULT;
	/* A search of a memory image must not take the copy for the original. */
	((struct rt_subbuf *)room)->magic = 0;
	kvfree(room);
	return err;
}
