/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ring_rig.h - a ring in host memory, a clock that the test sets, a hook at every marked point, and
 * payloads that can be checked.
 */
#ifndef RING_RIG_H
#define RING_RIG_H

#include "agent/subbuf.h"
#include "ring_memory.h"
#include "tap.h"

static u64 rig_now;  /* the time of the clock */
static u64 rig_tick; /* added at each read of the clock */
static void (*rig_hook)(int where);
static void (*rig_clock_hook)(void); /* called during each read of the clock */
static u64 rig_points;		     /* points passed since the ring was opened */

/* Detects endless loops: no writer or reader waits, so tests pass far fewer points than this. */
static u64 rig_points_max = 1 << 23;

u64 rt_port_clock(void)
{
	if (rig_clock_hook)
		rig_clock_hook();
	return rig_now += rig_tick;
}

void rt_port_point(int where)
{
	if (++rig_points > rig_points_max) {
		rig_points = 0;
		ok(false, "a writer or a reader goes round without end");
		exit(1);
	}
	if (rig_hook)
		rig_hook(where);
}

static inline int rig_open_with(struct rig *rig, u32 mode, u32 subbufs, u32 bytes, u32 watermark,
				void (*wake)(struct rt_ring *))
{
	rig_now = 1000;
	rig_tick = 10;
	rig_hook = NULL;
	rig_points = 0;
	return rig_make(rig, 3, mode, subbufs, bytes, watermark, wake);
}

static inline int rig_open(struct rig *rig, u32 mode, u32 subbufs, u32 bytes)
{
	return rig_open_with(rig, mode, subbufs, bytes, 0, NULL);
}

static inline void rig_close(struct rig *rig)
{
	rig_hook = NULL;
	rig_free(rig);
}

/* A payload of at least 8 bytes: its serial number, and a pattern that shows a wrong byte. */
static inline void rig_fill(void *payload, u64 serial, u32 bytes)
{
	u8 *p = payload;
	u32 i;

	memcpy(p, &serial, 8);
	for (i = 8; i < bytes; i++)
		p[i] = (u8)(serial * 131 + i * 7 + 1);
}

/* The serial number, or ~0 if a byte is wrong.  Bytes from `bytes` to `stored` must be zero. */
static inline u64 rig_check(const void *payload, u32 bytes, u32 stored)
{
	const u8 *p = payload;
	u64 serial;
	u32 i;

	memcpy(&serial, p, 8);
	for (i = 8; i < bytes; i++)
		if (p[i] != (u8)(serial * 131 + i * 7 + 1))
			return ~0ULL;
	for (; i < stored; i++)
		if (p[i])
			return ~0ULL;
	return serial;
}

/* Write one whole record; false if it was lost. */
static inline bool rig_put(struct rig *rig, u64 serial, u32 bytes)
{
	u32 *rec = rt_ring_reserve(&rig->ring, serial & 0xffff, bytes);

	if (!rec)
		return false;
	rig_fill(rt_record_payload(rec), serial, bytes);
	rt_ring_commit(&rig->ring, rec);
	return true;
}

static inline u64 rig_lost(struct rig *rig, int cause)
{
	return rig->ring.status->lost[cause];
}

static inline struct rt_subbuf *rig_sub(struct rig *rig, u64 seq)
{
	return rt_slot_area(&rig->ring, *rt_slot_of(&rig->ring, seq));
}

#endif
