// SPDX-License-Identifier: GPL-2.0
/*
 * ring_race.c - a reader and a writer that interleave at the marked points.
 *
 * The writer runs to its i-th point, the reader to its j-th, the writer k points further, the
 * reader to its end, the writer to its end.  The test tries all i and j, and many k.  The loads and
 * stores of the live reader are points, too.
 *
 * The ring is so small that the writer laps the reader.  In every interleaving, each record must be
 * read once, whole and in order, or be counted as overwritten or as lost by its cause.  A copy must
 * hold what its sub-buffer held, and a reader must get what exists.
 */
#include <linux/types.h>
#include <stdlib.h>
#include <ucontext.h>

static void race_point(void);

/* Include the live reader's sources, with a point before each access to shared memory. */
#define __atomic_load_n(p, order)                      \
	({                                             \
		__typeof__(*(p) + 0) loaded_;          \
		race_point();                          \
		__atomic_load((p), &loaded_, (order)); \
		loaded_;                               \
	})
#define __atomic_store_n(p, v, order)                   \
	({                                              \
		__typeof__(*(p)) stored_ = (v);         \
		race_point();                           \
		__atomic_store((p), &stored_, (order)); \
	})
#define rt_subbuf_open	    race_subbuf_open
#define rt_subbuf_next	    race_subbuf_next
#define rt_subbuf_next_live race_subbuf_next_live
#define rt_subbuf_began	    race_subbuf_began
#define rt_subbuf_fill_live race_subbuf_fill_live
#define rt_live_init	    race_live_init
#define rt_live_next	    race_live_next
#define rt_live_fill	    race_live_fill

#include "ring_rig.h"
#include "agent/subbuf.c"
#include "agent/live.c"

#define BYTES	4096U
#define SERIALS 64
#define STACK	(256 << 10)

enum fate { NONE, COMMITTED, LOST, CANCELLED };
enum reader { TAKER, COPIER, LIVE, TAKER_COPIER, LIVE_COPIER };

static const char *const names[] = { "taker", "copier", "live reader", "taker who copies",
				     "live reader who copies" };

static struct rig rig;
static enum reader kind;
static u32 mode;
static struct {
	u8 fate;
	bool read;
	u32 bytes;
	u64 seq, before, after;
	const u32 *head;
} sent[SERIALS];
static u64 serials, lost_by[RT_LOST_CAUSES];
static u64 next_serial, last_time, reads; /* of the reader */
static u64 wrong[8];
enum { TORN, TWICE, TIME, COPY, REFUSED, ARITHMETIC, TOLD, HEADERS };

/* --- taking turns ------------------------------------------------------------------- */

static ucontext_t home, turn_of[2];
static char stack[2][STACK];
static bool racing, ended[2];
static u64 plan[3], stage, since, switches;
static u64 burst;    /* records of the interrupt at the writer's first stop */
static bool came[3]; /* the run has reached the point in plan[] */

static void interrupt(void);

static void pass_on(void)
{
	u64 was = stage & 1;

	stage++;
	since = 0;
	if (ended[!was]) {
		stage++;
		return;
	}
	switches++;
	swapcontext(&turn_of[was], &turn_of[!was]);
}

static void race_point(void)
{
	if (!racing)
		return;
	if (stage < 3 && since++ == plan[stage]) {
		came[stage] = true;
		if (stage == 0)
			interrupt();
		pass_on();
	}
}

static void at_point(int where)
{
	race_point();
}

/* --- the writer --------------------------------------------------------------------- */

static void write_one(void)
{
	u64 serial = serials++;
	u32 *rec, bytes = serial % 3 == 1 ? 40 : 1800;
	int why = 0;

	if (serial % 11 == 7)
		bytes = rig.ring.payload_max + 1;
	sent[serial].bytes = bytes;
	sent[serial].before = rig_now;
	rec = rt_ring_reserve_why(&rig.ring, serial, bytes, &why);
	sent[serial].after = rig_now;
	if (!rec) {
		sent[serial].fate = LOST;
		lost_by[why]++;
		/* Without interrupts, only a slow reader or the size causes a loss. */
		if (!burst)
			wrong[ARITHMETIC] +=
				why != (bytes > 1800 ? RT_LOST_TOO_BIG : RT_LOST_FULL) ||
				(bytes <= 1800 && mode == RT_MODE_OVERWRITE);
		return;
	}
	sent[serial].seq = ((struct rt_subbuf *)((uintptr_t)rec & ~(uintptr_t)(BYTES - 1)))->seq;
	sent[serial].head = rec;
	rig_fill(rt_record_payload(rec), serial, bytes);
	if (serial % 7 == 4) {
		sent[serial].fate = CANCELLED;
		rt_ring_cancel(&rig.ring, rec);
	} else {
		sent[serial].fate = COMMITTED; /* the first thing that commit does */
		rt_ring_commit(&rig.ring, rec);
	}
}

static void interrupt(void)
{
	u64 i;

	racing = false;
	for (i = 0; i < burst; i++)
		write_one();
	racing = true;
}

static u64 records;

static void writer(void)
{
	u64 i;

	for (i = 0; i < records; i++)
		write_one();
	ended[0] = true;
	stage++;
	since = 0;
	if (!ended[1]) {
		switches++;
		swapcontext(&turn_of[0], &turn_of[1]);
	}
}

/* --- the reader --------------------------------------------------------------------- */

/* Check one record that any reader found; returns its serial number. */
static u64 examine(const struct rt_record *rec)
{
	u64 serial = *(const rt_payload_u64 *)rec->payload;

	if (serial >= serials || rec->id != serial ||
	    rig_check(rec->payload, sent[serial].bytes, rec->bytes) != serial) {
		wrong[TORN]++;
		return ~0ULL;
	}
	wrong[TORN] += sent[serial].fate != COMMITTED;
	wrong[TIME] += rec->time < sent[serial].before || rec->time > sent[serial].after;
	return serial;
}

static void consume(const struct rt_record *rec)
{
	u64 serial = examine(rec);

	if (serial == ~0ULL)
		return;
	wrong[TWICE] += (serial < next_serial && !burst) || sent[serial].read;
	sent[serial].read = true;
	next_serial = serial + 1;
	wrong[TIME] += rec->time < last_time;
	last_time = rec->time;
	reads++;
}

static void look_at_taken(const struct rt_subbuf *sub)
{
	struct rt_subbuf_reader r;
	struct rt_record rec;

	if (rt_subbuf_open(&r, sub, BYTES, NULL)) {
		wrong[TORN]++;
		return;
	}
	wrong[TIME] += r.start < last_time;
	while (rt_subbuf_next(&r, &rec))
		consume(&rec);
	wrong[HEADERS] += r.pending || r.damaged || r.records != RT_SUBBUF_RECORDS(sub->commit) ||
			  RT_SUBBUF_COMMITTED(sub->commit) != BYTES;
}

static u64 newest_published(void)
{
	u64 i, newest = 0;

	for (i = 0; i < rig.ring.subbufs; i++)
		if (!(rig.ring.slot[i] & RT_SLOT_PREPARING) &&
		    rt_slot_seq(rig.ring.slot[i]) > newest)
			newest = rt_slot_seq(rig.ring.slot[i]);
	return newest;
}

/* Whether the taker must find a sub-buffer if nobody interferes. */
static bool one_is_there(void)
{
	u64 seq = rig.ring.next, newest = newest_published(), slot;
	u64 oldest =
		newest < 2 * rig.ring.subbufs ? rig.ring.subbufs : newest - rig.ring.subbufs + 1;

	if (seq < oldest)
		seq = oldest;
	for (; seq < newest; seq++) {
		slot = *rt_slot_of(&rig.ring, seq);
		if (rt_slot_seq(slot) != seq)
			continue;
		return !(slot & RT_SLOT_PREPARING) &&
		       RT_SUBBUF_COMMITTED(rt_slot_area(&rig.ring, slot)->commit) == BYTES;
	}
	return false;
}

static bool take_one(void)
{
	u64 undisturbed = switches;
	bool there = one_is_there();
	struct rt_subbuf *sub;
	int err = rt_ring_take(&rig.ring, &sub);

	if (undisturbed == switches)
		wrong[REFUSED] += there != !err;
	if (err)
		return false;
	look_at_taken(sub);
	return true;
}

static void copy_one(u64 seq)
{
	static char to[BYTES] __attribute__((aligned(8)));
	const struct rt_subbuf *sub = (const void *)to;
	u64 slot = *rt_slot_of(&rig.ring, seq), undisturbed = switches, i, found = 0;
	struct rt_subbuf *from = rt_slot_area(&rig.ring, slot);
	bool there = rt_slot_seq(slot) == seq && !(slot & RT_SLOT_PREPARING) && from->seq == seq;
	bool had[SERIALS] = { false }, has[SERIALS] = { false };
	struct rt_subbuf_reader r;
	struct rt_record rec;
	u64 start = from->start, last = 0;
	int err;

	for (i = 0; i < serials; i++)
		had[i] = there && sent[i].fate == COMMITTED && sent[i].seq == seq &&
			 (*sent[i].head & RT_RECORD_STATE) == RT_RECORD_COMMITTED;
	memset(to, 0xee, BYTES);
	err = rt_ring_copy(&rig.ring, seq, to);
	if (undisturbed == switches)
		wrong[REFUSED] += there != !err;
	if (err)
		return;
	if (rt_subbuf_open(&r, to, BYTES, NULL) || sub->seq != seq) {
		wrong[COPY]++;
		return;
	}
	wrong[HEADERS] += there && sub->start != start;
	while (rt_subbuf_next(&r, &rec)) {
		i = examine(&rec);
		if (i == ~0ULL)
			continue;
		wrong[TIME] += rec.time < last;
		last = rec.time;
		wrong[COPY] += sent[i].seq != seq || has[i];
		has[i] = true;
		found++;
	}
	/* In an open sub-buffer the copy ends at the space whose writer has not stored the head. */
	for (i = 0; i < serials; i++)
		wrong[COPY] +=
			had[i] && !has[i] && (!burst || RT_SUBBUF_COMMITTED(sub->commit) == BYTES);
	wrong[COPY] += r.damaged || found != RT_SUBBUF_RECORDS(sub->commit);
	/* Without an interrupt a record is committed before the next one begins: no copy has a gap. */
	for (i = 1; i < serials && !burst; i++)
		wrong[COPY] += has[i] && sent[i - 1].fate == COMMITTED && sent[i - 1].seq == seq &&
			       !has[i - 1];
}

static void copy_all(void)
{
	u64 oldest, newest, seq;

	rt_ring_span(&rig.ring, &oldest, &newest);
	wrong[REFUSED] += newest != newest_published();
	for (seq = oldest; seq <= newest; seq++)
		copy_one(seq);
	copy_one(newest + 1);
}

static struct rt_live_ring live;
static u64 told[RT_LOST_CAUSES];

static u64 lost_before(u64 serial)
{
	u64 n = 0;

	while (serial--)
		n += sent[serial].fate == LOST;
	return n;
}

static bool live_one(void)
{
	u64 lost[RT_LOST_CAUSES], sum = 0, gap = 0;
	struct rt_record rec;
	bool first = !live.open;
	u64 seq = live.seq;
	int i;

	if (!rt_live_next(&live, &rec, lost)) {
		for (i = 0; i < RT_LOST_CAUSES; i++)
			told[i] += lost[i];
		return false;
	}
	for (i = 0; i < RT_LOST_CAUSES; i++) {
		told[i] += lost[i];
		sum += told[i];
		gap += lost[i];
	}
	consume(&rec);
	/* A gap must be reported where it is: all losses before this record, none after it. */
	wrong[TOLD] += (sum > lost_before(rec.id) && !burst) || gap > serials;
	if ((first || seq != live.seq) && gap && !burst)
		wrong[TOLD] += sum != lost_before(rec.id);
	return true;
}

static void reader(void)
{
	int i;

	switch (kind) {
	case TAKER:
		for (i = 0; i < 3 && take_one(); i++)
			;
		break;
	case TAKER_COPIER:
		take_one();
		copy_all();
		take_one();
		break;
	case COPIER:
		copy_all();
		break;
	case LIVE:
		for (i = 0; i < 6 && live_one(); i++)
			;
		break;
	case LIVE_COPIER:
		live_one();
		copy_all();
		while (live_one())
			;
		break;
	}
	ended[1] = true;
	stage++;
	since = 0;
	if (!ended[0]) {
		switches++;
		swapcontext(&turn_of[1], &turn_of[0]);
	}
}

/* --- a run ---------------------------------------------------------------------------- */

static void wind_up(int who, void (*what)(void))
{
	getcontext(&turn_of[who]);
	turn_of[who].uc_stack.ss_sp = stack[who];
	turn_of[who].uc_stack.ss_size = STACK;
	turn_of[who].uc_link = &home;
	ended[who] = false;
	makecontext(&turn_of[who], what, 0);
}

static void settle(void)
{
	u64 i, committed = 0, cancelled = 0, lost = 0;

	/* Nobody races any more: read the rest, then a last record, which reports the last gap. */
	for (i = 0; i < 2 || sent[serials - 1].fate != COMMITTED; i++) {
		rt_ring_flush(&rig.ring);
		while (mode == RT_MODE_OVERWRITE ? take_one() : live_one())
			;
		write_one();
	}
	rt_ring_flush(&rig.ring);
	while (mode == RT_MODE_OVERWRITE ? take_one() : live_one())
		;
	for (i = 0; i < serials; i++) {
		committed += sent[i].fate == COMMITTED;
		cancelled += sent[i].fate == CANCELLED;
		lost += sent[i].fate == LOST;
		if (mode == RT_MODE_DISCARD)
			wrong[ARITHMETIC] += (sent[i].fate == COMMITTED) != sent[i].read;
	}
	wrong[ARITHMETIC] += committed != reads + rig.ring.status->overwritten;
	wrong[ARITHMETIC] += committed + cancelled + lost != serials;
	for (i = 0; i < RT_LOST_CAUSES; i++) {
		wrong[ARITHMETIC] += lost_by[i] != rig_lost(&rig, i);
		if (mode == RT_MODE_DISCARD)
			wrong[TOLD] += told[i] != rig_lost(&rig, i);
	}
}

static void run(u32 subbufs, u64 prefill)
{
	u64 i;

	rig_open(&rig, mode, subbufs, BYTES);
	memset(sent, 0, sizeof(sent));
	memset(lost_by, 0, sizeof(lost_by));
	memset(told, 0, sizeof(told));
	serials = next_serial = last_time = reads = 0;
	if (mode == RT_MODE_DISCARD)
		rt_live_init(&live, rig.ring.status, rig.ring.control, rig.memory, subbufs * BYTES,
			     NULL);
	for (i = 0; i < prefill; i++)
		write_one();
	rig_hook = at_point;
	wind_up(0, writer);
	wind_up(1, reader);
	stage = since = switches = 0;
	racing = true;
	swapcontext(&home, &turn_of[0]);
	racing = false;
	rig_hook = NULL;
	settle();
	rig_close(&rig);
}

static void tell(void)
{
	printf("# torn %llu twice %llu times %llu copies %llu refused %llu arithmetic %llu told %llu headers %llu\n",
	       (unsigned long long)wrong[TORN], (unsigned long long)wrong[TWICE],
	       (unsigned long long)wrong[TIME], (unsigned long long)wrong[COPY],
	       (unsigned long long)wrong[REFUSED], (unsigned long long)wrong[ARITHMETIC],
	       (unsigned long long)wrong[TOLD], (unsigned long long)wrong[HEADERS]);
}

static void every_race(u32 with_mode, enum reader who, u32 subbufs, u64 prefill, u64 writes,
		       u64 step)
{
	u64 runs = 0, failed = 0, i;

	mode = with_mode;
	kind = who;
	records = writes;
	memset(wrong, 0, sizeof(wrong));
	for (plan[0] = 0, came[0] = true; came[0]; plan[0]++)
		for (plan[1] = 0, came[1] = true; came[1]; plan[1]++) {
			came[0] = came[1] = false;
			plan[2] = (plan[0] + plan[1]) % step;
			do {
				came[2] = false;
				run(subbufs, prefill);
				runs++;
				plan[2] += step;
			} while (came[2]);
		}
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		failed += wrong[i];
	ok(!failed && runs > 100, "%s, %s, %u sub-buffers, %llu records before: %llu runs",
	   mode == RT_MODE_DISCARD ? "discard" : "overwrite", names[who], subbufs,
	   (unsigned long long)prefill, (unsigned long long)runs);
	if (failed)
		tell();
}

/* The reader runs after an interrupt, while the interrupted writer is still stopped. */
static void every_interrupt(u32 with_mode, enum reader who, u32 subbufs, u64 prefill)
{
	u64 runs = 0, failed = 0, i;

	mode = with_mode;
	kind = who;
	records = 8;
	memset(wrong, 0, sizeof(wrong));
	plan[1] = plan[2] = ~0ULL;
	for (burst = 1; burst <= 12; burst++)
		for (plan[0] = 0, came[0] = true; came[0]; plan[0]++) {
			came[0] = false;
			run(subbufs, prefill);
			runs++;
		}
	burst = 0;
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		failed += wrong[i];
	ok(!failed && runs > 100,
	   "%s, %s after an interrupt, %u sub-buffers, %llu records before: %llu runs",
	   mode == RT_MODE_DISCARD ? "discard" : "overwrite", names[who], subbufs,
	   (unsigned long long)prefill, (unsigned long long)runs);
	if (failed)
		tell();
}

int main(void)
{
	u64 prefill;

	rig_points_max = 100000; /* of one run: nobody waits */
	for (prefill = 0; prefill <= 10; prefill += 5) {
		every_race(RT_MODE_OVERWRITE, TAKER, 2, prefill, 8, 7);
		every_race(RT_MODE_OVERWRITE, COPIER, 2, prefill, 6, 11);
		every_race(RT_MODE_OVERWRITE, TAKER_COPIER, 2, prefill, 6, 17);
		every_race(RT_MODE_DISCARD, LIVE, 2, prefill, 8, 7);
		every_race(RT_MODE_DISCARD, LIVE_COPIER, 2, prefill, 6, 17);
	}
	for (prefill = 0; prefill <= 9; prefill += 3) {
		every_interrupt(RT_MODE_OVERWRITE, TAKER, 2, prefill);
		every_interrupt(RT_MODE_OVERWRITE, TAKER_COPIER, 4, prefill);
		every_interrupt(RT_MODE_DISCARD, LIVE_COPIER, 4, prefill);
	}
	every_race(RT_MODE_OVERWRITE, TAKER, 4, 9, 14, 31);
	every_race(RT_MODE_OVERWRITE, COPIER, 4, 9, 14, 97);
	every_race(RT_MODE_DISCARD, LIVE, 4, 9, 12, 47);
	return tap_done();
}
