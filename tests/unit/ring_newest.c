// SPDX-License-Identifier: GPL-2.0
/*
 * ring_newest.c - the reader never takes the newest sub-buffer, even if it is full and complete:
 * writers need its last time when the clock steps back.
 */
#include "ring_rig.h"

#define BYTES 4096U
#define ROOM  (BYTES - (u32)sizeof(struct rt_subbuf))

static u64 last_time(const struct rt_subbuf *sub)
{
	struct rt_subbuf_reader r;
	struct rt_record rec;
	u64 time = 0;

	rt_subbuf_open(&r, sub, BYTES, NULL);
	while (rt_subbuf_next(&r, &rec))
		time = rec.time;
	return time;
}

int main(void)
{
	struct rt_subbuf *sub;
	struct rig rig;
	u32 left = ROOM;
	u64 time;

	rig_open(&rig, RT_MODE_OVERWRITE, 2, BYTES);
	for (; left > 48; left -= 24)
		rig_put(&rig, 1, 16);
	rig_put(&rig, 2, left - 8);
	is_int(RT_SUBBUF_COMMITTED(rig_sub(&rig, 2)->commit), BYTES, "full and complete");
	is_int(rig.ring.status->head, 2, "and the newest");
	time = last_time(rig_sub(&rig, 2));
	is_int(rt_ring_take(&rig.ring, &sub), -EAGAIN, "it is not given away");
	rig_now = 500;
	rig_put(&rig, 3, 16);
	ok(last_time(rig_sub(&rig, 3)) >= time, "a clock that steps back finds its last time");
	is_int(rt_ring_take(&rig.ring, &sub), 0, "then it is given");
	is_int(last_time(sub), time, "as it was");
	rig_close(&rig);
	return tap_done();
}
