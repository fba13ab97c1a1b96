// SPDX-License-Identifier: GPL-2.0
/* record_hurry.c - it is urgent if a ring fills so fast that it would be full soon. */
#include "tap.h"

#include <sys/resource.h>

#include "record/hurry.h"

#define MSEC 1000000ULL

static struct rt_ring_status status[2];
static struct rt_ring_control control[2];
static struct rt_cpuring rings[3]; /* the last CPU has no ring */
static struct rt_agent_session session = { .events = rings, .cpus = 3 };
static struct rt_hurry hurry;
static uint64_t time_now;

static void start(uint32_t subbufs, uint32_t watermark)
{
	int i;

	memset(rings, 0, sizeof(rings));
	hurry = (struct rt_hurry){ 0 };
	time_now = 1000000 * MSEC;
	for (i = 0; i < 2; i++) {
		status[i] = (struct rt_ring_status){ .subbufs = subbufs,
						     .watermark = watermark,
						     .head = subbufs };
		control[i].consumed = subbufs;
		rings[i].status = &status[i];
		rings[i].control = &control[i];
	}
	rt_hurry_urgent(&hurry, &session, time_now);
}

/* MS later the writers of CPU 1 have completed some sub-buffers and the reader has read some. */
static bool later(unsigned int ms, unsigned int completed, unsigned int consumed)
{
	time_now += ms * MSEC;
	status[1].head += completed;
	control[1].consumed += consumed;
	return rt_hurry_urgent(&hurry, &session, time_now);
}

static void test_small(void)
{
	start(16, 8);
	ok(!later(50, 0, 0), "nothing comes");
	ok(!later(50, 7, 0), "below the watermark");
	ok(later(3, 8, 7), "at the watermark after a short time");
	ok(!later(3, 0, 0), "nothing came since");
	ok(later(20, 7, 0), "a full ring");
	ok(!later(3, 1, 14), "the reader has caught up");
	ok(later(800, 7, 1), "at the watermark after a long time: all may have come just now");
}

static void test_large(void)
{
	start(256, 8);
	ok(!later(50, 8, 0), "a large ring has room for long");
	ok(later(3, 8, 8), "unless it fills very fast");
	ok(later(60, 192, 0), "three quarters full while the reader waited");
	ok(!later(50, 8, 0), "nearly full, but it fills slowly");
}

static void test_span(void)
{
	start(16, 8);
	ok(!later(0, 8, 0), "no time has passed: no rate is known");
	ok(later(3, 0, 0), "what came meanwhile counts later");
}

static void test_overwrite(void)
{
	start(16, 0);
	rings[1].overwrite = true;
	ok(!later(3, 15, 0), "a ring that overwrites is never urgent");
}

/* The priority is raised at once, and goes back a second after the last urgent moment. */
static void test_priority(void)
{
	const uint64_t t = 1000000 * MSEC;
	struct rt_hurry h = { 0 }, left = { .looked = true, .leave = true };

	ok(!rt_hurry_update(&left, true, t) && !left.priority,
	   "a priority that somebody else has set stays");
	if (!rt_hurry_update(&h, false, t)) {
		ok(h.leave, "this user may not raise it, and it is not tried again");
		return;
	}
	is_int(h.priority, -20, "it begins raised: nobody knows what will come");
	is_int(getpriority(PRIO_PROCESS, 0), -20, "really");
	ok(!rt_hurry_update(&h, false, t + 999 * MSEC), "and stays so for a second");
	ok(rt_hurry_update(&h, false, t + 1000 * MSEC), "then it changes");
	is_int(getpriority(PRIO_PROCESS, 0), 0, "back");
	ok(!rt_hurry_update(&h, false, t + 1100 * MSEC), "once");
	ok(rt_hurry_update(&h, true, t + 2000 * MSEC) && h.priority == -20, "urgent: raised again");
	ok(!rt_hurry_update(&h, true, t + 2800 * MSEC), "still urgent: nothing changes");
	ok(!rt_hurry_update(&h, false, t + 3700 * MSEC),
	   "and the second counts from the last time");
	ok(rt_hurry_update(&h, false, t + 3800 * MSEC) && !h.priority, "after which it goes back");
}

int main(void)
{
	test_priority();
	test_small();
	test_large();
	test_span();
	test_overwrite();
	return tap_done();
}
