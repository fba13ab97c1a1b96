// SPDX-License-Identifier: GPL-2.0
/* ring_pieces.c - read a mapped discard ring as bytes: every record once, in order, none that is pending. */
#include "ring_rig.h"
#include "agent/live.h"

#define BYTES 4096U

static struct rig rig;
static struct rt_live_ring live;
static u64 next_serial; /* of the record that must come next */
static u64 bad, told;	/* told: losses */

static void start(void)
{
	rig_open(&rig, RT_MODE_DISCARD, 4, BYTES);
	rt_live_init(&live, rig.ring.status, rig.ring.control, rig.memory, 4 * BYTES, NULL);
	next_serial = bad = told = 0;
}

/* Read the records of a piece as a file has them: without what is in front of it. */
static void check(const struct rt_live_piece *p)
{
	u32 copy[BYTES / RT_WORD] __attribute__((aligned(8)));
	struct rt_subbuf_reader r = { .head = (void *)copy, .word = copy, .start = p->start };
	struct rt_record rec;
	u64 n = 0, last = p->start;

	memcpy(copy, (const char *)p->sub + p->from, p->to - p->from);
	r.words = (p->to - p->from) / RT_WORD;
	r.at = p->from ? 0 : RT_SUBBUF_HEAD_WORDS;
	while (rt_subbuf_next(&r, &rec)) {
		bad += rig_check(rec.payload, 40, 40) != next_serial++;
		bad += rec.time < last;
		last = rec.time;
		n++;
	}
	bad += n != p->records || p->last != last || p->last < p->start;
}

/* Take all pieces; return how many. */
static unsigned int take(bool open)
{
	struct rt_live_piece p;
	unsigned int n = 0;

	for (; rt_live_next_piece(&live, open, &p); n++) {
		check(&p);
		told += p.lost[RT_LOST_FULL];
		bad += p.lossy != (p.lost[RT_LOST_FULL] != 0);
	}
	rt_live_give_back(&live);
	return n;
}

static void in_step(void)
{
	u64 i;

	start();
	is_int(take(true), 0, "nothing in an empty ring");
	ok(!rt_live_has_more(&live), "nor behind it");
	for (i = 0; i < 5000; i++) {
		bad += !rig_put(&rig, i, 40);
		bad += !rt_live_has_more(&live);
		if (i % 7 == 0)
			take(false);
		if (i % 31 == 0)
			take(true);
		bad += i % 31 == 0 && rt_live_has_more(&live);
	}
	take(true);
	is_int(next_serial, 5000, "all records came, in order");
	is_int(bad, 0, "with their bytes, times and numbers");
	is_int(live.records, 5000, "and were counted");
	rig_close(&rig);
}

static void whole(void)
{
	struct rt_live_piece p;
	u64 i = 0;

	start();
	while (rig.ring.status->head < 5)
		rig_put(&rig, i++, 40);
	ok(rt_live_next_piece(&live, false, &p), "a complete sub-buffer");
	is_int(p.from, 0, "from its beginning");
	is_int(p.to, BYTES, "to its end");
	is_int(p.seq, 4, "its number");
	check(&p);
	is_int(rig.ring.control->consumed, 4, "the writers do not get it yet");
	rt_live_give_back(&live);
	is_int(rig.ring.control->consumed, 5, "it is given back");
	ok(!rt_live_next_piece(&live, false, &p), "the next one is not complete");
	is_int(take(true), 1, "but has something");
	is_int(next_serial, i, "all of it came");
	is_int(bad, 0, "unchanged");
	rig_close(&rig);
}

static void pending(void)
{
	u32 *first, *second;

	start();
	rig_put(&rig, 0, 40);
	first = rt_ring_reserve(&rig.ring, 1, 40);
	second = rt_ring_reserve(&rig.ring, 2, 40);
	rig_fill(rt_record_payload(second), 2, 40);
	rt_ring_commit(&rig.ring, second);
	is_int(take(true), 1, "a pending record ends a piece");
	is_int(next_serial, 1, "in front of it");
	is_int(take(true), 0, "and holds back those behind it");
	rig_fill(rt_record_payload(first), 1, 40);
	rt_ring_commit(&rig.ring, first);
	is_int(take(true), 1, "committed, they make the next piece");
	is_int(next_serial, 3, "with both");
	is_int(bad, 0, "unchanged");
	rig_close(&rig);
}

/* Times that the claim of a sub-buffer cannot hold: its pieces have them, too. */
static void late(void)
{
	struct rt_live_piece p;
	u64 i;

	start();
	for (i = 0; i < 20; i++) {
		rig_put(&rig, i, 40);
		rig_now += 1000000000;
	}
	is_int(take(true), 1, "records of 20 seconds in a sub-buffer that is still open");
	for (; rig.ring.status->head == 4; i++)
		rig_put(&rig, i, 40);
	ok(rt_live_next_piece(&live, false, &p), "and those behind them");
	ok(p.last > p.start + 20000000000ULL, "are that late");
	check(&p);
	/* All of a sub-buffer at once. */
	rig_now += 5000000000;
	for (; rig.ring.status->head == 5; i++)
		rig_put(&rig, i, 40);
	take(true);
	is_int(next_serial, i, "all records came");
	is_int(bad, 0, "and each piece says when its last one was");
	rig_close(&rig);
}

static void losses(void)
{
	u64 written = 0, i;

	start();
	for (i = 0; i < 1000; i++)
		written += rig_put(&rig, written, 40);
	take(true);
	is_int(next_serial, written, "what fitted into the ring came");
	is_int(told, 0, "nothing was lost before it");
	/* The next sub-buffer tells of the losses before it, once it has a record. */
	rig_put(&rig, written, 40);
	take(true);
	is_int(told, 1000 - written, "the losses are told in front of what came later");
	is_int(bad, 0, "nothing was torn");
	rig_close(&rig);
}

/* Records that a filter cancels, until the sub-buffer is exactly full. */
static void cancel_all(u64 seq)
{
	while (RT_SUBBUF_COMMITTED(rig_sub(&rig, seq)->commit) < BYTES)
		rt_ring_cancel(&rig.ring, rt_ring_reserve(&rig.ring, 1, 24));
}

/* A sub-buffer without a record is passed over; what was lost before it is not forgotten. */
static void empty(void)
{
	u64 written = 0, lost, i;

	start();
	for (i = 0; i < 1000; i++)
		written += rig_put(&rig, written, 40);
	lost = 1000 - written;
	take(true);
	rt_ring_cancel(&rig.ring, rt_ring_reserve(&rig.ring, 1, 24));
	cancel_all(rig.ring.status->head);
	is_int(take(true), 0, "a sub-buffer of cancelled records has no piece");
	is_int(rig.ring.control->consumed, rig.ring.status->head + 1, "and is given back");
	is_int(told, 0, "nobody has told yet what was lost before it");
	rig_put(&rig, written, 40);
	take(true);
	is_int(told, lost, "the losses are told in front of the next record");
	cancel_all(rig.ring.status->head);
	take(true);
	is_int(told, lost, "and once");
	is_int(bad, 0, "nothing was torn");
	rig_close(&rig);
}

int main(void)
{
	in_step();
	whole();
	pending();
	late();
	losses();
	empty();
	return tap_done();
}
