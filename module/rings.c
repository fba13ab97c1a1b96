// SPDX-License-Identifier: GPL-2.0
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/smp.h>

#include <uapi/ringtail.h>

#include "anchor.h"
#include "buffer.h"
#include "rings.h"
#include "session.h"
#include "stack.h"

static unsigned int memory_percent = 25;
module_param(memory_percent, uint, 0644);
MODULE_PARM_DESC(memory_percent,
		 "of all memory that the rings of all sessions may take (default: 25)");

/* Of memory, that rings of the default size take at most all together. */
#define DEFAULT_SHARE 64

#define SIDE_SUBBUFS 4

/* Sessions with rings, and what these take; taken inside a session's lock. */
static DEFINE_MUTEX(sessions_lock);
static LIST_HEAD(sessions);
static u64 sessions_bytes;

/* --- making and freeing ----------------------------------------------------------- */

static void drop_ring(struct rt_ring **ring, struct rt_buffer **buffer)
{
	*ring = NULL;
	if (*buffer)
		rt_buffer_free(*buffer);
	*buffer = NULL;
}

/* From here on no CPU that comes is given a ring, nor shown to the anchor. */
void rt_rings_delist(struct rt_session *session)
{
	mutex_lock(&sessions_lock);
	list_del_init(&session->link);
	sessions_bytes -= session->bytes;
	session->bytes = 0;
	mutex_unlock(&sessions_lock);
}

void rt_rings_free(struct rt_session *session)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		drop_ring(&session->ring[cpu], &session->buffer[cpu]);
		drop_ring(&session->side_ring[cpu], &session->side_buffer[cpu]);
		kfree(session->scratch[cpu]);
		session->scratch[cpu] = NULL;
	}
	session->subbufs = 0;
}

static int make_ring(struct rt_session *session, const struct rt_ring_config *shape,
		     struct rt_ring **ring, struct rt_buffer **at)
{
	struct rt_buffer *buffer;

	if (*ring)
		return 0;
	buffer = rt_buffer_new(session, shape);
	if (IS_ERR(buffer))
		return PTR_ERR(buffer);
	*at = buffer;
	rt_anchor_add_ring(session, buffer->ring, shape);
	/* Pairs with the loads of handlers and readers: who sees the ring sees it whole. */
	smp_store_release(ring, buffer->ring);
	return 0;
}

/* With the CPU not yet running, or the gate shut: nobody writes. */
static int add_rings(struct rt_session *session, int cpu)
{
	const struct rt_ring_config shape = {
		.cpu = cpu,
		.kind = RT_RING_EVENTS,
		.mode = session->mode,
		.subbufs = session->subbufs,
		.subbuf_bytes = session->subbuf_bytes,
		.watermark = session->watermark,
	};
	const struct rt_ring_config side_shape = {
		.cpu = cpu,
		.kind = RT_RING_SIDE,
		.mode = RT_MODE_DISCARD,
		.subbufs = SIDE_SUBBUFS,
		.subbuf_bytes = max_t(u32, RT_SIDE_RING_BYTES / SIDE_SUBBUFS, PAGE_SIZE),
		.watermark = SIDE_SUBBUFS / 2,
	};
	int err;

	if (!session->scratch[cpu])
		session->scratch[cpu] =
			kmalloc_node(RT_STACK_SCRATCH_BYTES, GFP_KERNEL_ACCOUNT, cpu_to_node(cpu));
	if (!session->scratch[cpu])
		return -ENOMEM;
	err = make_ring(session, &side_shape, &session->side_ring[cpu], &session->side_buffer[cpu]);
	if (err)
		return err;
	return make_ring(session, &shape, &session->ring[cpu], &session->buffer[cpu]);
}

/*
 * A CPU is about to come: every session with rings gives it one.  That must not keep the
 * CPU from coming: without a ring its hits are counted as lost.
 */
static int cpu_comes(unsigned int cpu)
{
	struct rt_session *session;

	mutex_lock(&sessions_lock);
	list_for_each_entry(session, &sessions, link)
		if (add_rings(session, cpu))
			pr_warn("ringtail: no memory for the ring of CPU %u\n", cpu);
	mutex_unlock(&sessions_lock);
	return 0;
}

static u64 memory_bytes(void)
{
	return (u64)totalram_pages() << PAGE_SHIFT;
}

static u32 default_subbufs(u32 subbuf_bytes)
{
	u64 share = div_u64(memory_bytes(), DEFAULT_SHARE * num_possible_cpus());
	u64 bytes = min_t(u64, RT_RING_DEFAULT, share);

	return max_t(u32, RT_SUBBUFS_MIN,
		     rounddown_pow_of_two(max_t(u32, 1, div_u64(bytes, subbuf_bytes))));
}

#define blame(refusal, why, member, what)                             \
	do {                                                          \
		(refusal)->reason = (why);                            \
		(refusal)->field = offsetof(struct rt_rings, member); \
		(refusal)->detail = (what);                           \
	} while (0)

static bool out_of(u32 value, u32 least, u32 most)
{
	return value < least || value > most || !is_power_of_2(value);
}

static int choose_sizes(struct rt_rings *rings)
{
	u32 least = max_t(u32, RT_SUBBUF_BYTES_MIN, PAGE_SIZE);

	if (!rings->subbuf_bytes)
		rings->subbuf_bytes = max(least, RT_SUBBUF_DEFAULT);
	if (out_of(rings->subbuf_bytes, least, RT_SUBBUF_BYTES_MAX)) {
		blame(&rings->refusal, RT_REFUSED_RING_SIZE, subbuf_bytes,
		      clamp(rings->subbuf_bytes, least, RT_SUBBUF_BYTES_MAX));
		return -EINVAL;
	}
	if (!rings->subbufs)
		rings->subbufs = default_subbufs(rings->subbuf_bytes);
	if (out_of(rings->subbufs, RT_SUBBUFS_MIN, RT_SUBBUFS_MAX)) {
		blame(&rings->refusal, RT_REFUSED_RING_SIZE, subbufs,
		      clamp(rings->subbufs, RT_SUBBUFS_MIN, RT_SUBBUFS_MAX));
		return -EINVAL;
	}
	if (!rings->watermark)
		rings->watermark = min(RT_WATERMARK_DEFAULT, rings->subbufs / 2);
	if (rings->watermark > rings->subbufs) {
		blame(&rings->refusal, RT_REFUSED_RING_SIZE, watermark, rings->subbufs);
		return -EINVAL;
	}
	if (rings->mode > RT_MODE_OVERWRITE || rings->reserved) {
		blame(&rings->refusal, RT_REFUSED_FLAGS, mode, RT_MODE_OVERWRITE);
		return -EINVAL;
	}
	return 0;
}

/* All CPUs that can ever come are charged for, so that coming does not fail for it. */
static int charge(struct rt_session *session, struct rt_rings *rings)
{
	u64 limit = div_u64(memory_bytes(), 100) * min(memory_percent, 100U);
	struct rt_ring_config shape = {
		.mode = rings->mode,
		.subbufs = rings->subbufs,
		.subbuf_bytes = rings->subbuf_bytes,
	};
	u64 bytes = (rt_ring_bytes(&shape) + RT_SIDE_RING_BYTES) * num_possible_cpus();

	if (bytes > limit || sessions_bytes > limit - bytes) {
		blame(&rings->refusal, RT_REFUSED_MEMORY, subbufs,
		      limit > sessions_bytes ? limit - sessions_bytes : 0);
		return -ENOSPC;
	}
	session->bytes = bytes;
	sessions_bytes += bytes;
	return 0;
}

int rt_rings_set_up(struct rt_session *session, struct rt_rings *rings)
{
	int cpu, err;

	if (session->subbufs) {
		rings->refusal.reason = RT_REFUSED_STATE;
		return -EBUSY;
	}
	err = choose_sizes(rings);
	if (!err)
		err = rt_anchor_need(session);
	if (err)
		return err;

	/* No CPU comes or goes between the census and the session's being listed. */
	cpus_read_lock();
	mutex_lock(&sessions_lock);
	err = charge(session, rings);
	if (err)
		goto out;
	session->mode = rings->mode;
	session->subbufs = rings->subbufs;
	session->subbuf_bytes = rings->subbuf_bytes;
	session->watermark = rings->watermark;
	list_add_tail(&session->link, &sessions);
	for_each_online_cpu(cpu) {
		err = add_rings(session, cpu);
		if (err)
			break;
	}
out:
	mutex_unlock(&sessions_lock);
	cpus_read_unlock();
	if (err && session->subbufs) {
		rt_rings_delist(session);
		rt_rings_free(session);
	}
	/* Pairs with the loads in rt_rings_ready() and rt_rings_map(). */
	if (!err)
		smp_store_release(&session->ringed, true);
	return err;
}

/* --- reading --------------------------------------------------------------------- */

bool rt_rings_ready(struct rt_session *session)
{
	int cpu;

	/* Pairs with the release in rt_rings_set_up(). */
	if (!smp_load_acquire(&session->ringed))
		return false;
	for_each_possible_cpu(cpu) {
		/* Pairs with the release in make_ring(). */
		if (!smp_load_acquire(&session->ring[cpu]))
			continue;
		if (rt_buffer_ready(session->buffer[cpu]) ||
		    rt_buffer_ready(session->side_buffer[cpu]))
			return true;
	}
	return false;
}

int rt_rings_map(struct rt_session *session, struct vm_area_struct *vma)
{
	u64 offset = (u64)vma->vm_pgoff << PAGE_SHIFT;
	u32 cpu = offset >> RT_MMAP_CPU_SHIFT;
	u32 part = offset >> RT_MMAP_PART_SHIFT & RT_MMAP_PART_MASK;
	bool side = part & RT_MMAP_SIDE;
	struct rt_ring **ring = side ? session->side_ring : session->ring;

	if (offset != RT_MMAP_OFFSET(cpu, part))
		return -EINVAL;
	/* Pairs with the release in rt_rings_set_up(). */
	if (!smp_load_acquire(&session->ringed))
		return -ENXIO;
	/* Pairs with the release in make_ring(). */
	if (cpu >= nr_cpu_ids || !smp_load_acquire(&ring[cpu]))
		return -ENXIO;
	vm_flags_set(vma, VM_DONTCOPY | VM_DONTEXPAND | VM_DONTDUMP);
	return rt_buffer_map(side ? session->side_buffer[cpu] : session->buffer[cpu],
			     part & ~RT_MMAP_SIDE, vma);
}

static void flush_here(void *data)
{
	struct rt_session *session = data;
	struct rt_ring *ring = session->ring[smp_processor_id()];
	int context = hardirq_count() ? RT_CTX_HARDIRQ : RT_CTX_TASK;

	/* A probe in what closing calls would write into what is being closed, without end. */
	if (!ring || !rt_ring_enter(ring, context))
		return;
	rt_ring_flush(ring);
	rt_ring_exit(ring, context);
}

void rt_rings_flush(struct rt_session *session)
{
	int cpu;

	cpus_read_lock();
	on_each_cpu(flush_here, session, 1);
	/* The ring of a CPU that has gone has no writers: anybody may close it. */
	preempt_disable();
	for_each_possible_cpu(cpu)
		if (session->ring[cpu] && !cpu_online(cpu))
			rt_ring_flush(session->ring[cpu]);
	preempt_enable();
	cpus_read_unlock();
}

/* --- what is ours ---------------------------------------------------------------- */

static bool overlaps(u64 from, u64 to, const void *begin, u64 bytes)
{
	u64 at = (unsigned long)begin;

	return begin && from < at + bytes && to > at;
}

static bool ring_owns(const struct rt_ring *ring, u64 from, u64 to)
{
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

bool rt_rings_own(u64 from, u64 to)
{
	struct rt_session *session;
	bool found = false;
	int cpu;

	mutex_lock(&sessions_lock);
	list_for_each_entry(session, &sessions, link)
		for_each_possible_cpu(cpu)
			found = found || ring_owns(session->ring[cpu], from, to) ||
				ring_owns(session->side_ring[cpu], from, to) ||
				overlaps(from, to, session->scratch[cpu], RT_STACK_SCRATCH_BYTES);
	mutex_unlock(&sessions_lock);
	return found;
}

/* --- loading --------------------------------------------------------------------- */

static int hotplug_state;

int rt_rings_init(void)
{
	hotplug_state =
		cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN, "ringtail:ring", cpu_comes, NULL);
	return hotplug_state < 0 ? hotplug_state : 0;
}

void rt_rings_exit(void)
{
	cpuhp_remove_state_nocalls(hotplug_state);
}
