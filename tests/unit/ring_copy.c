// SPDX-License-Identifier: GPL-2.0
/*
 * ring_copy.c - a copy never leaves its buffer, whatever the heads of a sub-buffer that writers lap
 * say.  The buffer has exactly the size of a sub-buffer, so the address sanitizer sees each byte behind.
 */
#include <unistd.h>

#include "ring_rig.h"

#define BYTES	4096U
#define PAYLOAD 40U

static struct rig rig;

/* A later lap: what a writer puts over the head of a record, once the copy has passed it. */
static struct {
	u32 *at, head;
	int left; /* points of the walk before it happens */
} lap;

static void write_over(int where)
{
	if (lap.at && where == RT_AT_WALKED && !lap.left--)
		*lap.at = lap.head;
}

/* The newest sub-buffer as a copy shows it. */
static u8 *copy(u64 *seq)
{
	u8 *to = malloc(BYTES);
	u64 oldest;

	memset(to, 0xee, BYTES);
	rt_ring_span(&rig.ring, &oldest, seq);
	if (rt_ring_copy(&rig.ring, *seq, to))
		memset(to, 0, BYTES);
	return to;
}

/* Every size that a head can hold, committed, as the second record of three. */
static void any_size(void)
{
	u32 *second, was, size, room, wrong = 0, over = 0;
	struct rt_subbuf *sub;
	u64 seq;
	u8 *to;

	rig_open(&rig, RT_MODE_OVERWRITE, 4, BYTES);
	rig_put(&rig, 1, PAYLOAD);
	second = rt_ring_reserve(&rig.ring, 2, PAYLOAD);
	rig_fill(rt_record_payload(second), 2, PAYLOAD);
	rt_ring_commit(&rig.ring, second);
	rig_put(&rig, 3, PAYLOAD);
	was = *second;
	room = BYTES - (u32)((u8 *)second - (u8 *)rig_sub(&rig, 4));
	for (size = 0; size <= RT_RECORD_SIZE; size += 4) {
		*second = (was & ~RT_RECORD_SIZE) | size;
		to = copy(&seq);
		sub = (struct rt_subbuf *)to;
		over += RT_SUBBUF_COMMITTED(sub->commit) > BYTES;
		/* A copy ends in front of a size that is none, and of one that does not fit. */
		if (!size || size > room)
			wrong += RT_SUBBUF_RECORDS(sub->commit) != 1;
		free(to);
	}
	is_int(over, 0, "no copy claims more bytes than a sub-buffer has");
	is_int(wrong, 0, "a copy ends in front of a head that it cannot believe");
	*second = was;
	rig_close(&rig);
}

/*
 * A record is pending when the walk passes it, and a writer of the next lap has put the head of a
 * longer one there when the copy looks again.
 */
static void grown(void)
{
	u32 *second, size, room, spoilt = 0, copied = 0, runs = 0;
	struct rt_subbuf_reader r;
	struct rt_record rec;
	u64 seq, first, last;
	u8 *to;

	rig_open(&rig, RT_MODE_OVERWRITE, 4, BYTES);
	rig_put(&rig, 1, PAYLOAD);
	second = rt_ring_reserve(&rig.ring, 2, PAYLOAD);
	rig_put(&rig, 3, PAYLOAD);
	lap.head = *second;
	room = BYTES - (u32)((u8 *)second - (u8 *)rig_sub(&rig, 4));
	for (size = (*second & RT_RECORD_SIZE) + 4; size <= RT_RECORD_SIZE; size += 4) {
		u32 was = *second;

		lap.at = second;
		lap.left = 2; /* the walk has seen this record and stands at the third */
		lap.head = (was & ~(RT_RECORD_SIZE | RT_RECORD_STATE)) | RT_RECORD_COMMITTED | size;
		rig_hook = write_over;
		to = copy(&seq);
		rig_hook = NULL;
		runs += lap.left < 0;
		first = last = 0;
		rt_subbuf_open(&r, (struct rt_subbuf *)to, BYTES, NULL);
		while (rt_subbuf_next(&r, &rec)) {
			last = rig_check(rec.payload, PAYLOAD, rec.bytes);
			first = first ? first : last;
		}
		spoilt += first != 1 || last != 3 || r.damaged;
		copied += RT_SUBBUF_RECORDS(r.head->commit) != 2;
		free(to);
		*second = was;
	}
	ok(room < RT_RECORD_SIZE, "sizes within the sub-buffer and beyond it");
	is_int(runs, (RT_RECORD_SIZE - (*second & RT_RECORD_SIZE)) / 4,
	       "the head has changed behind the walk, each time");
	is_int(spoilt, 0, "the records around it are whole");
	is_int(copied, 0, "and it is not counted as copied");
	rt_ring_commit(&rig.ring, second);
	rig_close(&rig);
}

int main(void)
{
	/* A copy that believed such a head could go round without passing a point. */
	alarm(60);
	any_size();
	grown();
	return tap_done();
}
