// SPDX-License-Identifier: GPL-2.0
/* record_expand.c - invalid records in the rings are left out and counted. */
#include "tap.h"

#include <string.h>

#include "record/expand.h"

int main(void)
{
	struct rt_event_spec spec = { .kind = RT_SPEC_KPROBE };
	struct rt_recorded event = { .spec = &spec, .carry = RT_CARRY_STACK };
	struct rt_recording r = { .events = &event, .count = 1 };
	uint32_t payload[8] = { 0 };
	struct rt_record rec = { .payload = payload, .bytes = 4 };

	rec.id = 2;
	is_int(rt_expand_event(&r, &rec, 0), 0, "an event that was never added");
	is_int(r.skipped, 1, "is counted");
	rec.id = 1;
	is_int(rt_expand_event(&r, &rec, 0), 0, "a record without the stack it must have");
	is_int(r.skipped, 2, "is counted");
	rec.bytes = 0;
	is_int(rt_expand_event(&r, &rec, 0), 0, "an empty one");
	is_int(r.skipped, 3, "is counted");
	event.carry = RT_CARRY_ADDRESS;
	rec.bytes = 8;
	is_int(rt_expand_event(&r, &rec, 0), 0, "one with half of its address");
	is_int(r.skipped, 4, "is counted");

	rec.id = RT_SIDE_FORK;
	rec.bytes = sizeof(struct rt_side);
	is_int(rt_expand_side(&r, &rec, 0), 0, "half a fork");
	rec.id = 77;
	is_int(rt_expand_side(&r, &rec, 0), 0, "something unheard of");
	is_int(r.side_skipped, 2, "are counted apart");
	return tap_done();
}
