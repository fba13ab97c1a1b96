// SPDX-License-Identifier: GPL-2.0
/* ring_time.c - times in a ring: deltas, extended records, clocks that stop or step back. */
#include "ring_rig.h"

#define BYTES 4096U

static u64 first_time(struct rig *rig, u64 seq, u64 skip_records)
{
	struct rt_subbuf_reader r;
	struct rt_record rec;

	rt_subbuf_open(&r, rig_sub(rig, seq), BYTES, NULL);
	do {
		if (!rt_subbuf_next(&r, &rec))
			return 0;
	} while (skip_records--);
	return rec.time;
}

static u32 word_at(struct rig *rig, u64 seq, u32 word)
{
	return ((u32 *)rig_sub(rig, seq))[RT_SUBBUF_HEAD_WORDS + word];
}

static void overflow(void)
{
	struct rig rig;
	u64 start;

	rig_open(&rig, RT_MODE_DISCARD, 2, BYTES);
	rig_tick = 0;
	rig_put(&rig, 0, 8);
	start = rig_sub(&rig, 2)->start;
	is_int(start, 1000, "the sub-buffer starts with its first record");

	rig_now = start + RT_RECORD_TIME_EXT - 1;
	rig_put(&rig, 1, 8);
	is_int(first_time(&rig, 2, 1), rig_now, "the largest short time");
	is_int(word_at(&rig, 2, 4 + 1), RT_RECORD_TIME_EXT - 1, "has the short form");
	is_int(word_at(&rig, 2, 4) & RT_RECORD_SIZE, 16, "of two words and the payload");

	rig_now = start + RT_RECORD_TIME_EXT;
	rig_put(&rig, 2, 8);
	is_int(first_time(&rig, 2, 2), rig_now, "one nanosecond more");
	is_int(word_at(&rig, 2, 8 + 1), RT_RECORD_TIME_EXT, "has the extended form");
	is_int(word_at(&rig, 2, 8) & RT_RECORD_SIZE, 24, "which is two words longer");

	rig_now += 1ULL << 60;
	rig_put(&rig, 3, 8);
	is_int(first_time(&rig, 2, 3), rig_now, "and reaches any time");

	rig_now -= 500;
	rig_put(&rig, 4, 8);
	is_int(first_time(&rig, 2, 4), rig_now + 500,
	       "a step back is held in the extended form too");
	rig_now = start + 5;
	rig_put(&rig, 5, 8);
	is_int(first_time(&rig, 2, 5), start + RT_RECORD_TIME_EXT + (1ULL << 60), "however far");

	rt_ring_flush(&rig.ring);
	rig_put(&rig, 6, 8);
	is_int(first_time(&rig, 3, 0), start + RT_RECORD_TIME_EXT + (1ULL << 60),
	       "also into the next sub-buffer");
	is_int(word_at(&rig, 3, 1), 0, "which begins with the short form again");
	rig_close(&rig);
}

/* A random clock: times in the ring never go back, and never exceed the clock's maximum. */
static void wild_clock(void)
{
	u64 seed = 1, i, best = 0, last = 0, bad = 0, early = 0, n = 0;
	struct rt_subbuf_reader r;
	struct rt_record rec;
	struct rig rig;
	u64 seq = 4;

	rig_open(&rig, RT_MODE_DISCARD, 4, BYTES);
	rig.ring.control->consumed = ~0ULL >> 1;
	rig_tick = 0;
	for (i = 0; i < 200000; i++) {
		seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
		switch (seed >> 61) {
		case 0:
			rig_now -= rig_now > 100000 ? seed >> 50 : 0;
			break;
		case 1:
			rig_now += (seed >> 40) % 97 == 0 ? 3ULL << 31 : 0;
			break;
		case 2:
			break;
		default:
			rig_now += seed >> 56 & 0xff;
		}
		if (rig_now > best)
			best = rig_now;
		n += rig_put(&rig, i, 8 + (seed >> 33) % 32);
		for (; seq < rig.ring.status->head; seq++) {
			rt_subbuf_open(&r, rig_sub(&rig, seq), BYTES, NULL);
			early += r.start < last;
			while (rt_subbuf_next(&r, &rec)) {
				bad += rec.time < last || rec.time > best;
				last = rec.time;
			}
		}
	}
	is_int(n, 200000, "a wild clock loses nothing");
	is_int(bad, 0, "times never go back, never ahead of the clock");
	is_int(early, 0, "no sub-buffer starts before the last record of the one before");
	rig_close(&rig);
}

/*
 * A writer is interrupted between its read of the clock and its exchange.  Meanwhile nested writers
 * go round the ring, once or more, and reach the same offset and the same time after a later start.
 * Only the lap tells the two claims apart.
 */
static struct rig *lap_rig;
static u64 lap_claim, lap_begin, lap_laps;
static int lap_points;

static bool same_but_for_the_lap(u64 a, u64 b)
{
	return rt_claim_offset(a) == rt_claim_offset(b) && rt_claim_time(a) == rt_claim_time(b);
}

static void go_round(int where)
{
	struct rt_subbuf *sub = lap_rig->ring.cur;

	if (where != RT_AT_TIMED || lap_points++)
		return;
	rig_hook = NULL;
	lap_claim = sub->claim;
	/* The clock of the nested writers is later and does not advance within a sub-buffer. */
	rig_now += 5000;
	lap_begin = rig_now;
	do {
		rig_put(lap_rig, 7, 8);
	} while (lap_rig->ring.cur != sub ||
		 lap_rig->ring.status->head < (1 + lap_laps) * lap_rig->ring.subbufs ||
		 !same_but_for_the_lap(sub->claim, lap_claim));
}

static void laps_between(u64 laps)
{
	struct rt_subbuf_reader r;
	struct rt_record rec;
	struct rig rig;
	u64 latest = 0;

	rig_open(&rig, RT_MODE_OVERWRITE, 2, BYTES);
	rig_tick = 0;
	rig_put(&rig, 0, 8);
	rig_put(&rig, 1, 8);
	/* Later than the clock of the new lap will be after its start. */
	rig_now += 3000;
	lap_rig = &rig;
	lap_points = 0;
	lap_laps = laps;
	rig_hook = go_round;
	rig_put(&rig, 2, 8);
	rig_hook = NULL;
	is_int(lap_points, 1, "a writer is interrupted after its look at the clock");
	ok(rig.ring.cur == rig_sub(&rig, rig.ring.status->head) &&
		   rig.ring.status->head / rig.ring.subbufs == 1 + laps,
	   "the ring has gone round %llu times meanwhile", (unsigned long long)laps);
	rt_subbuf_open(&r, rig.ring.cur, BYTES, NULL);
	while (rt_subbuf_next(&r, &rec))
		latest = rec.time;
	is_int(latest, lap_begin, "its record has the time of its place, not that of a lap before");
	rig_close(&rig);
}

/* More laps than the lap bits of a claim can count: the times must not change. */
static void many_laps(void)
{
	u64 i, bad = 0;
	struct rig rig;

	rig_open(&rig, RT_MODE_OVERWRITE, 2, BYTES);
	rig_tick = 0; /* the first record has the start time: an excess bit shows */
	for (i = 0; i < 2 * (RT_CLAIM_LAP + 20); i++) {
		bad += !rig_put(&rig, i, 8) || !rig_put(&rig, i, 8);
		bad += first_time(&rig, rig.ring.status->head, 1) != rig_now;
		rig_now += 10;
		rt_ring_flush(&rig.ring);
	}
	ok(!bad && rig.ring.status->head / 2 > RT_CLAIM_LAP, "times stay right over %llu laps",
	   rig.ring.status->head / 2);
	rig_close(&rig);
}

/*
 * The slow path is interrupted while it reads the clock, and the clock then steps back: the
 * interrupt has written the newest extended time.
 */
static struct rig *late_rig;
static int late_looks;

static void strike_late(void)
{
	if (++late_looks != 2) /* the fast path reads it first */
		return;
	rig_now += 1000;
	rig_put(late_rig, 1, 8);
	rig_now -= 500;
	rig_clock_hook = NULL;
}

/* After the slow path has read the clock, the clock steps back further. */
static void back_again(int where)
{
	if (where == RT_AT_SOUGHT && late_looks > 2)
		rig_now -= 300;
}

static void late_interrupt(void)
{
	struct rig rig;
	u64 first;

	rig_open(&rig, RT_MODE_DISCARD, 2, BYTES);
	rig_tick = 0;
	rig_put(&rig, 0, 8);
	rig_now += 1ULL << 33;
	late_rig = &rig;
	late_looks = 0;
	rig_hook = back_again;
	rig_clock_hook = strike_late;
	rig_put(&rig, 2, 8);
	rig_hook = NULL;
	rig_clock_hook = NULL;
	first = first_time(&rig, 2, 1);
	ok(late_looks > 2 && first, "a record with an extended time is interrupted by another");
	is_int(first_time(&rig, 2, 2), first,
	       "whose time holds, though the clock steps back twice");
	rig_close(&rig);
}

int main(void)
{
	u64 laps;

	overflow();
	wild_clock();
	for (laps = 1; laps <= 64; laps *= 2)
		laps_between(laps);
	many_laps();
	late_interrupt();
	return tap_done();
}
