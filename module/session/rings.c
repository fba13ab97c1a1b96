// SPDX-License-Identifier: GPL-2.0
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/smp.h>

#include <uapi/ringtail.h>

#include "compat/cpuhotplug.h"
#include "anchor/anchor.h"
#include "buffer.h"
#include "event/guard.h"
#include "kernel/kept.h"
#include "kernel/memory.h"
#include "rings.h"
#include "session.h"
#include "sessions.h"
#include "event/stack.h"

#define SIDE_SUBBUFS 4

/* --- making and freeing ----------------------------------------------------------- */

static void drop_ring(struct rt_ring **ring, struct rt_buffer **buffer)
{
	*ring = NULL;
	if (*buffer)
		rt_buffer_free(*buffer);
	*buffer = NULL;
}

/* After this a CPU that comes online gets no ring. */
void rt_rings_delist(struct rt_session *session)
{
	rt_channel_delist(&session->channel);
	rt_sessions_remove(session);
	rt_memory_uncharge(session->bytes);
	WRITE_ONCE(session->bytes, 0);
}

void rt_rings_free(struct rt_session *session)
{
	struct rt_channel_cpu *place;
	int cpu;

	for_each_possible_cpu(cpu) {
		place = rt_session_cpu(session, cpu);
		drop_ring(&place->ring, &session->buffer[cpu]);
		drop_ring(&place->side_ring, &session->side_buffer[cpu]);
		kfree(place->scratch);
		place->scratch = NULL;
	}
	session->subbufs = 0;
}

static int make_ring(struct rt_session *session, const struct rt_ring_config *config,
		     struct rt_ring **ring, struct rt_buffer **at)
{
	struct rt_buffer *buffer;

	if (*ring)
		return 0;
	buffer = rt_buffer_new(session, config);
	if (IS_ERR(buffer))
		return PTR_ERR(buffer);
	*at = buffer;
	rt_anchor_add_ring(session->anchor, buffer->ring, config);
	/* Pairs with the loads of handlers and readers: a ring that they see is complete. */
	smp_store_release(ring, buffer->ring);
	return 0;
}

static struct rt_ring_config side_config_of(const struct rt_session *session, int cpu)
{
	return (struct rt_ring_config){
		.cpu = cpu,
		.kind = RT_RING_SIDE,
		.mode = session->side_mode,
		.subbufs = SIDE_SUBBUFS,
		.subbuf_bytes = max_t(u32, RT_SIDE_RING_BYTES / SIDE_SUBBUFS, PAGE_SIZE),
		.watermark = session->side_mode == RT_MODE_DISCARD ? SIDE_SUBBUFS / 2 : 0,
		.kept = session->kept,
	};
}

/*
 * Called before the CPU runs, or while the gate is shut: nobody writes to the rings.  One caller for each
 * CPU: RINGS for those that it asked for, the hotplug callback for all others.
 */
static int add_rings(struct rt_session *session, int cpu)
{
	const struct rt_ring_config config = {
		.cpu = cpu,
		.kind = RT_RING_EVENTS,
		.mode = session->mode,
		.subbufs = session->subbufs,
		.subbuf_bytes = session->subbuf_bytes,
		.watermark = session->watermark,
		.kept = session->kept,
	};
	const struct rt_ring_config side_config = side_config_of(session, cpu);
	struct rt_channel_cpu *place = rt_session_cpu(session, cpu);
	int err;

	if (!place->scratch)
		place->scratch =
			kmalloc_node(RT_STACK_SCRATCH_BYTES, GFP_KERNEL_ACCOUNT, cpu_to_node(cpu));
	if (!place->scratch)
		return -ENOMEM;
	err = make_ring(session, &side_config, &place->side_ring, &session->side_buffer[cpu]);
	if (err)
		return err;
	return make_ring(session, &config, &place->ring, &session->buffer[cpu]);
}

/* Bytes that the rings of one CPU need. */
static u64 cpu_bytes(const struct rt_session *session)
{
	struct rt_ring_config config = {
		.mode = session->mode,
		.subbufs = session->subbufs,
		.subbuf_bytes = session->subbuf_bytes,
	};
	struct rt_ring_config side = side_config_of(session, 0);

	return rt_ring_bytes(&config) + rt_ring_bytes(&side) + RT_STACK_SCRATCH_BYTES;
}

/* The rings of a CPU that was offline when the session set up its rings. */
static int add_later(struct rt_session *session, int cpu)
{
	u64 bytes = cpu_bytes(session);
	int err;

	/* It was online before and still has its rings. */
	if (rt_session_cpu(session, cpu)->ring)
		return 0;
	err = rt_memory_charge(bytes, NULL);
	if (err)
		return err;
	err = add_rings(session, cpu);
	if (err)
		rt_memory_uncharge(bytes);
	else
		WRITE_ONCE(session->bytes, session->bytes + bytes); /* rt_pins_tell() has no lock */
	return err;
}

static void cpu_comes(struct rt_session *session, unsigned int cpu)
{
	/* RINGS is making the rings of this CPU, which went offline and comes back. */
	if (cpumask_test_cpu(cpu, session->asked))
		return;
	if (add_later(session, cpu))
		pr_warn("ringtail: no memory for the ring of CPU %u\n", cpu);
}

/*
 * A CPU is about to come online: make its rings for every session that has rings.  A failure must not
 * keep the CPU offline: without a ring its hits are counted as lost.
 */
static int rings_cpu_comes(unsigned int cpu)
{
	rt_sessions_visit(cpu_comes, cpu);
	return 0;
}

/* Charge for the CPUs asked for.  Those that come later are charged then. */
static int rings_charge(struct rt_session *session, struct rt_rings *rings)
{
	u64 bytes = cpu_bytes(session) * cpumask_weight(session->asked), left;

	if (rt_memory_charge(bytes, &left)) {
		rings->refusal.reason = RT_REFUSED_MEMORY;
		rings->refusal.field = offsetof(struct rt_rings, subbufs);
		rings->refusal.detail = left;
		return -ENOSPC;
	}
	WRITE_ONCE(session->bytes, bytes);
	/* Ask first: to allocate until there is nothing left would starve everybody else meanwhile. */
	return session->kept || rt_memory_has(bytes, NULL) ? 0 : -ENOMEM;
}

/* There is no memory, or no contiguous memory, or the memory cgroup allows no more. */
static void rings_no_memory(const struct rt_session *session, struct rt_rings *rings)
{
	rings->refusal.field = offsetof(struct rt_rings, subbufs);
	if (session->kept) {
		rings->refusal.reason = RT_REFUSED_KEPT_ROOM;
		rings->refusal.detail = rt_kept_room();
	} else {
		rings->refusal.reason = RT_REFUSED_AVAILABLE;
		rt_memory_has(0, &rings->refusal.detail);
	}
}

int rt_rings_need_anchor(struct rt_session *session)
{
	struct rt_anchor_keeper *anchor;

	if (session->anchor)
		return 0;
	anchor = rt_anchor_new(session->uuid, session->boot_id, session->kept);
	if (IS_ERR(anchor))
		return PTR_ERR(anchor);
	session->anchor = anchor;
	return 0;
}

/* The session's memory is to outlive this boot.  Its anchor must not be elsewhere already. */
static int rings_keep(struct rt_session *session, struct rt_rings *rings)
{
	if (session->anchor && !session->kept) {
		rings->refusal.reason = RT_REFUSED_STATE;
		return -EBUSY;
	}
	if (rt_kept_begin()) {
		rings->refusal.reason = RT_REFUSED_NO_KEPT;
		return -ENODEV;
	}
	session->kept = true;
	return 0;
}

/* Charge and list the session.  No CPU may come or go meanwhile; later ones find the session in the list. */
static int rings_list(struct rt_session *session, struct rt_rings *rings)
{
	int err;

	cpus_read_lock();
	cpumask_copy(session->asked, cpu_online_mask);
	err = rings_charge(session, rings);
	if (!err)
		err = rt_sessions_add(session);
	cpus_read_unlock();
	if (err == -ENOSPC && !rings->refusal.reason) {
		rings->refusal.reason = RT_REFUSED_SESSIONS;
		rings->refusal.detail = rt_sessions_limit();
	}
	if (err) {
		rt_memory_uncharge(session->bytes);
		WRITE_ONCE(session->bytes, 0);
	}
	return err;
}

/* Without a lock but the session's: making rings of gigabytes takes long, and nobody else has to wait for it. */
static int rings_make(struct rt_session *session)
{
	int cpu, err;

	for_each_cpu(cpu, session->asked) {
		err = add_rings(session, cpu);
		if (err)
			return err;
	}
	return 0;
}

int rt_rings_set_up(struct rt_session *session, struct rt_rings *rings)
{
	int err;

	if (session->subbufs) {
		rings->refusal.reason = RT_REFUSED_STATE;
		return -EBUSY;
	}
	err = rt_rings_choose(rings);
	if (!err && rings->flags & RT_RINGS_KEPT)
		err = rings_keep(session, rings);
	if (!err)
		err = rt_rings_need_anchor(session);
	if (err == -ENOMEM)
		rings_no_memory(session, rings);
	if (err)
		return err;

	session->mode = rings->mode;
	session->side_mode =
		rings->flags & RT_RINGS_SIDE_OVERWRITE ? RT_MODE_OVERWRITE : RT_MODE_DISCARD;
	session->subbuf_bytes = rings->subbuf_bytes;
	session->watermark = rings->watermark;
	session->subbufs = rings->subbufs;
	rt_channel_list(&session->channel);
	err = rings_list(session, rings);
	if (err) {
		rt_channel_delist(&session->channel);
		session->subbufs = 0;
		if (err == -ENOMEM)
			rings_no_memory(session, rings);
		return err;
	}
	err = rings_make(session);
	if (err) {
		rt_rings_delist(session);
		/* The anchor stays: LOOK must not read memory that belongs to others by then. */
		rt_anchor_forget_rings(session->anchor);
		rt_rings_free(session);
		if (err == -ENOMEM)
			rings_no_memory(session, rings);
		return err;
	}
	/* Pairs with the loads in rt_rings_ready() and rt_rings_map(). */
	smp_store_release(&session->ringed, 1);
	return 0;
}

/* --- reading --------------------------------------------------------------------- */

bool rt_rings_ready(struct rt_session *session)
{
	struct rt_channel_cpu *place;
	int cpu;

	/* Pairs with the release in rt_rings_set_up(). */
	if (!smp_load_acquire(&session->ringed))
		return false;
	for_each_possible_cpu(cpu) {
		place = rt_session_cpu(session, cpu);
		/* Pairs with the release in make_ring(). */
		if (!smp_load_acquire(&place->ring))
			continue;
		if (rt_ring_ready(place->ring) || rt_ring_ready(place->side_ring))
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
	struct rt_channel_cpu *place = rt_session_cpu(session, cpu);

	if (offset != RT_MMAP_OFFSET(cpu, part))
		return -EINVAL;
	/* Pairs with the release in rt_rings_set_up(). */
	if (!smp_load_acquire(&session->ringed))
		return -ENXIO;
	/* Pairs with the release in make_ring(). */
	if (!place ||
	    !(side ? smp_load_acquire(&place->side_ring) : smp_load_acquire(&place->ring)))
		return -ENXIO;
	vm_flags_set(vma, VM_DONTCOPY | VM_DONTEXPAND | VM_DONTDUMP);
	return rt_buffer_map(side ? session->side_buffer[cpu] : session->buffer[cpu],
			     part & ~RT_MMAP_SIDE, vma);
}

static void flush_here(void *data)
{
	struct rt_session *session = data;
	struct rt_ring *ring = this_cpu_read(session->channel.cpu->ring);
	rt_guard_t guard = rt_guard_of(hardirq_count() ? RT_LEVEL_HARDIRQ : RT_LEVEL_TASK);

	/* A probe on a function that flush calls would write to the closing sub-buffer forever. */
	if (!ring || !rt_guard_enter(guard))
		return;
	rt_ring_flush(ring);
	rt_guard_exit(guard);
}

void rt_rings_flush(struct rt_session *session)
{
	struct rt_ring *ring;
	int cpu;

	cpus_read_lock();
	on_each_cpu(flush_here, session, 1);
	/* The ring of an offline CPU has no writers: any CPU may flush it. */
	preempt_disable();
	for_each_possible_cpu(cpu) {
		ring = rt_session_cpu(session, cpu)->ring;
		if (ring && !cpu_online(cpu))
			rt_ring_flush(ring);
	}
	preempt_enable();
	cpus_read_unlock();
}

/* --- loading --------------------------------------------------------------------- */

static int hotplug_state;

int rt_rings_init(void)
{
	hotplug_state = cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN, "ringtail:ring",
						  rings_cpu_comes, NULL);
	return hotplug_state < 0 ? hotplug_state : 0;
}

void rt_rings_exit(void)
{
	cpuhp_remove_state_nocalls(hotplug_state);
}
