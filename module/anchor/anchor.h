/* SPDX-License-Identifier: GPL-2.0 */
/*
 * anchor.h - the page from which a reader of a memory image finds everything of a session: its
 * rings, its events, the kernel and its modules.  struct rt_anchor describes it.
 *
 * Call with the session's lock held; may sleep.
 */
#ifndef RT_ANCHOR_H
#define RT_ANCHOR_H

#include <linux/types.h>

#include <uapi/ringtail.h>

struct rt_anchor_keeper;
struct rt_event;
struct rt_ring;
struct rt_ring_config;

/*
 * Make an anchor that a reader of an image can find; or an ERR_PTR().  Both ids have 16 bytes.
 * KEPT: in the memory that the next boot leaves alone.
 */
struct rt_anchor_keeper *rt_anchor_new(const u8 *session, const u8 *boot_id, bool kept);
/* Erase the magic numbers of the anchor and its tables, and free them.  KEEPER may be NULL. */
void rt_anchor_free(struct rt_anchor_keeper *keeper);

/* List a new ring.  When a CPU comes online, the caller does not hold the session's lock. */
void rt_anchor_add_ring(struct rt_anchor_keeper *keeper, const struct rt_ring *ring,
			const struct rt_ring_config *config);

/* List no rings any more, before they are freed. */
void rt_anchor_forget_rings(struct rt_anchor_keeper *keeper);

/* List a new event; fills *REFUSAL on failure. */
int rt_anchor_add_event(struct rt_anchor_keeper *keeper, struct rt_event *event,
			const struct rt_event_add *add, struct rt_refusal *refusal);

/* The session is pinned from now on; PIN NULL: not any more. */
void rt_anchor_set_pin(struct rt_anchor_keeper *keeper, const struct rt_anchor_pin *pin);

/*
 * Copy BYTES from physical address PHYS (0: the anchor) to the user, if they are part of the anchor, a
 * table or the state of a ring; else -ENXIO.
 */
int rt_anchor_look(struct rt_anchor_keeper *keeper, u64 phys, void __user *to, u32 bytes);

/* Store the record clock and the wall clock of this moment. */
void rt_anchor_set_clock(struct rt_anchor_keeper *keeper);

#endif
