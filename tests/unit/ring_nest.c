// SPDX-License-Identifier: GPL-2.0
/*
 * Nested writers, one deterministic interruption at a time, and after each step a
 * look at the memory as a dead machine would leave it.
 *
 * A run writes some records.  At the n-th marked point that it passes an interrupt
 * "strikes" and writes a burst of its own, itself interrupted at its m-th point by a
 * second one, and that by a third.  All n, several m, bursts from one record to more
 * than the ring holds.  At every marked point of every run the image decoder must
 * find exactly the records that are committed and not overwritten.
 */
#include <unistd.h>

#include "ring_rig.h"

#define BYTES	 4096U
#define SERIALS	 4096
#define LEVELS	 3
#define OUTER	 24
#define MAX_AREA 8

enum fate { NONE, RESERVED, COMMITTED, LOST, DISCARDED };

static struct rig rig;
static u8 fate[SERIALS];
static u32 bytes_of[SERIALS];
static u64 serials;
static int level;
static u64 passed[LEVELS + 1], strike[LEVELS + 1]; /* per level: points passed, when to strike */
static int burst[LEVELS + 1], size_mix;
static u64 images, strikes, torn, missing, twice, extra, disorder;
static bool failed_run;

static void look_at_image(void)
{
	static u8 seen[SERIALS];
	struct rt_subbuf *order[MAX_AREA] = { NULL };
	u64 last = 0, have = 0, want = 0, i, j;
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
			last = rec.time;
		}
		if (r.damaged)
			torn++;
	}
	for (i = 0; i < serials; i++) {
		have += seen[i];
		want += fate[i] == COMMITTED;
	}
	/* In overwrite mode what is being wiped right now may be counted and still be there. */
	missing += have + rig.ring.status->overwritten < want;
}

static void write_one(void)
{
	u64 serial = serials++;
	u32 *rec;

	if (serials >= SERIALS)
		abort();
	bytes_of[serial] = 8 + (size_mix ? serial * 37 % size_mix : 24);
	rec = rt_ring_reserve(&rig.ring, 7, bytes_of[serial]);
	if (!rec) {
		fate[serial] = LOST;
		return;
	}
	fate[serial] = RESERVED;
	rig_fill(rt_record_payload(rec), serial, bytes_of[serial]);
	if (serial % 11 == 5) {
		fate[serial] = DISCARDED;
		rt_ring_discard(&rig.ring, rec);
		return;
	}
	/* The first thing that commit does is to flip the state. */
	fate[serial] = COMMITTED;
	rt_ring_commit(&rig.ring, rec);
}

static void hook(int where)
{
	int mine = level, i;

	look_at_image();
	if (mine == LEVELS || passed[mine]++ != strike[mine] || !burst[mine + 1])
		return;
	strikes++;
	level = mine + 1;
	passed[level] = 0;
	for (i = 0; i < burst[level]; i++)
		write_one();
	level = mine;
	look_at_image();
}

/* One run; the number of points that its outermost level passed. */
static u64 run(u32 mode, u32 subbufs, u64 at0, u64 at1, u64 at2, int b1, int b2, int b3)
{
	u64 i, committed = 0, discarded = 0, lost = 0, counted = 0;

	memset(fate, 0, sizeof(fate));
	serials = 0;
	level = 0;
	memset(passed, 0, sizeof(passed));
	strike[0] = at0;
	strike[1] = at1;
	strike[2] = at2;
	burst[1] = b1;
	burst[2] = b2;
	burst[3] = b3;
	rig_open(&rig, mode, subbufs, BYTES);
	rig_hook = hook;
	for (i = 0; i < OUTER; i++)
		write_one();
	rig_hook = NULL;
	for (i = 0; i < serials; i++) {
		committed += fate[i] == COMMITTED;
		discarded += fate[i] == DISCARDED;
		lost += fate[i] == LOST;
	}
	for (i = 0; i < RT_LOST_CAUSES; i++)
		counted += rig_lost(&rig, i);
	if (committed + discarded + lost != serials || lost != counted)
		failed_run = true;
	/* Nothing is left pending, so a ring that may overwrite always goes on. */
	if (mode == RT_MODE_OVERWRITE && !rig_put(&rig, 1, 3000))
		failed_run = true;
	rig_close(&rig);
	return passed[0];
}

static void every_point(u32 mode, u32 subbufs, int mix, int b1, int b2, int b3, u64 step1,
			u64 step2)
{
	u64 at0, at1, at2, points = 1, runs = 0;

	images = strikes = torn = missing = twice = extra = disorder = 0;
	failed_run = false;
	size_mix = mix;
	for (at0 = 0; at0 < points; at0++)
		for (at1 = 0; at1 < (b2 ? 90 : 1); at1 += step1)
			for (at2 = 0; at2 < (b3 ? 60 : 1); at2 += step2) {
				points = run(mode, subbufs, at0, at1, at2, b1, b2, b3);
				runs++;
			}
	ok(!torn && !missing && !twice && !extra && !disorder && !failed_run && strikes >= runs,
	   "%s, %u sub-buffers, bursts of %d/%d/%d: %llu runs, %llu interruptions, %llu images",
	   mode == RT_MODE_DISCARD ? "discard" : "overwrite", subbufs, b1, b2, b3,
	   (unsigned long long)runs, (unsigned long long)strikes, (unsigned long long)images);
	if (torn || missing || twice || extra || disorder || failed_run)
		printf("# torn %llu missing %llu twice %llu extra %llu disorder %llu arithmetic %d\n",
		       (unsigned long long)torn, (unsigned long long)missing,
		       (unsigned long long)twice, (unsigned long long)extra,
		       (unsigned long long)disorder, failed_run);
}

int main(void)
{
	u32 mode;

	alarm(300); /* nobody waits, so nothing may hang */
	for (mode = RT_MODE_DISCARD; mode <= RT_MODE_OVERWRITE; mode++) {
		every_point(mode, 4, 0, 1, 0, 0, 1, 1);
		every_point(mode, 4, 900, 3, 0, 0, 1, 1);
		every_point(mode, 4, 900, 12, 3, 0, 29, 1);
		every_point(mode, 4, 900, 40, 0, 0, 1, 1);
		every_point(mode, 2, 900, 20, 10, 0, 37, 1);
		every_point(mode, 4, 1500, 8, 8, 8, 43, 29);
		every_point(mode, 2, 1500, 8, 8, 8, 31, 31);
	}
	return tap_done();
}
