// SPDX-License-Identifier: GPL-2.0
/* ring_take.c - read an overwrite ring while it runs: take, copy, and writers that lap both. */
#include "ring_rig.h"

#define BYTES  4096U
#define ROOM   (BYTES - (u32)sizeof(struct rt_subbuf))
#define PER    (ROOM / 48) /* records with 40 bytes of payload in one sub-buffer */
#define UNREAD 4

static struct rig rig;
static u64 serial;

static void fill(u64 subbufs)
{
	u64 i;

	for (i = 0; i < subbufs * PER; i++)
		rig_put(&rig, serial++, 40);
}

/* Read all records: returns the first serial number, and in *n how many are consecutive. */
static u64 read_all(const void *sub, u64 *n)
{
	struct rt_subbuf_reader r;
	struct rt_record rec;
	u64 first = ~0ULL;

	*n = 0;
	if (rt_subbuf_open(&r, sub, BYTES, NULL))
		return first;
	while (rt_subbuf_next(&r, &rec)) {
		u64 s = rig_check(rec.payload, 40, rec.bytes);

		if (!*n)
			first = s;
		if (s == first + *n)
			++*n;
	}
	return r.damaged ? ~0ULL : first;
}

static void take(void)
{
	struct rt_subbuf *sub;
	u64 n, i, bad = 0, total = 2 * PER + 1;

	serial = 0;
	rig_open(&rig, RT_MODE_OVERWRITE, UNREAD, BYTES);
	is_int(rt_ring_take(&rig.ring, &sub), -EAGAIN, "an empty ring gives nothing");
	fill(2);
	rig_put(&rig, serial++, 40);
	is_int(rt_ring_take(&rig.ring, &sub), 0, "a closed sub-buffer is given");
	is_int(sub->seq, UNREAD, "the oldest first");
	is_int(read_all(sub, &n), 0, "its first record is the first");
	is_int(n, PER, "and it is whole");
	is_int(rt_ring_take(&rig.ring, &sub), 0, "then the next");
	is_int(read_all(sub, &n), PER, "which goes on where that ended");
	is_int(rt_ring_take(&rig.ring, &sub), -EAGAIN, "the one being written is not");
	is_int(rt_ring_flush(&rig.ring), 0, "unless it is closed");
	is_int(rt_ring_take(&rig.ring, &sub), 0, "then it is given too");
	is_int(read_all(sub, &n), 2 * PER, "with its record");
	is_int(n, 1, "the only one");
	is_int(rig.ring.status->overwritten, 0, "nothing was overwritten");

	/* The reader keeps a sub-buffer while the writers go round the ring many times. */
	fill(1);
	rig_put(&rig, serial++, 40);
	rt_ring_take(&rig.ring, &sub);
	i = read_all(sub, &n);
	total += n;
	fill(10 * UNREAD);
	is_int(read_all(sub, &n), i, "what the reader holds stays as it is");
	is_int(n, PER, "all of it");
	is_int(rt_ring_take(&rig.ring, &sub), 0, "after being lapped the reader goes on");
	is_int(sub->seq, rig.ring.status->head - UNREAD + 1, "with the oldest that is left");
	i = read_all(sub, &n);
	is_int(n, PER, "whole");
	total += n;
	for (n = 0; !rt_ring_take(&rig.ring, &sub);) {
		u64 m, first = read_all(sub, &m);

		bad += first != i + PER + n || m != PER;
		n += m;
	}
	is_int(bad, 0, "then one after the other");
	rt_ring_flush(&rig.ring);
	while (!rt_ring_take(&rig.ring, &sub)) {
		u64 m;

		read_all(sub, &m);
		n += m;
	}
	is_int(total + n + rig.ring.status->overwritten, serial,
	       "read and overwritten add up to all that was written");
	rig_close(&rig);
}

static void pending(void)
{
	struct rt_subbuf *sub;
	u64 n, before;
	u32 *p;

	serial = 0;
	rig_open(&rig, RT_MODE_OVERWRITE, UNREAD, BYTES);
	p = rt_ring_reserve(&rig.ring, 1, 40);
	fill(1);
	is_int(rt_ring_take(&rig.ring, &sub), -EAGAIN,
	       "a sub-buffer with a pending record is not taken");
	fill(UNREAD);
	is_int(rig.ring.status->head, 2 * UNREAD - 1, "nor overwritten");
	ok(rig_lost(&rig, RT_LOST_NESTED) > 0, "the writers lose, and say so");
	before = rig_lost(&rig, RT_LOST_NESTED);
	rig_fill(rt_record_payload(p), 99, 40);
	rt_ring_commit(&rig.ring, p);
	fill(1);
	is_int(rig_lost(&rig, RT_LOST_NESTED), before, "a commit sets the ring free");
	is_int(rig.ring.status->overwritten, PER, "what it overwrites is counted");
	is_int(rt_ring_take(&rig.ring, &sub), 0, "and the reader goes on");
	read_all(sub, &n);
	is_int(n, PER, "behind it");
	rig_close(&rig);
}

/* The writers lap the reader between its choice of a sub-buffer and the exchange. */
static int lap_at, lap_count, lap_subbufs;

static void lap(int where)
{
	if (where != lap_at || !lap_count)
		return;
	lap_count--;
	rig_hook = NULL;
	fill(lap_subbufs);
	rig_hook = lap;
}

/* Every piece of memory is in exactly one slot, or is the reader's spare. */
static bool one_owner_each(void)
{
	u32 owners[UNREAD + 1] = { 0 }, i, bad = 0;

	owners[rig.ring.spare]++;
	for (i = 0; i < UNREAD; i++)
		owners[rig.ring.slot[i] & RT_SLOT_INDEX]++;
	for (i = 0; i <= UNREAD; i++)
		bad += owners[i] != 1;
	return !bad;
}

static void lapped(void)
{
	struct rt_subbuf *sub;
	char copy[BYTES] __attribute__((aligned(8)));
	u64 oldest, newest, n, first;
	int rc;

	serial = 0;
	rig_open(&rig, RT_MODE_OVERWRITE, UNREAD, BYTES);
	fill(UNREAD);
	lap_at = RT_AT_CHOSEN;
	lap_count = 1;
	lap_subbufs = 1;
	rig_hook = lap;
	rc = rt_ring_take(&rig.ring, &sub);
	rig_hook = NULL;
	is_int(rc, 0, "lapped while it chooses, the reader takes the next one");
	first = read_all(sub, &n);
	ok(first == PER && n == PER, "a whole one");
	ok(one_owner_each(), "and gives back what it had");
	lap_count = 1;
	lap_subbufs = UNREAD - 1;
	rig_hook = lap;
	is_int(rt_ring_take(&rig.ring, &sub), -EAGAIN,
	       "lapped by all that it knew, the reader comes again");
	rig_hook = NULL;
	is_int(rt_ring_take(&rig.ring, &sub), 0, "and gets the next one");
	first = read_all(sub, &n);
	ok(first != ~0ULL && n == PER, "whole");

	rt_ring_span(&rig.ring, &oldest, &newest);
	lap_at = RT_AT_COPIED;
	lap_count = 1;
	rig_hook = lap;
	is_int(rt_ring_copy(&rig.ring, newest - 1, copy), -ENOENT,
	       "lapped while it copies, the copy is thrown away");
	rig_hook = NULL;
	rig_close(&rig);
}

static void copy(void)
{
	char to[BYTES] __attribute__((aligned(8)));
	u64 oldest, newest, n, seq, total = 0, bad = 0, next = 0;
	u32 *p, header[2];
	struct rt_subbuf_reader r;
	struct rt_record rec;

	serial = 0;
	rig_open(&rig, RT_MODE_OVERWRITE, UNREAD, BYTES);
	rt_ring_span(&rig.ring, &oldest, &newest);
	ok(oldest > newest, "an empty ring spans nothing");
	for (; serial < 2 * UNREAD * PER; serial++) {
		rig_put(&rig, serial, 40);
		rt_ring_span(&rig.ring, &oldest, &newest);
		for (seq = UNREAD; seq < oldest; seq++)
			bad += !rt_ring_copy(&rig.ring, seq, to);
		for (; seq <= newest; seq++)
			bad += rt_ring_copy(&rig.ring, seq, to) != 0;
	}
	is_int(bad, 0, "what a ring spans is there, from its first record on, and nothing else");
	rt_ring_span(&rig.ring, &oldest, &newest);
	is_int(newest - oldest + 1, UNREAD, "a full one spans all of it");
	for (seq = oldest; seq <= newest; seq++) {
		memset(to, 0xee, BYTES);
		bad += rt_ring_copy(&rig.ring, seq, to) != 0;
		bad += seq < newest && memcmp(to, rig_sub(&rig, seq), BYTES);
		bad += read_all(to, &n) != (UNREAD + total) * PER;
		total += n / PER;
	}
	is_int(bad, 0, "every sub-buffer is copied");
	is_int(total, UNREAD, "with every record");
	is_int(rt_ring_copy(&rig.ring, newest + 1, to), -ENOENT, "the future is not there");
	is_int(rt_ring_copy(&rig.ring, oldest - 1, to), -ENOENT, "nor is the past");

	/* An open sub-buffer with a pending record in the middle. */
	rt_ring_flush(&rig.ring);
	rig_put(&rig, serial++, 40);
	p = rt_ring_reserve(&rig.ring, 1, 40);
	memset(rt_record_payload(p), 0xff, 40);
	rig_put(&rig, serial++, 40);
	rt_ring_span(&rig.ring, &oldest, &newest);
	is_int(rt_ring_copy(&rig.ring, newest, to), 0, "an open sub-buffer is copied");
	rt_subbuf_open(&r, to, BYTES, NULL);
	for (n = 0; rt_subbuf_next(&r, &rec); n++)
		next = rig_check(rec.payload, 40, rec.bytes);
	is_int(n, 2, "with what is committed");
	is_int(next, serial - 1, "also behind what is pending");
	is_int(r.pending, 1, "which is told");
	ok(!memchr(to, 0xff, BYTES) || !r.damaged, "and not shown");
	is_int(RT_SUBBUF_RECORDS(r.head->commit), 2, "the copy counts its records");
	rt_ring_commit(&rig.ring, p);

	/* Claimed space without a head: another CPU cannot tell where it ends. */
	rt_ring_flush(&rig.ring);
	rig_put(&rig, serial++, 40);
	p = rt_ring_reserve(&rig.ring, 1, 40);
	rig_put(&rig, serial++, 40);
	memcpy(header, p, sizeof(header));
	memset(p, 0, sizeof(header));
	rt_ring_span(&rig.ring, &oldest, &newest);
	rt_ring_copy(&rig.ring, newest, to);
	read_all(to, &n);
	is_int(n, 1, "a copy ends where a head is missing");
	memcpy(p, header, sizeof(header));

	/* An impossible size: the copy must not go beyond the sub-buffer. */
	*p |= RT_RECORD_SIZE;
	rt_ring_copy(&rig.ring, newest, to);
	read_all(to, &n);
	ok(n == 1 && RT_SUBBUF_COMMITTED(((struct rt_subbuf *)to)->commit) < BYTES,
	   "a copy ends before a size that reaches over the end");
	*p = header[0];
	rt_ring_commit(&rig.ring, p);
	rig_close(&rig);
}

/* The spare of the largest ring has the highest possible index. */
static void most_subbufs(void)
{
	struct rt_subbuf *sub, *next;
	u64 n;

	serial = 0;
	rig_open(&rig, RT_MODE_OVERWRITE, RT_SUBBUFS_MAX, BYTES);
	fill(3);
	rt_ring_take(&rig.ring, &sub);
	ok(*rt_slot_of(&rig.ring, sub->seq) == rt_slot_make(sub->seq, RT_SUBBUFS_MAX) &&
		   rig_sub(&rig, sub->seq) == rig.setup.area[RT_SUBBUFS_MAX],
	   "the largest ring has its spare in the slot");
	is_int(rt_ring_take(&rig.ring, &next), 0, "the next is taken");
	is_int(read_all(next, &n), PER, "and is another");
	rig_close(&rig);
}

int main(void)
{
	take();
	pending();
	lapped();
	copy();
	most_subbufs();
	return tap_done();
}
