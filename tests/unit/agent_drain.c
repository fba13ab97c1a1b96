// SPDX-License-Identifier: GPL-2.0
/*
 * agent_drain.c - the agent reads a ring: dumps while a record is being written, how much waits,
 * and where records were lost.
 */
#include "ring_rig.h"

#include <errno.h>
#include <stdarg.h>
#include <sys/ioctl.h>

#include "agent/cpuring.h"

#define BYTES 4096U

static struct rig rig;
static struct rt_cpuring ring;

/* The module's side of RT_IOC_TAKE. */
int ioctl(int fd, unsigned long number, ...)
{
	struct rt_subbuf *sub;
	struct rt_take *take;
	va_list ap;
	int ret;

	va_start(ap, number);
	take = va_arg(ap, struct rt_take *);
	va_end(ap);
	ret = number == RT_IOC_TAKE ? rt_ring_take(&rig.ring, &sub) : -ENOTTY;
	if (ret) {
		errno = -ret;
		return -1;
	}
	take->index = sub->index;
	take->seq = sub->seq;
	return 0;
}

static void set_up(u32 mode, u32 subbufs)
{
	rig_open(&rig, mode, subbufs, BYTES);
	memset(&ring, 0, sizeof(ring));
	ring.status = rig.setup.status;
	ring.control = rig.setup.control;
	ring.data = rig.memory;
	ring.overwrite = mode == RT_MODE_OVERWRITE;
	ring.next = subbufs;
	if (!ring.overwrite)
		rt_live_init(&ring.live, ring.status, ring.control, ring.data,
			     (size_t)subbufs * BYTES, NULL);
}

static u64 drain(void)
{
	u64 n;

	for (n = 0; rt_cpuring_peek(&ring); n++)
		rt_cpuring_take(&ring);
	return n;
}

static void pending_record(void)
{
	u32 *held;
	u64 i;

	set_up(RT_MODE_OVERWRITE, 8);
	rig_put(&rig, 0, 40);
	held = rt_ring_reserve(&rig.ring, 1, 40);
	for (i = 2; i < 200; i++)
		rig_put(&rig, i, 40);
	rt_ring_flush(&rig.ring);
	is_int(rt_cpuring_pending(&ring), 199,
	       "what waits is counted, but for what is being written");
	rt_cpuring_drain(&ring);
	is_int(drain(), 0, "the first sub-buffer has a record that is being written");
	ok(ring.drain, "the dump is not over");
	rig_fill(rt_record_payload(held), 1, 40);
	rt_ring_commit(&rig.ring, held);
	is_int(drain(), 200, "when it is written all of them come");
	ok(!ring.drain, "and the dump is over");
	is_int(rt_cpuring_pending(&ring), 0, "nothing waits");
	rt_ring_flush(&rig.ring);
	rt_cpuring_drain(&ring);
	ok(!ring.drain, "a dump of nothing is over at once");
	rig_close(&rig);
}

/* Two sub-buffers: records that do not fit are lost, and the next record reports it. */
static void losses(void)
{
	uint64_t lost[RT_LOST_CAUSES];
	u64 i, written = 0;

	set_up(RT_MODE_DISCARD, 2);
	for (i = 0; i < 500; i++)
		written += rig_put(&rig, i, 40);
	is_int(rt_cpuring_pending(&ring), written, "all that was written waits");
	for (i = 0; rt_cpuring_peek(&ring); i++) {
		if (ring.lossy)
			break;
		rt_cpuring_take(&ring);
	}
	is_int(i, written, "no loss before the last record");
	ok(rt_cpuring_lost_since(&ring, lost) && lost[RT_LOST_FULL] == 500 - written,
	   "behind it is what did not fit");
	rig_put(&rig, 500, 40);
	ok(rt_cpuring_peek(&ring) && ring.lossy && ring.lost[RT_LOST_FULL] == 500 - written,
	   "which the next record carries, when one comes");
	ok(!rt_cpuring_lost_since(&ring, lost), "it is then told of once");
	rt_cpuring_take(&ring);
	ok(!ring.lossy && !ring.lost[RT_LOST_FULL], "and not again");
	rig_close(&rig);
}

/* A dump that ends in its middle, as on a full disk: what was taken out and not passed on still waits. */
static void stopped(bool pieces)
{
	const char *how = pieces ? "by pieces" : "by records";
	struct rt_live_piece piece;
	u64 i;

	set_up(RT_MODE_OVERWRITE, 8);
	for (i = 0; i < 200; i++)
		rig_put(&rig, i, 40);
	rt_ring_flush(&rig.ring);
	rt_cpuring_drain(&ring);
	if (pieces)
		rt_cpuring_find_pieces(&ring, false, &piece, 1);
	else
		rt_cpuring_peek(&ring);
	is_int(rt_cpuring_pending(&ring), 200, "%s: what was found and not taken waits", how);
	if (pieces)
		rt_cpuring_take_pieces(&ring);
	else
		rt_cpuring_take(&ring);
	is_int(rt_cpuring_pending(&ring) + ring.read, 200, "%s: all are taken or wait", how);
	rig_close(&rig);
}

static void oldest_time(void)
{
	const struct rt_record *first;
	u64 i, before, after;

	set_up(RT_MODE_OVERWRITE, 4);
	for (i = 0; i < 200; i++)
		rig_put(&rig, i, 40);
	before = rt_cpuring_oldest(&ring);
	for (; i < 2000; i++)
		rig_put(&rig, i, 40);
	after = rt_cpuring_oldest(&ring);
	rt_ring_flush(&rig.ring);
	rt_cpuring_drain(&ring);
	first = rt_cpuring_peek(&ring);
	ok(first && after <= first->time, "no record is older than the ring says");
	ok(before < after, "which forgets what was overwritten");
	rig_close(&rig);
	set_up(RT_MODE_DISCARD, 4);
	ok(rt_cpuring_oldest(&ring) == UINT64_MAX,
	   "a ring that is not overwritten has no such time");
	rig_close(&rig);
}

int main(void)
{
	oldest_time();
	pending_record();
	losses();
	stopped(false);
	stopped(true);
	return tap_done();
}
