// SPDX-License-Identifier: GPL-2.0
/* agent_cpuring.c - one CPU's ring as its reader sees it: what waits, what was lost, what is taken. */
#include "ring_rig.h"

#include "agent/cpuring.h"

enum { BYTES = 4096, SUBBUFS = 4 };

static struct rig rig;
static struct rt_cpuring ring;

static void start(void)
{
	memset(&ring, 0, sizeof(ring));
	rig_make(&rig, 0, RT_MODE_DISCARD, SUBBUFS, BYTES, 0, NULL);
	ring.status = rig.ring.status;
	ring.control = rig.ring.control;
	ring.data = rig.memory;
	rt_live_init(&ring.live, ring.status, ring.control, ring.data, SUBBUFS * BYTES, NULL);
}

static unsigned int put(unsigned int n)
{
	unsigned int i, good = 0;

	for (i = 0; i < n; i++)
		good += rig_put(&rig, i, 40);
	return good;
}

static unsigned int take_all(void)
{
	unsigned int n;

	for (n = 0; rt_cpuring_peek(&ring); n++)
		rt_cpuring_take(&ring);
	return n;
}

static void test_counts(void)
{
	uint64_t lost[RT_LOST_CAUSES];
	unsigned int fit, more;

	start();
	is_int(rt_cpuring_backlog(&ring), 0, "an empty ring has no whole sub-buffer");
	is_int(rt_cpuring_pending(&ring), 0, "and nothing to read");
	ok(!rt_cpuring_peek(&ring) && !rt_cpuring_found(&ring), "nothing is found");
	ok(!rt_cpuring_lost_since(&ring, lost), "nothing was lost");
	put(3);
	is_int(rt_cpuring_pending(&ring), 3, "three records wait");
	is_int(rt_cpuring_backlog(&ring), 0, "in a sub-buffer that is not whole");
	is_int(rt_cpuring_growth(&ring), ring.status->head, "growth is counted from 0 on");
	is_int(rt_cpuring_growth(&ring), 0, "and nothing was completed since");
	rt_cpuring_look(&ring);
	is_int(ring.count, 3, "all are found together");
	rt_cpuring_take(&ring);
	is_int(rt_cpuring_pending(&ring), 2, "one is taken");
	is_int(ring.read, 1, "and counted");
	rt_cpuring_look(&ring);
	is_int(ring.at, 1, "looking again changes nothing while some are left");
	rt_cpuring_take_run(&ring, 2);
	is_int(ring.read, 3, "all are taken");
	ok(!rt_cpuring_peek(&ring), "and none is left");

	fit = 3 + put(1000);
	more = rt_cpuring_growth(&ring);
	is_int(more, SUBBUFS - 1, "a full ring: all but the last sub-buffer were completed");
	is_int(rt_cpuring_growth(&ring), 0, "the same is not counted again");
	is_int(rt_cpuring_backlog(&ring), SUBBUFS - 1, "and all these wait");
	is_int(rt_cpuring_pending(&ring), fit - 3, "with their records");
	ok(rt_cpuring_lost_since(&ring, lost), "the others were lost");
	is_int(lost[RT_LOST_FULL], 1003 - fit, "as many");
	is_int(take_all(), fit - 3, "they can be read");
	is_int(rt_cpuring_backlog(&ring), 0, "then no whole sub-buffer waits");
	/* No record has come behind the losses. */
	ok(rt_cpuring_lost_since(&ring, lost) && lost[RT_LOST_FULL] == 1003 - fit,
	   "no record has told the losses");
	put(1);
	ok(rt_cpuring_peek(&ring) && ring.lossy, "the next record does");
	is_int(ring.lost[RT_LOST_FULL], 1003 - fit, "all of them");
	ok(!rt_cpuring_lost_since(&ring, lost), "they are not told again at the end");
	rt_cpuring_take(&ring);
	ok(!ring.lossy && !ring.lost[RT_LOST_FULL], "when it is taken, they are told");
	rig_free(&rig);
}

static void test_pieces(void)
{
	struct rt_live_piece p[8];
	unsigned int n;

	start();
	is_int(rt_cpuring_find_pieces(&ring, true, p, 8), 0, "no piece in an empty ring");
	put(5);
	is_int(rt_cpuring_find_pieces(&ring, false, p, 8), 0, "nor a whole one");
	ok(rt_cpuring_has_more(&ring), "but there is more");
	is_int(rt_cpuring_find_pieces(&ring, true, p, 8), 1, "the open one");
	is_int(ring.found, 5, "with five records");
	is_int(rt_cpuring_find_pieces(&ring, true, p, 8), 1, "is found again");
	is_int(ring.read, 0, "until it is taken");
	rt_cpuring_take_pieces(&ring);
	is_int(ring.read, 5, "then it is counted");
	ok(!rt_cpuring_has_more(&ring), "and gone");
	put(1000);
	n = rt_cpuring_find_pieces(&ring, false, p, 2);
	is_int(n, 2, "of three whole ones as many as asked for");
	rt_cpuring_take_pieces(&ring);
	is_int(rt_cpuring_backlog(&ring), 1, "these go back to the writers");
	is_int(ring.read, 5 + p[0].records + p[1].records, "and are counted");
	ring.overwrite = true;
	is_int(rt_cpuring_backlog(&ring) + rt_cpuring_growth(&ring), 0,
	       "in overwrite mode there is no backlog");
	ok(!rt_cpuring_has_more(&ring), "and no more");
	rig_free(&rig);
}

int main(void)
{
	struct rt_cpuring none = { .status = NULL };

	is_int(rt_cpuring_backlog(&none) + rt_cpuring_growth(&none) + rt_cpuring_pending(&none), 0,
	       "a CPU without a ring");
	ok(!rt_cpuring_peek(&none) && !rt_cpuring_has_more(&none), "has nothing");
	ok(rt_cpuring_oldest(&none) == UINT64_MAX, "and nothing old");
	test_counts();
	test_pieces();
	return tap_done();
}
