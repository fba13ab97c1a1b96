// SPDX-License-Identifier: GPL-2.0
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/pid_namespace.h>
#include <linux/slab.h>

#include "channel.h"
#include "program/program_port.h"
#include "ring/ring.h"
#include "stack.h"

/* Taken inside a session's lock. */
static DEFINE_MUTEX(channels_lock);
static LIST_HEAD(channels);

int rt_channel_init(struct rt_channel *channel)
{
	INIT_LIST_HEAD(&channel->link);
	rt_target_init(&channel->targets);
	channel->cpu = alloc_percpu_gfp(struct rt_channel_cpu, GFP_KERNEL_ACCOUNT);
	if (channel->cpu)
		return 0;
	rt_channel_free(channel);
	return -ENOMEM;
}

void rt_channel_free(struct rt_channel *channel)
{
	rt_target_free(&channel->targets);
	free_percpu(channel->cpu);
	if (channel->pids)
		put_pid_ns(channel->pids);
}

void rt_channel_list(struct rt_channel *channel)
{
	mutex_lock(&channels_lock);
	list_add_tail(&channel->link, &channels);
	mutex_unlock(&channels_lock);
}

void rt_channel_delist(struct rt_channel *channel)
{
	mutex_lock(&channels_lock);
	list_del_init(&channel->link);
	mutex_unlock(&channels_lock);
}

/* --- memory of our own ----------------------------------------------------------- */

static bool overlaps(u64 from, u64 to, const void *begin, u64 bytes)
{
	u64 at = rt_port_untagged((unsigned long)begin);

	return begin && from < at + bytes && to > at;
}

static bool ring_owns(struct rt_ring *const *place, u64 from, u64 to)
{
	/* Pairs with the release in make_ring(): a CPU may be getting its rings now. */
	const struct rt_ring *ring = smp_load_acquire(place);
	u32 i;

	if (!ring)
		return false;
	for (i = 0; i < ring->status->areas; i++)
		if (overlaps(from, to, ring->area[i], ring->words * RT_WORD))
			return true;
	return overlaps(from, to, ring, sizeof(*ring)) ||
	       overlaps(from, to, ring->slot, ring->subbufs * sizeof(u64)) ||
	       overlaps(from, to, ring->control, PAGE_SIZE) ||
	       overlaps(from, to, ring->status, rt_ring_status_bytes(ring->mode, ring->subbufs));
}

static bool cpu_owns(const struct rt_channel_cpu *mine, u64 from, u64 to)
{
	return ring_owns(&mine->ring, from, to) || ring_owns(&mine->side_ring, from, to) ||
	       overlaps(from, to, READ_ONCE(mine->scratch), RT_STACK_SCRATCH_BYTES) ||
	       overlaps(from, to, mine, sizeof(*mine));
}

bool rt_channels_own(u64 from, u64 to)
{
	struct rt_channel *channel;
	bool found = false;
	int cpu;

	mutex_lock(&channels_lock);
	list_for_each_entry(channel, &channels, link)
		for_each_possible_cpu(cpu)
			found = found || cpu_owns(per_cpu_ptr(channel->cpu, cpu), from, to);
	mutex_unlock(&channels_lock);
	return found;
}
