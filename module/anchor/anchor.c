// SPDX-License-Identifier: GPL-2.0
/*
 * anchor.c - the anchor of a session.
 *
 * The machine may die at any instruction, and somebody then reads the anchor from an image of its
 * memory.  So each part is complete before it is listed or counted, and no part moves while the
 * session exists.  The write barriers below pair with that reader, user/agent/image.c.  It needs no
 * read barriers, because nobody writes to an image.
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
#include "kernel/clock.h"
#include "kernel/kept.h"
#include "event/event.h"
#include "kernel/kernel_id.h"
#include "ring/ring_alloc.h"

/* When the event table of a session has this many blocks, leave out further formats. */
#define FORMATS_BLOCKS ((16U << 20) / RT_TABLE_BLOCK)

/* Two rings for each CPU, then the tables, the machine and the pin. */
static u32 part_of_ring(u32 cpu, bool side)
{
	return 2 * cpu + side;
}

static u32 part_behind_rings(u32 number)
{
	return 2 * nr_cpu_ids + number;
}

static u32 anchor_parts(void)
{
	return part_behind_rings(4);
}

/* The machine is behind the parts. */
static u32 machine_offset(void)
{
	return ALIGN(sizeof(struct rt_anchor) + anchor_parts() * sizeof(struct rt_anchor_part), 8);
}

static u32 pin_offset(void)
{
	return ALIGN(machine_offset() + sizeof(struct rt_anchor_machine), 8);
}

static u32 page_bytes(void)
{
	return pin_offset() + sizeof(struct rt_anchor_pin);
}

static void anchor_point(struct rt_anchor *anchor, u32 part, u32 kind, const void *at, u32 bytes)
{
	anchor->part[part].kind = kind;
	anchor->part[part].bytes = bytes;
	/* Pairs with the image reader: a part with an address, and its target, are complete. */
	smp_wmb();
	WRITE_ONCE(anchor->part[part].phys, rt_block_phys(at));
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

static int anchor_fill(struct rt_anchor_keeper *keeper, const u8 *session, const u8 *boot_id,
		       bool kept)
{
	struct rt_anchor *anchor = keeper->anchor;
	u32 cpu;
	int err;

	anchor->abi_major = RT_ABI_MAJOR;
	anchor->abi_minor = RT_ABI_MINOR;
	anchor->bytes = page_bytes();
	anchor->phys = rt_block_phys(anchor);
	memcpy(anchor->session, session, sizeof(anchor->session));
	memcpy(anchor->boot_id, boot_id, sizeof(anchor->boot_id));
	anchor->clock = RT_CLOCK_KIND;
	anchor->page_size = PAGE_SIZE;
	anchor->parts = anchor_parts();
	describe_kernel(anchor);
	for (cpu = 0; cpu < nr_cpu_ids; cpu++) {
		anchor->part[part_of_ring(cpu, false)].cpu = cpu;
		anchor->part[part_of_ring(cpu, true)].cpu = cpu;
	}
	err = rt_table_init(&keeper->events, RT_PART_EVENTS, session, boot_id, kept);
	if (!err)
		err = rt_table_init(&keeper->modules, RT_PART_MODULES, session, boot_id, kept);
	if (err)
		return err;
	anchor_point(anchor, part_behind_rings(0), RT_PART_EVENTS, keeper->events.first,
		     RT_TABLE_BLOCK);
	anchor_point(anchor, part_behind_rings(1), RT_PART_MODULES, keeper->modules.first,
		     RT_TABLE_BLOCK);
	keeper->pin = (void *)anchor + pin_offset();
	keeper->machine = (void *)anchor + machine_offset();
	rt_anchor_describe_machine(keeper->machine);
	anchor_point(anchor, part_behind_rings(2), RT_PART_MACHINE, keeper->machine,
		     sizeof(*keeper->machine));
	return 0;
}

static void keeper_free(struct rt_anchor_keeper *keeper)
{
	if (keeper->anchor) {
		WRITE_ONCE(keeper->anchor->magic, 0);
		rt_block_free(keeper->anchor, page_bytes());
	}
	rt_table_free(&keeper->events);
	rt_table_free(&keeper->modules);
	kfree(keeper);
}

struct rt_anchor_keeper *rt_anchor_new(const u8 *session, const u8 *boot_id, bool kept)
{
	struct rt_anchor_keeper *keeper;
	int err = -ENOMEM;

	keeper = kzalloc(sizeof(*keeper), GFP_KERNEL_ACCOUNT);
	if (!keeper)
		return ERR_PTR(-ENOMEM);
	INIT_LIST_HEAD(&keeper->link);
	keeper->anchor =
		kept ? rt_kept_alloc(page_bytes()) :
		       (void *)__get_free_pages(GFP_KERNEL_ACCOUNT | __GFP_ZERO | __GFP_NOWARN,
						get_order(page_bytes()));
	if (keeper->anchor)
		err = anchor_fill(keeper, session, boot_id, kept);
	if (!err)
		err = rt_anchor_watch_modules(keeper);
	if (err) {
		keeper_free(keeper);
		return ERR_PTR(err);
	}
	rt_anchor_watch_failures(keeper);
	rt_anchor_set_clock(keeper);
	/* Pairs with find_anchor() in image.c: an anchor that has its magic number is complete. */
	smp_wmb();
	WRITE_ONCE(keeper->anchor->magic, RT_ANCHOR_MAGIC);
	return keeper;
}

void rt_anchor_free(struct rt_anchor_keeper *keeper)
{
	if (!keeper)
		return;
	rt_anchor_forget_failures(keeper);
	rt_anchor_forget_modules(keeper);
	keeper_free(keeper);
}

void rt_anchor_set_clock(struct rt_anchor_keeper *keeper)
{
	struct rt_anchor *anchor = keeper->anchor;
	unsigned long flags;
	u64 time, wall;

	local_irq_save(flags);
	time = rt_clock_read();
	wall = ktime_get_real_ns();
	local_irq_restore(flags);
	/* An image must not combine an old clock with a new one: time 0 means not known. */
	WRITE_ONCE(anchor->time, 0);
	smp_wmb(); /* pairs with the image reader: if it sees the new wall, the old time is gone */
	WRITE_ONCE(anchor->wall, wall);
	smp_wmb(); /* pairs with the image reader: if it sees the new time, it sees the new wall */
	WRITE_ONCE(anchor->time, time);
}

void rt_anchor_set_pin(struct rt_anchor_keeper *keeper, const struct rt_anchor_pin *pin)
{
	struct rt_anchor *anchor = keeper->anchor;
	u32 part = part_behind_rings(3);

	WRITE_ONCE(anchor->part[part].phys, 0);
	smp_wmb(); /* pairs with the image reader: a part that is listed has all of its contents */
	if (!pin)
		return;
	*keeper->pin = *pin;
	anchor_point(anchor, part, RT_PART_PIN, keeper->pin, sizeof(*pin));
}

void rt_anchor_add_ring(struct rt_anchor_keeper *keeper, const struct rt_ring *ring,
			const struct rt_ring_config *config)
{
	bool side = config->kind == RT_RING_SIDE;

	anchor_point(keeper->anchor, part_of_ring(config->cpu, side),
		     side ? RT_PART_SIDE_STATUS : RT_PART_STATUS, ring->status,
		     rt_ring_status_bytes(ring->mode, ring->subbufs));
}

void rt_anchor_forget_rings(struct rt_anchor_keeper *keeper)
{
	u32 i;

	for (i = 0; i < part_behind_rings(0); i++)
		WRITE_ONCE(keeper->anchor->part[i].phys, 0);
}

/* --- events ---------------------------------------------------------------------- */

static u32 anchor_padded(u32 bytes)
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

static u64 address_of(const struct rt_event_add *add)
{
	switch (add->kind) {
	case RT_KIND_KPROBE:
	case RT_KIND_KRETPROBE:
		return add->name ? add->probe.offset : add->probe.address;
	case RT_KIND_UPROBE:
	case RT_KIND_URETPROBE:
		return add->uprobe.offset;
	case RT_KIND_WATCHPOINT:
		return add->watch.address;
	case RT_KIND_SYSCALL_ENTER:
	case RT_KIND_SYSCALL_EXIT:
		return add->syscall.number;
	default:
		return 0;
	}
}

static int add_entry(struct rt_table *table, struct rt_event *event, const struct rt_event_add *add,
		     const char *name)
{
	u32 name_bytes = anchor_padded(strlen(name) + 1), code = event->fetch.code, cpus = 0;
	u32 format = table->blocks < FORMATS_BLOCKS ? add->format_bytes : 0;
	struct rt_anchor_argument *argument;
	struct rt_anchor_event *entry;
	u32 bytes;
	char *at;

	BUILD_BUG_ON(sizeof(*entry) + RT_EVENT_NAME_MAX + 8 + RT_FORMAT_MAX +
			     RT_PROGRAM_CODE_MAX * sizeof(struct rt_insn) + sizeof(*argument) >
		     RT_TABLE_ROOM);
	bytes = sizeof(*entry) + name_bytes + anchor_padded(format) +
		code * sizeof(struct rt_insn) + sizeof(*argument);
	/* Of a machine with more CPUs than a block has room for, the first 450 at least. */
	if (event->source->tell_off)
		cpus = min_t(u32, nr_cpu_ids,
			     (RT_TABLE_ROOM - bytes) / sizeof(struct rt_anchor_off));
	bytes += cpus * sizeof(struct rt_anchor_off);
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
	entry->address = address_of(add);
	at = (char *)(entry + 1);
	memcpy(at, name, strlen(name));
	at += name_bytes;
	if (format && copy_from_user(at, u64_to_user_ptr(add->format), format))
		return -EFAULT;
	at += anchor_padded(format);
	if (code)
		memcpy(at, event->fetch_slots, code * sizeof(struct rt_insn));
	argument = (void *)(at + code * sizeof(struct rt_insn));
	memcpy(argument->room, add->room, sizeof(argument->room));
	argument->user_registers = add->user_registers;
	argument->user_bytes = add->user_bytes;
	argument->stack_max = add->stack_max;
	if (cpus)
		event->source->tell_off(event, (struct rt_anchor_off *)(argument + 1), cpus);
	rt_table_add(table, bytes);
	return 0;
}

int rt_anchor_add_event(struct rt_anchor_keeper *keeper, struct rt_event *event,
			const struct rt_event_add *add, struct rt_refusal *refusal)
{
	char *name = NULL;
	int err;

	err = check_format(add, refusal);
	if (err)
		return err;
	if (add->name) {
		name = strndup_user(u64_to_user_ptr(add->name), RT_EVENT_NAME_MAX);
		if (IS_ERR(name))
			return PTR_ERR(name);
	}
	err = add_entry(&keeper->events, event, add, name ?: "");
	kfree(name);
	return err;
}
