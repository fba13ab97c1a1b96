// SPDX-License-Identifier: GPL-2.0
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "reading.h"
#include "ring.h"
#include "session.h"

static struct rt_ring *ring_of(struct rt_session *session, u32 cpu)
{
	/* Pairs with the release that lets handlers see a new ring. */
	return cpu < nr_cpu_ids ? smp_load_acquire(&session->ring[cpu]) : NULL;
}

int rt_reading_take(struct rt_session *session, struct rt_take *take, struct rt_refusal *refusal)
{
	struct rt_ring *ring = ring_of(session, take->cpu);
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
	struct rt_ring *ring = ring_of(session, copy->cpu);
	void *room;
	int err;

	if (!ring)
		return -ENXIO;
	rt_ring_span(ring, &copy->oldest, &copy->newest);
	if (!copy->to)
		return 0;
	if (copy->bytes != session->subbuf_bytes) {
		refusal->reason = RT_REFUSED_RING_SIZE;
		refusal->field = offsetof(struct rt_copy, bytes);
		refusal->detail = session->subbuf_bytes;
		return -EINVAL;
	}
	/* Not straight to the user, who might be paged out while the writers go round. */
	room = kvmalloc(session->subbuf_bytes, GFP_KERNEL_ACCOUNT);
	if (!room)
		return -ENOMEM;
	err = rt_ring_copy(ring, copy->seq, room);
	if (!err && copy_to_user(u64_to_user_ptr(copy->to), room, session->subbuf_bytes))
		err = -EFAULT;
	/* Not to be taken for the original by whoever searches the memory. */
	((struct rt_subbuf *)room)->magic = 0;
	kvfree(room);
	return err;
}
