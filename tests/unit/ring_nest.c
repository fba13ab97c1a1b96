// SPDX-License-Identifier: GPL-2.0
/*
 * ring_nest.c - nested writers, with one deterministic interruption per level, and a look at the
 * memory at every marked point, as a machine that died there would leave it.
 *
 * A run writes some records.  At the n-th marked point that it passes, an interrupt arrives and
 * writes a burst of records.  A second interrupt arrives at the m-th point of the first one, and a
 * third inside the second.  The test tries all n.  It tries all m in the smallest ring, and
 * otherwise every so many, with a different first one for each n.  A burst has from one record to
 * more than the ring holds; the interrupt may be a flush, and the clock may step.
 *
 * At every marked point the image decoder must find exactly the records that are committed and not
 * overwritten, each with a time between two reads of the clock.  Headers must say how many records
 * were lost and overwritten when they were written.
 */
#include "ring_rig.h"

#define BYTES	 4096U
#define SERIALS	 4096
#define LEVELS	 3
#define MAX_AREA 8
#define WHOLE	 2500 /* one record of this many bytes fills a sub-buffer */
#define PART	 16   /* bytes that a record committed in part gives back */

enum fate { NONE, RESERVED, COMMITTED, LOST, CANCELLED };

static struct rig rig;
static u8 fate[SERIALS];
static u32 bytes_of[SERIALS];
static u64 serials;
static int level;
static u64 passed[LEVELS + 1], strike[LEVELS + 1]; /* points passed, point to interrupt at */
static bool came[LEVELS + 1];			   /* the level has reached the point strike[] */
static int planned;  /* number of levels that an interrupt will interrupt */
static u64 known_to; /* up to this point of the innermost one, the run repeats the previous run */
static int burst[LEVELS + 1], size_mix;
static int outer = 24, small,
	   flushes;    /* small: nested records are; flushes: an interrupt begins with a flush */
static s64 clock_step; /* of the clock at every interruption */
static bool far;       /* the clock jumps far ahead, so that records have extended times */
static u64 images, torn, missing, twice, extra, disorder, untimely, headers;
static bool failed_run;

/* The clock before and after each reservation; its latest time so far, as it may step back. */
static u64 before[SERIALS], after[SERIALS], latest;
static u64 lost_by[RT_LOST_CAUSES];

/* What a writer of each level must put into the header that it writes. */
static struct {
	u64 shut, latest, lost[RT_LOST_CAUSES], overwritten;
} known[LEVELS + 1];
static bool uncounted[MAX_AREA]; /* a writer owns it and has not counted its old records yet */

/* The sub-buffer that the innermost writer is preparing: it has the highest number. */
static struct rt_subbuf *prepared(void)
{
	u64 i, slot, best = 0;

	for (i = 0; i < rig.ring.subbufs; i++) {
		slot = rig.ring.slot[i];
		if ((slot & RT_SLOT_PREPARING) && slot > best)
			best = slot;
	}
	return best ? rt_slot_area(&rig.ring, best) : NULL;
}

static bool next_is_being_prepared(void)
{
	u64 oldest, newest, slot;

	rt_ring_span(&rig.ring, &oldest, &newest);
	slot = *rt_slot_of(&rig.ring, newest + 1);
	return (slot & RT_SLOT_PREPARING) && rt_slot_seq(slot) == newest + 1;
}

static void look_at_header(int where)
{
	struct rt_ring_status *status = rig.ring.status;
	struct rt_subbuf *sub = prepared();
	int i;

	if (rig_now > latest)
		latest = rig_now;
	switch (where) {
	case RT_AT_SHUT:
		known[level].shut = clock_step < 0 ? 0 : rig_now;
		break;
	case RT_AT_STAMPED:
		known[level].latest = latest;
		known[level].overwritten = status->overwritten;
		memcpy(known[level].lost, status->lost, sizeof(status->lost));
		break;
	case RT_AT_PREPARED:
		uncounted[sub->index] = true;
		break;
	case RT_AT_COUNTED:
		uncounted[sub->index] = false;
		break;
	case RT_AT_SEALED:
		headers += sub->start < known[level].shut || sub->start > known[level].latest;
		headers += sub->overwritten != known[level].overwritten;
		for (i = 0; i < RT_LOST_CAUSES; i++)
			headers += sub->lost[i] != known[level].lost[i];
		break;
	}
}

/* Records that are counted as overwritten but still found, because the number is still there. */
static u64 counted_and_there(void)
{
	u64 i, slot, n = 0;

	if (rig.ring.mode != RT_MODE_OVERWRITE)
		return 0;
	for (i = 0; i < rig.ring.subbufs; i++) {
		slot = rig.ring.slot[i];
		if ((slot & RT_SLOT_PREPARING) &&
		    rt_slot_area(&rig.ring, slot)->seq + rig.ring.subbufs == rt_slot_seq(slot))
			n += uncounted[slot & RT_SLOT_INDEX] ?
				     0 :
				     RT_SUBBUF_RECORDS(rt_slot_area(&rig.ring, slot)->commit);
	}
	return n;
}

static void look_at_image(void)
{
	static u8 seen[SERIALS];
	struct rt_subbuf *order[MAX_AREA] = { NULL };
	u64 last = 0, have = 0, want = 0, i, j, c;
	struct rt_subbuf_reader r;
	struct rt_record rec;
	int n = 0;

	images++;
	memset(seen, 0, serials);
	for (i = 0; i < rig.ring.status->areas; i++) {
		struct rt_subbuf *sub = rig.setup.area[i];

		if (sub->seq == RT_SEQ_NONE)
			continue;
		for (j = n++; j > 0 && order[j - 1]->seq > sub->seq; j--)
			order[j] = order[j - 1];
		order[j] = sub;
	}
	for (i = 0; (int)i < n; i++) {
		if (rt_subbuf_open(&r, order[i], BYTES, NULL))
			continue;
		disorder += r.start < last;
		for (c = 0; i && c < RT_LOST_CAUSES; c++)
			headers += order[i]->lost[c] < order[i - 1]->lost[c];
		headers += i && order[i]->overwritten < order[i - 1]->overwritten;
		while (rt_subbuf_next(&r, &rec)) {
			u64 serial = *(const rt_payload_u64 *)rec.payload;

			if (serial >= serials ||
			    rig_check(rec.payload, bytes_of[serial], rec.bytes) != serial) {
				torn++;
				continue;
			}
			extra += fate[serial] != COMMITTED;
			twice += seen[serial]++;
			disorder += rec.time < last;
			untimely += rec.time < before[serial] || rec.time > after[serial];
			last = rec.time;
		}
		if (r.damaged)
			torn++;
	}
	for (i = 0; i < serials; i++) {
		have += seen[i];
		want += fate[i] == COMMITTED;
	}
	want += counted_and_there();
	missing += have + rig.ring.status->overwritten < want;
	twice += have + rig.ring.status->overwritten > want;
}

static void write_one(void)
{
	u64 serial = serials++;
	bool part = serial % 11 == 8;
	int why = 0;
	u32 *rec;

	if (serials >= SERIALS)
		abort();
	bytes_of[serial] = 8 + (size_mix ? serial * 397 % size_mix : 24);
	if (size_mix == WHOLE)
		bytes_of[serial] = WHOLE;
	if (small && level)
		bytes_of[serial] = 8 + serial % 3 * 8;
	if (far && !level && serial % 4 == 2)
		rig_now += 1ULL << 33;
	before[serial] = rig_now;
	rec = rt_ring_reserve_why(&rig.ring, 7, bytes_of[serial] + (part ? PART : 0), &why);
	after[serial] = latest = rig_now > latest ? rig_now : latest;
	if (!rec) {
		fate[serial] = LOST;
		lost_by[why]++;
		/* A writer that interrupts nobody can lose a record only to a slow reader. */
		if (!level && (rig.ring.mode == RT_MODE_OVERWRITE || why != RT_LOST_FULL))
			failed_run = true;
		/* If an interrupted writer prepares the next one, the cause is not the reader. */
		if (why == RT_LOST_FULL && next_is_being_prepared())
			failed_run = true;
		return;
	}
	fate[serial] = RESERVED;
	rig_fill(rt_record_payload(rec), serial, bytes_of[serial]);
	if (serial % 11 == 5) {
		fate[serial] = CANCELLED;
		rt_ring_cancel(&rig.ring, rec);
		return;
	}
	/* The first thing that commit does is to store the new state. */
	fate[serial] = COMMITTED;
	if (part) {
		/* If these bytes stay as they are, they look like a record. */
		memset((char *)rt_record_payload(rec) + (bytes_of[serial] + 3) / 4 * 4, 0x0a, PART);
		rt_ring_commit_part(&rig.ring, rec, bytes_of[serial]);
	} else {
		rt_ring_commit(&rig.ring, rec);
	}
}

static void hook(int where)
{
	int mine = level, i;

	look_at_header(where);
	if (passed[planned - 1] >= known_to)
		look_at_image();
	if (mine == LEVELS || passed[mine]++ != strike[mine] || !burst[mine + 1])
		return;
	came[mine] = true;
	level = mine + 1;
	passed[level] = 0;
	rig_now += clock_step;
	/* Writers that have yet to read the clock, or will read it again, may get this time. */
	for (i = 0; clock_step < 0 && (u64)i < serials; i++)
		if (fate[i] == NONE)
			before[i] = 0;
	if (flushes)
		rt_ring_flush(&rig.ring);
	for (i = 0; i < burst[level]; i++)
		write_one();
	level = mine;
	look_at_image();
}

static void run(u32 mode, u32 subbufs, u64 at0, u64 at1, u64 at2, int b1, int b2, int b3)
{
	u64 i, committed = 0, cancelled = 0, lost = 0, counted = 0;

	memset(fate, 0, sizeof(fate));
	memset(lost_by, 0, sizeof(lost_by));
	serials = 0;
	latest = 0;
	level = 0;
	memset(passed, 0, sizeof(passed));
	memset(came, 0, sizeof(came));
	strike[0] = at0;
	strike[1] = at1;
	strike[2] = at2;
	burst[1] = b1;
	burst[2] = b2;
	burst[3] = b3;
	rig_open(&rig, mode, subbufs, BYTES);
	rig_now = 10000000;
	rig_hook = hook;
	for (i = 0; (int)i < outer; i++)
		write_one();
	rig_hook = NULL;
	for (i = 0; i < serials; i++) {
		committed += fate[i] == COMMITTED;
		cancelled += fate[i] == CANCELLED;
		lost += fate[i] == LOST;
	}
	for (i = 0; i < RT_LOST_CAUSES; i++) {
		counted += rig_lost(&rig, i);
		if (rig_lost(&rig, i) != lost_by[i])
			failed_run = true;
	}
	/* An overwrite ring is never full, and no record of this test is too big. */
	if (lost_by[mode == RT_MODE_DISCARD ? RT_LOST_TOO_BIG : RT_LOST_FULL])
		failed_run = true;
	if (committed + cancelled + lost != serials || lost != counted)
		failed_run = true;
	/* Nothing is pending any more, so an overwrite ring always has room. */
	if (mode == RT_MODE_OVERWRITE && !rig_put(&rig, 1, 3000))
		failed_run = true;
	rig_close(&rig);
}

static void every_point(u32 mode, u32 subbufs, int mix, int b1, int b2, int b3, u64 step1,
			u64 step2)
{
	u64 at0, at1, at2, runs = 0;
	bool more0, more1;

	images = torn = missing = twice = extra = disorder = untimely = headers = 0;
	failed_run = false;
	size_mix = mix;
	planned = b3 ? 3 : b2 ? 2 : 1;
	known_to = 0;
	for (at0 = 0, more0 = true; more0; at0++) {
		for (at1 = at0 % step1, more0 = false, more1 = true; more1; at1 += step1) {
			for (at2 = (at0 + at1) % step2, more1 = false;; at2 += step2) {
				run(mode, subbufs, at0, at1, at2, b1, b2, b3);
				runs++;
				more0 |= came[0];
				more1 |= came[1];
				known_to = strike[planned - 1];
				if (!came[2])
					break;
			}
			known_to = b3 ? 0 : known_to;
		}
		known_to = b2 ? 0 : known_to;
	}
	ok(!torn && !missing && !twice && !extra && !disorder && !untimely && !headers &&
		   !failed_run && runs > 50,
	   "%s, %u sub-buffers, bursts of %d/%d/%d%s%s%s: %llu runs, %llu images",
	   mode == RT_MODE_DISCARD ? "discard" : "overwrite", subbufs, b1, b2, b3,
	   far	 ? ", far ahead" :
	   small ? ", small" :
		   "",
	   flushes ? ", flushed" : "",
	   clock_step ? clock_step < 0 ? ", clock steps back" : ", clock steps on" : "",
	   (unsigned long long)runs, (unsigned long long)images);
	if (torn || missing || twice || extra || disorder || untimely || headers || failed_run)
		printf("# torn %llu missing %llu twice %llu extra %llu disorder %llu untimely %llu headers %llu arithmetic %d\n",
		       (unsigned long long)torn, (unsigned long long)missing,
		       (unsigned long long)twice, (unsigned long long)extra,
		       (unsigned long long)disorder, (unsigned long long)untimely,
		       (unsigned long long)headers, failed_run);
}

int main(void)
{
	u32 mode;

	rig_points_max = 100000; /* of one run */
	for (mode = RT_MODE_DISCARD; mode <= RT_MODE_OVERWRITE; mode++) {
		every_point(mode, 4, 0, 1, 0, 0, 1, 1);
		/* A record fills a sub-buffer, and each level writes more than the ring holds. */
		outer = 3;
		every_point(mode, 2, WHOLE, 3, 3, 0, 1, 1);
		every_point(mode, 2, WHOLE, 2, 2, 2, 5, 7);
		outer = 24;

		every_point(mode, 4, 900, 3, 0, 0, 1, 1);
		every_point(mode, 4, 900, 12, 3, 0, 43, 1);
		every_point(mode, 4, 900, 40, 0, 0, 1, 1);
		every_point(mode, 2, 900, 20, 10, 0, 43, 1);
		outer = 12;
		every_point(mode, 4, 1500, 8, 8, 8, 61, 43);
		every_point(mode, 2, 1500, 8, 8, 8, 47, 31);

		/* A nested record is small and fits where the interrupted record did not. */
		small = 1;
		every_point(mode, 4, 1500, 1, 0, 0, 1, 1);
		every_point(mode, 4, 1500, 3, 2, 0, 31, 1);
		every_point(mode, 2, 1500, 30, 0, 0, 1, 1);
		/* Interrupts that begin with a flush. */
		flushes = 1;
		every_point(mode, 4, 1500, 1, 1, 0, 31, 1);
		every_point(mode, 2, 1500, 1, 0, 0, 1, 1);
		small = 0;
		every_point(mode, 4, 1500, 2, 1, 1, 43, 31);
		flushes = 0;
		for (clock_step = -70000; clock_step <= 70000; clock_step += 70000 * 2 - 1) {
			every_point(mode, 4, 1500, 1, 0, 0, 1, 1);
			every_point(mode, 2, 1500, 5, 2, 0, 37, 1);
			far = true;
			every_point(mode, 4, 1500, 1, 0, 0, 1, 1);
			every_point(mode, 2, 900, 3, 1, 0, 7, 1);
			far = false;
		}
		clock_step = 0;
		outer = 24;
	}
	return tap_done();
}
