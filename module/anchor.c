// SPDX-License-Identifier: GPL-2.0
/*
 * anchor.c - the anchor of a session.
 *
 * Whoever reads it may be looking at a machine that died at any instruction.  So each
 * thing is whole before it is pointed at or counted, and nothing moves while the session
 * lives.
 */
#include <linux/cpumask.h>
#include <linux/elf.h>
#include <linux/err.h>
#include <linux/gfp.h>
#include <linux/io.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/uaccess.h>
#include <linux/utsname.h>

#include "anchor.h"
#include "anchor_keeper.h"
#include "clock.h"
#include "event.h"
#include "kernel_id.h"
#include "ring_alloc.h"
#include "session.h"

/* Formats are kept as long as all of a session's events take no more than this. */
#define FORMATS_BLOCKS ((16U << 20) / RT_TABLE_BLOCK)

/* Two rings for each CPU, then the tables. */
static u32 part_of_ring(u32 cpu, bool side)
{
	return 2 * cpu + side;
}

static u32 parts(void)
{
	return 2 * nr_cpu_ids + 2;
}

static u32 page_bytes(void)
{
	return sizeof(struct rt_anchor) + parts() * sizeof(struct rt_anchor_part);
}

static void point(struct rt_anchor *anchor, u32 part, u32 kind, const void *at, u32 bytes)
{
	anchor->part[part].kind = kind;
	anchor->part[part].bytes = bytes;
	smp_wmb(); /* who finds an address finds the rest, and what it leads to, whole */
	WRITE_ONCE(anchor->part[part].phys, virt_to_phys((void *)at));
}

static void describe_kernel(struct rt_anchor *anchor)
{
	const struct rt_kernel_id *kernel = rt_kernel_id();

	anchor->text = kernel->text;
	anchor->kaslr_offset = kernel->kaslr_offset;
	anchor->build_id_bytes = kernel->build_id.bytes;
	memcpy(anchor->build_id, kernel->build_id.id, sizeof(anchor->build_id));
	anchor->machine = ELF_ARCH;
	strscpy(anchor->release, init_utsname()->release, sizeof(anchor->release));
}

static int fill(struct rt_anchor_keeper *keeper, const struct rt_session *session)
{
	struct rt_anchor *anchor = keeper->anchor;
	u32 cpu;
	int err;

	anchor->abi_major = RT_ABI_MAJOR;
	anchor->abi_minor = RT_ABI_MINOR;
	anchor->bytes = page_bytes();
	anchor->phys = virt_to_phys(anchor);
	memcpy(anchor->session, session->uuid, sizeof(anchor->session));
	memcpy(anchor->boot_id, session->boot_id, sizeof(anchor->boot_id));
	anchor->clock = RT_CLOCK_KIND;
	anchor->page_size = PAGE_SIZE;
	anchor->parts = parts();
	describe_kernel(anchor);
	for (cpu = 0; cpu < nr_cpu_ids; cpu++) {
		anchor->part[part_of_ring(cpu, false)].cpu = cpu;
		anchor->part[part_of_ring(cpu, true)].cpu = cpu;
	}
	err = rt_table_init(&keeper->events, RT_PART_EVENTS, session->uuid, session->boot_id);
	if (!err)
		err = rt_table_init(&keeper->modules, RT_PART_MODULES, session->uuid,
				    session->boot_id);
	if (err)
		return err;
	point(anchor, parts() - 2, RT_PART_EVENTS, keeper->events.first, RT_TABLE_BLOCK);
	point(anchor, parts() - 1, RT_PART_MODULES, keeper->modules.first, RT_TABLE_BLOCK);
	return 0;
}

static void keeper_free(struct rt_anchor_keeper *keeper)
{
	if (keeper->anchor) {
		WRITE_ONCE(keeper->anchor->magic, 0);
		free_pages((unsigned long)keeper->anchor, get_order(page_bytes()));
	}
	rt_table_free(&keeper->events);
	rt_table_free(&keeper->modules);
	kfree(keeper);
}

int rt_anchor_need(struct rt_session *session)
{
	struct rt_anchor_keeper *keeper;
	int err = -ENOMEM;

	if (session->anchor)
		return 0;
	keeper = kzalloc(sizeof(*keeper), GFP_KERNEL_ACCOUNT);
	if (!keeper)
		return -ENOMEM;
	INIT_LIST_HEAD(&keeper->link);
	keeper->anchor = (void *)__get_free_pages(GFP_KERNEL_ACCOUNT | __GFP_ZERO | __GFP_NOWARN,
						  get_order(page_bytes()));
	if (keeper->anchor)
		err = fill(keeper, session);
	if (!err)
		err = rt_anchor_watch_modules(keeper);
	if (err) {
		keeper_free(keeper);
		return err;
	}
	session->anchor = keeper;
	rt_anchor_set_clock(session);
	smp_wmb(); /* an anchor that is found is whole */
	WRITE_ONCE(keeper->anchor->magic, RT_ANCHOR_MAGIC);
	return 0;
}

void rt_anchor_drop(struct rt_session *session)
{
	if (!session->anchor)
		return;
	rt_anchor_forget_modules(session->anchor);
	keeper_free(session->anchor);
	session->anchor = NULL;
}

void rt_anchor_set_clock(struct rt_session *session)
{
	struct rt_anchor *anchor = session->anchor->anchor;
	unsigned long flags;
	u64 time, wall;

	local_irq_save(flags);
	time = rt_clock_read();
	wall = ktime_get_real_ns();
	local_irq_restore(flags);
	/* Never the one without the other. */
	WRITE_ONCE(anchor->time, 0);
	smp_wmb();
	WRITE_ONCE(anchor->wall, wall);
	smp_wmb();
	WRITE_ONCE(anchor->time, time);
}

void rt_anchor_add_ring(struct rt_session *session, const struct rt_ring *ring,
			const struct rt_ring_config *shape)
{
	bool side = shape->kind == RT_RING_SIDE;

	point(session->anchor->anchor, part_of_ring(shape->cpu, side),
	      side ? RT_PART_SIDE_STATUS : RT_PART_STATUS, ring->status,
	      rt_ring_status_bytes(ring->mode, ring->subbufs));
}

/* --- events ---------------------------------------------------------------------- */

static u32 padded(u32 bytes)
{
	return ALIGN(bytes, 8);
}

static int check_format(const struct rt_event_add *add, struct rt_refusal *refusal)
{
	refusal->field = offsetof(struct rt_event_add, format_bytes);
	if (add->format_bytes > RT_FORMAT_MAX) {
		refusal->reason = RT_REFUSED_TOO_MANY;
		refusal->detail = RT_FORMAT_MAX;
		return -EINVAL;
	}
	if (add->format_bytes && !add->format) {
		refusal->reason = RT_REFUSED_FLAGS;
		return -EINVAL;
	}
	refusal->field = 0;
	return 0;
}

static int add_entry(struct rt_table *table, const struct rt_event *event,
		     const struct rt_event_add *add, const char *name)
{
	u32 name_bytes = padded(strlen(name) + 1), code = event->fetch.code;
	u32 format = table->blocks < FORMATS_BLOCKS ? add->format_bytes : 0;
	struct rt_anchor_event *entry;
	u32 bytes;
	char *at;

	BUILD_BUG_ON(sizeof(*entry) + RT_EVENT_NAME_MAX + 8 + RT_FORMAT_MAX +
			     RT_PROGRAM_CODE_MAX * sizeof(struct rt_insn) >
		     RT_TABLE_ROOM);
	bytes = sizeof(*entry) + name_bytes + padded(format) + code * sizeof(struct rt_insn);
	entry = rt_table_room(table, bytes);
	if (!entry)
		return -ENOMEM;
	memset(entry, 0, bytes);
	entry->bytes = bytes;
	entry->id = event->id;
	entry->kind = add->kind;
	entry->carry = add->carry;
	entry->fixed = event->fetch.fixed;
	entry->name_bytes = name_bytes;
	entry->code = code;
	entry->format_bytes = format;
	entry->address = add->address;
	at = (char *)(entry + 1);
	memcpy(at, name, strlen(name));
	at += name_bytes;
	if (format && copy_from_user(at, u64_to_user_ptr(add->format), format))
		return -EFAULT;
	at += padded(format);
	if (code)
		memcpy(at, event->fetch_slots, code * sizeof(struct rt_insn));
	rt_table_add(table, bytes);
	return 0;
}

int rt_anchor_add_event(struct rt_session *session, const struct rt_event *event,
			const struct rt_event_add *add, struct rt_refusal *refusal)
{
	char *name = NULL;
	int err;

	err = check_format(add, refusal);
	if (!err)
		err = rt_anchor_need(session);
	if (err)
		return err;
	if (add->name) {
		name = strndup_user(u64_to_user_ptr(add->name), RT_EVENT_NAME_MAX);
		if (IS_ERR(name))
			return PTR_ERR(name);
	}
	err = add_entry(&session->anchor->events, event, add, name ?: "");
	kfree(name);
	return err;
}
