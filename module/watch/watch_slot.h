/* SPDX-License-Identifier: GPL-2.0 */
/*
 * watch_slot.h - arm64: which events own the debug registers of this CPU.
 *
 * The kernel does not say.  It calls every event whose bytes hold the reported address, in the order of
 * the registers, and the last one decides whether the kernel steps over the access.
 */
#ifndef RT_WATCH_SLOT_H
#define RT_WATCH_SLOT_H

#include <linux/types.h>

struct perf_event;

void rt_watch_slot_init(void);

/* The data-watch registers that the access at TRIGGER has hit: one bit each. */
u32 rt_watch_slots_at(u64 trigger, bool write);

/* Whether HIT has a register after that of this event. */
bool rt_watch_slot_is_last(struct perf_event *event, u32 hit);

/* Disable the register until the event is scheduled in or resumed. */
void rt_watch_slot_off(struct perf_event *event);

#endif
