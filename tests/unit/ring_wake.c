// SPDX-License-Identifier: GPL-2.0
/*
 * ring_wake.c - the reader is woken when it must be, never too early and never in vain, also when
 * an interrupt arrives at any of the marked points and writes a burst of records.
 */
#include "ring_rig.h"

#define BYTES 4096U

static struct rig rig;
static u64 wakes, in_vain; /* in vain: the woken reader finds nothing to read */
static bool asleep;

static void wake(struct rt_ring *ring)
{
	wakes++;
	in_vain += !rt_ring_ready(ring);
	if (rt_ring_ready(ring))
		asleep = false;
}

static void start(u32 mode, u32 subbufs, u32 watermark)
{
	rig_open_with(&rig, mode, subbufs, BYTES, watermark, wake);
	wakes = in_vain = 0;
	asleep = true;
}

/* Write N records of half a sub-buffer each. */
static void halves(u32 n)
{
	for (; n; n--)
		rig_put(&rig, n, (BYTES - sizeof(struct rt_subbuf)) / 2 - 8);
}

static void untouched(void)
{
	u32 mode;

	for (mode = RT_MODE_DISCARD; mode <= RT_MODE_OVERWRITE; mode++) {
		start(mode, 4, 1);
		ok(!rt_ring_ready(&rig.ring) && rt_ring_waiting(&rig.ring) < 1,
		   "mode %u: an untouched ring is not ready", mode);
		halves(2);
		ok(!rt_ring_ready(&rig.ring), "nor with its first sub-buffer full and open");
		is_int(wakes, 0, "nobody is woken");
		halves(1);
		is_int(wakes, 1, "the second one wakes the reader");
		is_int(rt_ring_waiting(&rig.ring), 1, "for the first");
		rig_close(&rig);
	}
}

static void exact(void)
{
	struct rt_subbuf *sub;
	u32 n;

	start(RT_MODE_DISCARD, 2, 1);
	halves(3);
	ok(wakes == 1 && !asleep, "two sub-buffers: the only wake-up finds the ring ready");
	rig_close(&rig);

	for (n = 2; n <= 16; n *= 2) {
		start(RT_MODE_DISCARD, n, n - 1);
		halves(2 * n - 2);
		ok(asleep && !rt_ring_ready(&rig.ring), "%u of %u: not before", n - 1, n);
		halves(2);
		ok(!asleep && !in_vain, "%u of %u: woken when the last one is begun", n - 1, n);
		halves(10);
		ok(rt_ring_ready(&rig.ring) && rig_lost(&rig, RT_LOST_FULL) == 10,
		   "and a full ring stays ready");
		rig.ring.control->consumed = n + n - 1;
		ok(!rt_ring_ready(&rig.ring), "read up to the open one, it is not");
		rig.ring.control->consumed = n + n;
		ok(!rt_ring_ready(&rig.ring), "nor read to the end of that");
		rig_close(&rig);
		is_int(rig_make(&rig, 0, RT_MODE_DISCARD, n, BYTES, n, wake), -EINVAL,
		       "a watermark of all %u is refused", n);
		rig_free(&rig);
	}

	start(RT_MODE_OVERWRITE, 4, 2);
	halves(5);
	ok(!asleep && wakes == 1, "overwrite mode: two wait");
	is_int(rt_ring_take(&rig.ring, &sub), 0, "one is taken");
	ok(!rt_ring_ready(&rig.ring), "then it is not ready");
	halves(40);
	ok(rt_ring_ready(&rig.ring), "having gone round, it is");
	while (!rt_ring_take(&rig.ring, &sub))
		;
	is_int(rt_ring_waiting(&rig.ring), 0, "when all were taken, none waits");
	rig_close(&rig);

	start(RT_MODE_OVERWRITE, 4, 0);
	halves(40);
	ok(!wakes && !rt_ring_ready(&rig.ring), "without a watermark nobody is ever woken");
	rig_close(&rig);
}

static void flushed(void)
{
	start(RT_MODE_DISCARD, 4, 1);
	halves(1);
	rt_ring_flush(&rig.ring);
	ok(wakes == 1 && !asleep, "what a flush closes wakes the reader");
	rt_ring_flush(&rig.ring);
	is_int(wakes, 1, "a second flush closes nothing");
	rig_close(&rig);
}

static u64 passed, strike;
static u32 burst;
static bool reads; /* the woken reader reads everything and sleeps again */

static void hook(int where)
{
	if (passed++ == strike)
		halves(burst);
}

static void wake_and_read(struct rt_ring *ring)
{
	wake(ring);
	if (!reads || asleep)
		return;
	ring->control->consumed = ring->status->head;
	asleep = true;
}

static void interrupted(u32 mode, u32 subbufs, u32 watermark, bool reading)
{
	u64 missed = 0, vain = 0, runs = 0, points = 1;

	reads = reading;
	for (burst = 1; burst <= 9; burst++)
		for (strike = 0, points = 1; strike < points; strike++) {
			start(mode, subbufs, watermark);
			rig.ring.wake = wake_and_read;
			rig_hook = hook;
			passed = 0;
			halves(6);
			rig_hook = NULL;
			points = passed;
			missed += asleep && rt_ring_ready(&rig.ring);
			vain += in_vain;
			runs++;
			rig_close(&rig);
		}
	ok(runs > 100 && !missed && !vain,
	   "mode %u, %u sub-buffers, watermark %u%s, interrupted at every point: %llu runs, %llu asleep, %llu in vain",
	   mode, subbufs, watermark, reading ? ", read" : "", (unsigned long long)runs,
	   (unsigned long long)missed, (unsigned long long)vain);
}

int main(void)
{
	u32 watermark;

	untouched();
	exact();
	flushed();
	interrupted(RT_MODE_DISCARD, 2, 1, false);
	interrupted(RT_MODE_DISCARD, 2, 1, true);
	for (watermark = 1; watermark < 4; watermark++) {
		interrupted(RT_MODE_DISCARD, 4, watermark, false);
		interrupted(RT_MODE_DISCARD, 4, watermark, true);
		interrupted(RT_MODE_OVERWRITE, 4, watermark, false);
	}
	return tap_done();
}
