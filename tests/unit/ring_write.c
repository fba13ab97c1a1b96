// SPDX-License-Identifier: GPL-2.0
/* ring_write.c - one writer without nesting: every boundary of reserve, commit and cancel. */
#include "ring_rig.h"

#define BYTES 4096U
#define ROOM  (BYTES - (u32)sizeof(struct rt_subbuf))

static void limits(void)
{
	static const struct {
		u32 mode, subbufs, bytes;
		int want;
		const char *what;
	} cases[] = {
		{ RT_MODE_DISCARD, 2, 4096, 0, "the smallest ring" },
		{ RT_MODE_DISCARD, 2, RT_SUBBUF_BYTES_MAX, 0, "the largest sub-buffer" },
		{ RT_MODE_DISCARD, RT_SUBBUFS_MAX, 4096, 0, "the most sub-buffers" },
		{ RT_MODE_DISCARD, 1, 4096, -EINVAL, "one sub-buffer is too few" },
		{ RT_MODE_DISCARD, 3, 4096, -EINVAL, "three is no power of two" },
		{ RT_MODE_DISCARD, 2 * RT_SUBBUFS_MAX, 4096, -EINVAL, "too many sub-buffers" },
		{ RT_MODE_DISCARD, 2, 2048, -EINVAL, "too small a sub-buffer" },
		{ RT_MODE_DISCARD, 2, 2 * RT_SUBBUF_BYTES_MAX, -EINVAL, "too large a sub-buffer" },
		{ RT_MODE_OVERWRITE + 1, 2, 4096, -EINVAL, "no such mode" },
	};
	struct rig rig;
	unsigned i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		is_int(rig_open(&rig, cases[i].mode, cases[i].subbufs, cases[i].bytes),
		       cases[i].want, "%s", cases[i].what);
		rig_close(&rig);
	}
}

static void cpus(void)
{
	struct rig rig;

	is_int(rig_make(&rig, RT_CPUS_MAX - 1, RT_MODE_DISCARD, 2, BYTES, 0, NULL), 0,
	       "the last CPU");
	rig_free(&rig);
	is_int(rig_make(&rig, RT_CPUS_MAX, RT_MODE_DISCARD, 2, BYTES, 0, NULL), -EINVAL,
	       "one more");
	rig_free(&rig);
}

static void every_size(void)
{
	struct rt_subbuf_reader r;
	struct rt_record rec;
	struct rig rig;
	u64 seq = 4, serial = 0, want = 0, bad = 0;
	u32 bytes, seen = 8;

	rig_open(&rig, RT_MODE_DISCARD, 4, BYTES);
	rig.ring.control->consumed = ~0ULL >> 1; /* every sub-buffer counts as read */
	for (bytes = 8; bytes <= rig.ring.payload_max; bytes++) {
		if (!rig_put(&rig, serial++, bytes))
			break;
		/* Read each sub-buffer as soon as it is closed. */
		for (; seq < rig.ring.status->head; seq++) {
			if (rt_subbuf_open(&r, rig_sub(&rig, seq), BYTES, NULL))
				bad++;
			for (; rt_subbuf_next(&r, &rec); want++, seen++)
				if (rig_check(rec.payload, seen, rec.bytes) != want ||
				    rec.bytes != (seen + 3) / 4 * 4 || rec.id != (want & 0xffff))
					bad++;
			if (r.damaged || r.pending ||
			    RT_SUBBUF_RECORDS(r.head->commit) != r.records)
				bad++;
		}
	}
	is_int(bytes, rig.ring.payload_max + 1,
	       "every payload from 8 bytes to the largest is taken");
	is_int(bad, 0, "and comes back byte for byte, with its id");
	ok(want > serial - 3, "all closed sub-buffers were read");
	rig_close(&rig);
}

static void last_byte(void)
{
	struct rt_subbuf_reader r;
	struct rt_record rec;
	struct rig rig;
	u32 left = ROOM, rest;
	int i;

	rig_open(&rig, RT_MODE_DISCARD, 4, BYTES);
	for (i = 0; left > 24; i++, left -= 24)
		rig_put(&rig, i, 16);
	is_int(rig.ring.status->head, 4, "one sub-buffer so far");
	ok(rig_put(&rig, i, left - 8), "a record that ends with the last byte");
	is_int(rig.ring.status->head, 4, "stays in it");
	is_int(RT_SUBBUF_COMMITTED(rig_sub(&rig, 4)->commit), BYTES, "which is complete then");
	is_int(RT_SUBBUF_RECORDS(rig_sub(&rig, 4)->commit), i + 1, "and knows its records");
	rt_subbuf_open(&r, rig_sub(&rig, 4), BYTES, NULL);
	while (rt_subbuf_next(&r, &rec))
		;
	is_int(r.records, i + 1, "as many as are read");
	is_int(rec.bytes, left - 8, "the last one whole");

	ok(rig_put(&rig, 77, 8), "the next record opens the next sub-buffer");
	is_int(rig.ring.status->head, 5, "with the next number");
	/* Leave 8 bytes: room for a header but not for a payload; then 4: not even for a header. */
	for (rest = 8; rest >= 4; rest -= 4) {
		u64 seq = rig.ring.status->head;

		for (left = ROOM - 16; left > rest + 24; left -= 24)
			rig_put(&rig, 1, 16);
		rig_put(&rig, 1, left - rest - 8);
		is_int(rig.ring.status->head, seq, "%u bytes are left", rest);
		ok(rig_put(&rig, 2, 8), "too few for this record");
		is_int(rig.ring.status->head, seq + 1, "which goes to the next sub-buffer");
		is_int(RT_SUBBUF_COMMITTED(rig_sub(&rig, seq)->commit), BYTES,
		       "the rest counts as committed");
	}
	rig_close(&rig);
}

static void largest(void)
{
	struct rt_subbuf_reader r;
	struct rt_record rec;
	struct rig rig;
	u64 i, n, bad = 0;
	int why = -1;
	u32 max;

	rig_open(&rig, RT_MODE_DISCARD, 4, BYTES);
	max = rig.ring.payload_max;
	is_int(max, ROOM - 16, "a small sub-buffer bounds the record, extended form included");
	ok(rig_put(&rig, 1, max), "the largest fits");
	ok(!rt_ring_reserve(&rig.ring, 1, max + 1), "one byte more does not");
	ok(!rt_ring_reserve_why(&rig.ring, 1, ~0U, &why), "nor does the largest number there is");
	is_int(why, RT_LOST_TOO_BIG, "the writer is told why");
	is_int(rig_lost(&rig, RT_LOST_TOO_BIG), 2, "both are counted");
	/* An empty open sub-buffer has room for a few words more than the largest record. */
	rt_ring_flush(&rig.ring);
	for (i = 1; i <= 16; i++)
		bad += rt_ring_reserve(&rig.ring, 1, max + i) != NULL;
	ok(!bad && rig_lost(&rig, RT_LOST_TOO_BIG) == 18, "not into an empty sub-buffer, either");
	rig_now += 1ULL << 33;
	n = rig.ring.status->head;
	ok(rig_put(&rig, 2, max), "the largest with an extended time fits as well");
	is_int(rig.ring.status->head, n, "to the last word of an empty sub-buffer");
	is_int(RT_SUBBUF_COMMITTED(rig_sub(&rig, n)->commit), BYTES, "which it completes");
	rig_close(&rig);

	rig_open(&rig, RT_MODE_DISCARD, 2, RT_SUBBUF_BYTES_MAX);
	max = rig.ring.payload_max;
	is_int(max, RT_RECORD_PAYLOAD, "a large sub-buffer does not: the size field does");
	rig_put(&rig, 0, 8);
	rt_ring_flush(&rig.ring);
	for (i = 1; i <= 5000; i++)
		bad += rt_ring_reserve(&rig.ring, 1, max + i) != NULL;
	ok(!bad && rig_lost(&rig, RT_LOST_TOO_BIG) == 5000, "what does not fit into it is too big");
	rig_close(&rig);
	rig_open(&rig, RT_MODE_DISCARD, 2, RT_SUBBUF_BYTES_MAX);
	ok(rig_put(&rig, 1, max), "the largest of all fits");
	rt_subbuf_open(&r, rig_sub(&rig, 2), RT_SUBBUF_BYTES_MAX, NULL);
	ok(rt_subbuf_next(&r, &rec) && rig_check(rec.payload, max, rec.bytes) == 1,
	   "and comes back whole");
	for (i = 2; rig.ring.status->head == 2 && rig_put(&rig, i, max - i % 4 * 4); i++)
		;
	is_int(rig.ring.status->head, 3, "the largest sub-buffer is filled");
	is_int(RT_SUBBUF_COMMITTED(rig_sub(&rig, 2)->commit), RT_SUBBUF_BYTES_MAX,
	       "to its last byte");
	for (n = 1; rt_subbuf_next(&r, &rec); n++)
		bad += rig_check(rec.payload, max - (n + 1) % 4 * 4, rec.bytes) != n + 1;
	is_int(bad + r.damaged, 0, "with whole records");
	is_int(n, i - 2, "all but the last, which is in the next");
	rig_close(&rig);
}

static void empty_payload(void)
{
	struct rt_subbuf_reader r;
	struct rt_record rec;
	struct rig rig;
	u32 *p, i;

	rig_open(&rig, RT_MODE_DISCARD, 2, BYTES);
	for (i = 0; i < ROOM / 8; i++) {
		p = rt_ring_reserve(&rig.ring, RT_RECORD_ID_MAX, 0);
		if (p)
			rt_ring_commit(&rig.ring, p);
	}
	is_int(rig.ring.status->head, 2, "a sub-buffer of bare headers");
	rt_subbuf_open(&r, rig_sub(&rig, 2), BYTES, NULL);
	for (i = 0; rt_subbuf_next(&r, &rec) && rec.bytes == 0 && rec.id == RT_RECORD_ID_MAX;)
		i++;
	is_int(i, ROOM / 8, "all are read, with the largest id");
	rig_close(&rig);
}

static void cancelled(void)
{
	struct rt_subbuf_reader r;
	struct rt_record rec;
	struct rig rig;
	u32 *p;

	rig_open(&rig, RT_MODE_DISCARD, 2, BYTES);
	rig_put(&rig, 1, 16);
	p = rt_ring_reserve(&rig.ring, 9, 100);
	memset(rt_record_payload(p), 0xff, 100);
	rt_ring_cancel(&rig.ring, p);
	p = rt_ring_reserve(&rig.ring, 9, 64);
	rig_fill(rt_record_payload(p), 2, 20);
	rt_ring_commit_part(&rig.ring, p, 20);
	p = rt_ring_reserve(&rig.ring, 9, 64);
	rig_fill(rt_record_payload(p), 3, 64);
	rt_ring_commit_part(&rig.ring, p, 61); /* rounded up to 64 */
	p = rt_ring_reserve(&rig.ring, 9, 64); /* never committed */
	memset(rt_record_payload(p), 0xff, 64);
	rig_put(&rig, 4, 16);

	rt_subbuf_open(&r, rig_sub(&rig, 2), BYTES, NULL);
	ok(rt_subbuf_next(&r, &rec) && rig_check(rec.payload, 16, rec.bytes) == 1, "before");
	ok(rt_subbuf_next(&r, &rec) && rig_check(rec.payload, 20, 20) == 2,
	   "a cancelled record is stepped over");
	is_int(rec.bytes, 20, "a record committed in part is as short as its part");
	ok(rt_subbuf_next(&r, &rec) && rig_check(rec.payload, 64, rec.bytes) == 3,
	   "its rest is stepped over");
	ok(rt_subbuf_next(&r, &rec) && rig_check(rec.payload, 16, rec.bytes) == 4,
	   "and so is a pending one");
	ok(!rt_subbuf_next(&r, &rec) && !r.damaged, "the free rest ends the walk");
	is_int(r.pending, 1, "one is pending");
	is_int(r.cancelled, 2, "two pieces were given back");
	is_int(RT_SUBBUF_RECORDS(r.head->commit), 4, "four records are counted");

	/* Writers never reuse a sub-buffer with a pending record, whatever `consumed` says. */
	rig.ring.control->consumed = ~0ULL >> 1;
	while (rig_put(&rig, 5, 64))
		;
	is_int(rig.ring.status->head, 3, "the ring stops before a pending record");
	is_int(rig_lost(&rig, RT_LOST_NESTED), 1, "and says why");
	rt_ring_commit(&rig.ring, p);
	ok(rig_put(&rig, 6, 64), "and goes on when it is committed");
	is_int(rig.ring.status->head, 4, "in the sub-buffer that held it");
	rig_close(&rig);
}

/* Commit parts that leave as little as one word, with both forms of the header. */
static void parts(void)
{
	struct rt_subbuf_reader r;
	struct rt_record rec;
	struct rig rig;
	u32 *p, i, bad = 0;

	rig_open(&rig, RT_MODE_DISCARD, 2, BYTES);
	rig_put(&rig, 0, 16);
	for (i = 0; i < 28; i++) {
		if (i == 14)
			rig_now += 1ULL << 33;
		p = rt_ring_reserve(&rig.ring, i, 36);
		rig_fill(rt_record_payload(p), i, 36 - i % 14);
		rt_ring_commit_part(&rig.ring, p, 36 - i % 14);
	}
	rt_subbuf_open(&r, rig_sub(&rig, 2), BYTES, NULL);
	rt_subbuf_next(&r, &rec);
	for (i = 0; rt_subbuf_next(&r, &rec); i++)
		bad += rec.id != i || rec.bytes != (36 - i % 14 + 3) / 4 * 4 ||
		       rig_check(rec.payload, 36 - i % 14, rec.bytes) != i;
	is_int(i, 28, "records committed in part are all found");
	is_int(bad, 0, "each as short as its part");
	is_int(r.cancelled, 20, "where a word or more was left, it was given back");
	ok(!r.damaged && rig.ring.status->head == 2, "and nothing else is there");

	/* A part that is the whole payload must not touch what follows, be it written or not. */
	rt_ring_flush(&rig.ring);
	p = rt_ring_reserve(&rig.ring, 1, 36);
	rig_put(&rig, 99, 40);
	rig_fill(rt_record_payload(p), 98, 36);
	rt_ring_commit_part(&rig.ring, p, 36);
	rt_subbuf_open(&r, rig_sub(&rig, 3), BYTES, NULL);
	ok(rt_subbuf_next(&r, &rec) && rig_check(rec.payload, 36, rec.bytes) == 98 &&
		   rt_subbuf_next(&r, &rec) && rig_check(rec.payload, 40, rec.bytes) == 99,
	   "a part that is all of its record leaves the next record alone");
	p = rt_ring_reserve(&rig.ring, 1, 36);
	rt_ring_commit_part(&rig.ring, p, 36);
	ok(((u32 *)rig_sub(&rig, 3))[RT_SUBBUF_HEAD_WORDS + 34] == 0, "and free room");
	ok(rt_subbuf_next(&r, &rec) && !rt_subbuf_next(&r, &rec) && !r.damaged,
	   "which ends the walk");
	rig_close(&rig);
}

/* All causes, also those that the ring does not count itself. */
static void every_cause(void)
{
	u64 wrong = 0;
	struct rig rig;
	int i, n;

	rig_open(&rig, RT_MODE_DISCARD, 4, BYTES);
	rig_put(&rig, 1, 8);
	for (i = 0; i < RT_LOST_CAUSES; i++)
		for (n = 0; n <= i; n++)
			rt_ring_lose(&rig.ring, i);
	rt_ring_flush(&rig.ring);
	for (i = 0; i < RT_LOST_CAUSES; i++)
		wrong += rig_sub(&rig, 4)->lost[i] != 0 || rig_sub(&rig, 5)->lost[i] != (u64)i + 1;
	is_int(wrong, 0, "a header has the losses of each cause");
	rig_close(&rig);
}

static void full(void)
{
	struct rig rig;
	u64 put = 0, lost = 0, i;
	int why = -1;

	rig_open(&rig, RT_MODE_DISCARD, 4, BYTES);
	for (i = 0; i < 1000; i++) {
		if (rig_put(&rig, i, 40))
			put++;
		else
			lost++;
	}
	is_int(put, 4 * (ROOM / 48), "a full ring holds what fits");
	is_int(rig_lost(&rig, RT_LOST_FULL), lost, "and counts the others");
	ok(rig_put(&rig, 5000, ROOM % 48 - 8), "a record that fits the last rest is still taken");

	rig.ring.control->consumed = 5; /* the reader has read one sub-buffer */
	ok(rig_put(&rig, 5001, 40), "a sub-buffer read is room again");
	is_int(rig_sub(&rig, 8)->lost[RT_LOST_FULL], lost,
	       "its header tells what was lost before it");
	is_int(rig_sub(&rig, 7)->lost[RT_LOST_FULL], 0, "the one before began with none lost");
	for (i = 1; i < ROOM / 48; i++)
		rig_put(&rig, 6000 + i, 40);
	ok(!rt_ring_reserve_why(&rig.ring, 1, 40, &why), "but only one");
	is_int(why, RT_LOST_FULL, "the writer is told why");
	is_int(rig_lost(&rig, RT_LOST_FULL), lost + 1, "one more is lost");
	rig_close(&rig);
}

static void hostile_control(void)
{
	static const u64 lies[] = { 0, 1, 2, 3, 5, ~0ULL, ~0ULL >> 1, 1ULL << 63, 1ULL << 48, 77 };
	u64 i, j, written = 0, held = 0;
	struct rt_subbuf_reader r;
	struct rt_record rec;
	struct rig rig;
	u32 *p = NULL;

	rig_open(&rig, RT_MODE_DISCARD, 2, BYTES);
	for (i = 0; i < 100000; i++) {
		rig.ring.control->consumed = lies[(i * 7 + i / 13) % 10];
		if (i % 1000 == 0)
			p = rt_ring_reserve(&rig.ring, 1, 32);
		if (rig_put(&rig, i, 8 + i % 200))
			written++;
		if (i % 1000 == 999 && p) {
			rig_fill(rt_record_payload(p), i, 32);
			rt_ring_commit(&rig.ring, p);
			held++;
			p = NULL;
		}
	}
	for (i = 0, j = 0; i < RT_LOST_CAUSES; i++)
		j += rig_lost(&rig, i);
	is_int(written + held + j, 100000 + 100,
	       "a control page full of lies: the arithmetic stays");
	for (i = 0, j = 0; i < 2; i++) {
		if (rt_subbuf_open(&r, rig.setup.area[i], BYTES, NULL))
			continue;
		while (rt_subbuf_next(&r, &rec))
			j += rig_check(rec.payload, 8, 8) == ~0ULL;
		j += r.damaged;
	}
	is_int(j, 0, "and what is in the ring is whole");
	rig_close(&rig);
}

static int wakes;

static void count_wake(struct rt_ring *ring)
{
	wakes++;
}

static void watermark(void)
{
	struct rig rig;
	int i;

	rig_open_with(&rig, RT_MODE_DISCARD, 8, BYTES, 3, count_wake);
	for (i = 0; rig.ring.status->head < 8 + 2; i++)
		rig_put(&rig, i, 100);
	is_int(wakes, 0, "below the watermark nobody is woken");
	for (; rig.ring.status->head < 8 + 3; i++)
		rig_put(&rig, i, 100);
	is_int(wakes, 1, "three waiting sub-buffers wake the reader");
	rig.ring.control->consumed = 11;
	for (; rig.ring.status->head < 8 + 5; i++)
		rig_put(&rig, i, 100);
	is_int(wakes, 1, "a reader that keeps up is left alone");
	rig_close(&rig);
}

static void recursion(void)
{
	struct rig rig;
	int c;

	rig_open(&rig, RT_MODE_DISCARD, 2, BYTES);
	for (c = 0; c < RT_LEVEL_COUNT; c++)
		ok(rt_ring_enter(&rig.ring, c), "context %d is entered inside the others", c);
	for (c = 0; c < RT_LEVEL_COUNT; c++)
		ok(!rt_ring_enter(&rig.ring, c), "and not entered twice");
	is_int(rig_lost(&rig, RT_LOST_RECURSION), RT_LEVEL_COUNT, "which is counted");
	for (c = RT_LEVEL_COUNT - 1; c >= 0; c--)
		rt_ring_exit(&rig.ring, c);
	ok(rt_ring_enter(&rig.ring, RT_LEVEL_TASK), "after the exit it is free again");
	rig_close(&rig);
}

static void flush(void)
{
	struct rig rig;
	u64 head;

	rig_open(&rig, RT_MODE_DISCARD, 2, BYTES);
	rig_put(&rig, 1, 40);
	is_int(rt_ring_flush(&rig.ring), 0, "a half-filled sub-buffer is closed");
	is_int(RT_SUBBUF_COMMITTED(rig_sub(&rig, 2)->commit), BYTES, "and complete");
	head = rig.ring.status->head;
	is_int(rt_ring_flush(&rig.ring), 0, "an empty one");
	is_int(rig.ring.status->head, head, "is left as it is");
	rig_put(&rig, 2, 40);
	is_int(rt_ring_flush(&rig.ring), -EAGAIN, "with no room to go on it stays open");
	ok(rig_put(&rig, 3, 40), "and takes records");
	rig_close(&rig);
}

int main(void)
{
	limits();
	cpus();
	every_size();
	last_byte();
	largest();
	empty_payload();
	cancelled();
	parts();
	every_cause();
	full();
	hostile_control();
	watermark();
	recursion();
	flush();
	return tap_done();
}
