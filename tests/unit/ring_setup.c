// SPDX-License-Identifier: GPL-2.0
/* ring_setup.c - the headers of a new ring; after the wipe nobody finds the ring any more. */
#include "ring_rig.h"

#define BYTES 8192U

static void wake(struct rt_ring *ring)
{
}

static void check_shape(u32 mode, u32 subbufs)
{
	u32 areas = subbufs + (mode == RT_MODE_OVERWRITE), i;
	struct rt_ring_status *status;
	u64 bad = 0, slots = 0;
	struct rig rig;

	rig_open_with(&rig, mode, subbufs, BYTES, 1, wake);
	status = rig.ring.status;
	is_int(rt_ring_status_bytes(mode, subbufs), (char *)&status->phys[areas] - (char *)status,
	       "the status has room for the address of each piece");
	ok(status->magic == RT_STATUS_MAGIC && status->abi_major == RT_ABI_MAJOR &&
		   status->abi_minor == RT_ABI_MINOR && status->cpu == 3 && status->mode == mode &&
		   status->subbuf_bytes == BYTES && status->subbufs == subbufs &&
		   status->watermark == 1,
	   "mode %u, %u sub-buffers: the status says its shape", mode, subbufs);
	is_int(status->areas, areas, "and how many pieces of memory there are");
	ok(!memcmp(status->session, rig_session, 16) && !memcmp(status->boot_id, rig_boot, 16),
	   "whose they are");
	is_int(status->head, subbufs - 1, "lap 0 is behind");
	is_int(rig.ring.control->consumed, subbufs, "and read");
	for (i = 0; i < areas; i++) {
		struct rt_subbuf *sub = rig.setup.area[i];

		bad += sub->magic != RT_SUBBUF_MAGIC || sub->abi_major != RT_ABI_MAJOR ||
		       sub->abi_minor != RT_ABI_MINOR || sub->cpu != 3 || sub->index != i ||
		       sub->bytes != BYTES || sub->subbufs != subbufs ||
		       sub->phys != status->phys[i] || sub->phys != rig.setup.phys[i] ||
		       sub->seq != RT_SEQ_NONE || sub->commit != BYTES ||
		       memcmp(sub->session, rig_session, 16) || memcmp(sub->boot_id, rig_boot, 16);
	}
	is_int(bad, 0, "every piece says what it is, the spare included, and holds nothing");
	for (i = 0; i < subbufs; i++)
		slots += rig.ring.slot[i] != rt_slot_make(i, i);
	is_int(slots, 0, "every slot has its piece");
	for (i = 0; i < 5 * areas; i++)
		rig_put(&rig, i, 3000);
	for (i = 0, bad = 0; i < areas; i++)
		bad += rig.setup.area[i]->index != i ||
		       rig.setup.area[i]->phys != status->phys[i] ||
		       rig.setup.area[i]->subbufs != subbufs;
	is_int(bad, 0, "which does not change with use");

	rt_ring_wipe(&rig.ring);
	for (i = 0, bad = 0; i < areas; i++)
		bad += rig.setup.area[i]->magic != 0;
	is_int(bad, 0, "wiped, no piece is to be found, the spare included");
	is_int(status->magic, 0, "nor the status");
	rig_close(&rig);
}

static void kind(void)
{
	struct rig rig;
	u64 bad = 0;
	u32 i;

	rig_open(&rig, RT_MODE_OVERWRITE, 4, BYTES);
	rig.setup.kind = RT_RING_SIDE;
	rt_ring_init(&rig.ring, &rig.setup);
	for (i = 0; i < 5; i++)
		bad += rig.setup.area[i]->ring != RT_RING_SIDE;
	ok(!bad && rig.ring.status->ring == RT_RING_SIDE, "a ring says what it is for");
	rig_close(&rig);
}

/* Each level has its own guard, whichever other levels enter or exit. */
static void guards(void)
{
	struct rig rig;
	u64 bad = 0;
	int a, b;

	rig_open(&rig, RT_MODE_DISCARD, 2, BYTES);
	for (a = 0; a < RT_LEVEL_COUNT; a++)
		for (b = 0; b < RT_LEVEL_COUNT; b++) {
			if (a == b)
				continue;
			bad += !rt_ring_enter(&rig.ring, a) || !rt_ring_enter(&rig.ring, b);
			rt_ring_exit(&rig.ring, b);
			bad += rt_ring_enter(&rig.ring, a);
			bad += !rt_ring_enter(&rig.ring, b);
			rt_ring_exit(&rig.ring, b);
			rt_ring_exit(&rig.ring, a);
			bad += rig.ring.busy[a] || rig.ring.busy[b];
		}
	ok(!bad, "contexts guard themselves, and nobody else");
	is_int(rig_lost(&rig, RT_LOST_RECURSION), RT_LEVEL_COUNT * (RT_LEVEL_COUNT - 1),
	       "each recursion is counted");
	rig_close(&rig);
}

int main(void)
{
	guards();
	kind();
	check_shape(RT_MODE_DISCARD, 2);
	check_shape(RT_MODE_DISCARD, 8);
	check_shape(RT_MODE_OVERWRITE, 2);
	check_shape(RT_MODE_OVERWRITE, 8);
	return tap_done();
}
