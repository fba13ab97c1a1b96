// SPDX-License-Identifier: GPL-2.0
/* ring_live.c - read a mapped discard ring while it is written: order, losses, giving back. */
#include "ring_rig.h"
#include "agent/live.h"

#define BYTES 4096U

static struct rig rig;
static struct rt_live_ring live;

static int start(u32 mode)
{
	rig_open(&rig, mode, 4, BYTES);
	return rt_live_init(&live, rig.ring.status, rig.ring.control, rig.memory, 4 * BYTES, NULL);
}

static void in_step(void)
{
	struct rt_record rec;
	u64 i, bad = 0;

	start(RT_MODE_DISCARD);
	ok(!rt_live_next(&live, &rec, NULL), "nothing in an empty ring");
	for (i = 0; i < 5000; i++) {
		bad += !rig_put(&rig, i, 40);
		bad += !rt_live_next(&live, &rec, NULL) || rig_check(rec.payload, 40, 40) != i;
		bad += rt_live_next(&live, &rec, NULL);
	}
	is_int(bad, 0, "each record is there at once, and once");
	is_int(live.records, 5000, "all are counted");
	rig_close(&rig);
}

static void pending(void)
{
	struct rt_record rec;
	u32 *first, *second;

	start(RT_MODE_DISCARD);
	first = rt_ring_reserve(&rig.ring, 1, 8);
	second = rt_ring_reserve(&rig.ring, 2, 8);
	rt_ring_commit(&rig.ring, second);
	ok(!rt_live_next(&live, &rec, NULL), "a pending record holds back those behind it");
	rt_ring_commit(&rig.ring, first);
	ok(rt_live_next(&live, &rec, NULL) && rec.id == 1, "committed, it comes first");
	ok(rt_live_next(&live, &rec, NULL) && rec.id == 2, "then the other");
	rig_close(&rig);
}

static void losses(void)
{
	u64 lost[RT_LOST_CAUSES], written = 0, read = 0, told = 0, i;
	struct rt_record rec;

	start(RT_MODE_DISCARD);
	for (i = 0; i < 1000; i++)
		written += rig_put(&rig, i, 40);
	rt_ring_reserve(&rig.ring, 1, ~0U);
	while (rt_live_next(&live, &rec, lost)) {
		read++;
		told += lost[RT_LOST_FULL];
	}
	is_int(told, 0, "before the ring was full nothing was lost");
	is_int(read, written, "all that was written is read");
	is_int(rig.ring.control->consumed, 7, "what was read to its end is given back");
	rt_ring_flush(&rig.ring);
	rig_put(&rig, 1000, 40);
	ok(rt_live_next(&live, &rec, lost) && lost[RT_LOST_FULL] == 1000 - written &&
		   lost[RT_LOST_TOO_BIG] == 1,
	   "the first record after the gap tells the gap, by cause");
	rig_put(&rig, 1001, 40);
	ok(rt_live_next(&live, &rec, lost) && !lost[RT_LOST_FULL],
	   "the second does not tell it again");
	rig_close(&rig);
}

/* Fill the ring, lose N more records, and read everything up to the last sub-buffer. */
static void gap(u64 n)
{
	struct rt_record rec;

	while (rig_put(&rig, 1, 1000))
		;
	while (--n)
		rig_put(&rig, 1, 1000);
	while (rt_live_next(&live, &rec, NULL))
		;
}

static void second_gap(void)
{
	u64 lost[RT_LOST_CAUSES];
	struct rt_record rec;
	u32 *cancelled;

	start(RT_MODE_DISCARD);
	gap(5);
	rig_put(&rig, 2, 1000);
	ok(rt_live_next(&live, &rec, lost) && lost[RT_LOST_FULL] == 5, "the first gap");
	gap(3);
	rig_put(&rig, 2, 1000);
	ok(rt_live_next(&live, &rec, lost) && lost[RT_LOST_FULL] == 3,
	   "the second gap is told without the first");
	gap(7);
	rig_put(&rig, 2, 1000);
	ok(rt_live_next(&live, &rec, NULL), "nobody asks for the third");
	gap(2);
	rig_put(&rig, 2, 1000);
	ok(rt_live_next(&live, &rec, lost) && lost[RT_LOST_FULL] == 2,
	   "who asks for the fourth is not told the third");

	/* A sub-buffer without a committed record lies between two gaps. */
	gap(4);
	cancelled = rt_ring_reserve(&rig.ring, 1, 1000);
	rt_ring_cancel(&rig.ring, cancelled);
	rt_ring_reserve(&rig.ring, 1, ~0U);
	rt_ring_flush(&rig.ring);
	rig_put(&rig, 2, 1000);
	ok(rt_live_next(&live, &rec, lost) && lost[RT_LOST_FULL] == 4 && lost[RT_LOST_TOO_BIG] == 1,
	   "two gaps before one record are both told");
	rig_close(&rig);
}

static void refused(void)
{
	struct rt_err err;

	is_int(start(RT_MODE_OVERWRITE), -EINVAL, "an overwrite ring is not read in place");
	rig_close(&rig);
	rig_open(&rig, RT_MODE_DISCARD, 4, BYTES);
	is_int(rt_live_init(&live, rig.ring.status, rig.ring.control, rig.memory, 4 * BYTES - 1,
			    &err),
	       -EINVAL, "a mapping too small: %s", err.text);
	rig.ring.status->abi_major++;
	is_int(rt_live_init(&live, rig.ring.status, rig.ring.control, rig.memory, 4 * BYTES, &err),
	       -EINVAL, "another format: %s", err.text);
	rig_close(&rig);
}

int main(void)
{
	in_step();
	pending();
	losses();
	second_gap();
	refused();
	return tap_done();
}
