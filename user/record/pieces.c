// SPDX-License-Identifier: GPL-2.0
#include "record/pieces.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "perfdata/raw.h"
#include "record/losses.h"
#include "record/order.h"

/* Sub-buffers of one CPU that are written in one go; then it is the next one's turn. */
enum { TURN = RT_WRITER_PIECES_MAX };

/* After so many the expander has written everything, and who reads that has seen it. */
enum { REST_ROUNDS = 3 };

#define SIDE_SLACK 1000000ULL	/* clocks of CPUs may differ by as much, in nanoseconds */
#define SIDE_TIME  100000000ULL /* for side-band records that come as fast as they are written */

static uint64_t clock_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

static bool overwrites(const struct rt_recording *r)
{
	return r->session.rings.mode == RT_MODE_OVERWRITE;
}

int rt_pieces_describe(struct rt_recording *r)
{
	const struct rt_recorded *event;
	int ret = 0;
	size_t i;

	for (i = 0; !ret && i < r->count; i++) {
		struct rt_raw_event e = {
			.hdr = { .type = RT_RAW_RECORD_EVENT, .size = sizeof(e) },
			.magic = RT_RAW_EVENT_MAGIC,
			.id = i + 1,
		};

		event = &r->events[i];
		e.event = event->file;
		e.carry = event->carry;
		e.address = event->address;
		if (event->spec->kind == RT_SPEC_COUNTER)
			e.flags |= RT_RAW_COUNTER;
		e.checksum = rt_raw_checksum(&e, sizeof(e));
		ret = rt_writer_record(r->writer, &e.hdr, 0);
	}
	return ret;
}

/* Losses in front of these pieces have their place in time, not in the file. */
static int tell_losses(struct rt_recording *r, uint32_t cpu, const struct rt_live_piece *p,
		       unsigned int count)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < count; i++)
		if (p[i].lossy)
			ret = rt_losses_tell(r, cpu, p[i].start, (const uint64_t *)p[i].lost);
	return ret;
}

/* Write side-band records that are older than a moment; all that were committed before this call. */
static int write_older_side(struct rt_recording *r, uint64_t until, int *written)
{
	int ret;

	do {
		ret = rt_order_side(r, until);
		*written += ret > 0 ? ret : 0;
	} while (ret > 0);
	return ret;
}

/* Write all side-band records, until none is left or the time is over. */
static int write_side(struct rt_recording *r, uint64_t deadline, int *written)
{
	int ret;

	do {
		ret = rt_order_side(r, UINT64_MAX);
		*written += ret > 0 ? ret : 0;
	} while (ret > 0 && clock_now() < deadline);
	return ret < 0 ? ret : 0;
}

/* As many sub-buffers as the file has room for, but one at least. */
static unsigned int turn_of(const struct rt_recording *r)
{
	int64_t left = rt_recording_left(r), fit = TURN;

	if (r->limit)
		fit = left > 0 ? left / r->session.rings.subbuf_bytes : 0;
	return fit < 1 ? 1 : fit < TURN ? fit : TURN;
}

/* Write a turn of one CPU; return the number of pieces or a negative errno, and count their events. */
static int write_turn(struct rt_recording *r, uint32_t cpu, bool open, int *written)
{
	struct rt_cpuring *ring = &r->session.events[cpu];
	struct rt_live_piece found[TURN];
	struct rt_writer_piece pieces[TURN];
	unsigned int count = rt_cpuring_find_pieces(ring, open, found, turn_of(r)), i;
	int ret;

	if (!count)
		return 0;
	for (i = 0; i < count; i++)
		pieces[i] = (struct rt_writer_piece){
			.subbuf = found[i].sub,
			.cpu = cpu,
			.from = found[i].from,
			.to = found[i].to,
			.seq = found[i].seq,
			.start = found[i].start,
			.last = found[i].last,
			.records = found[i].records,
		};
	/* What these events need of the side-band was committed before them.  So it is in the file if they are. */
	ret = write_older_side(r, found[count - 1].last + SIDE_SLACK, written);
	if (!ret)
		ret = tell_losses(r, cpu, found, count);
	if (!ret)
		ret = rt_writer_pieces(r->writer, pieces, count);
	if (ret)
		return ret;
	if (found[count - 1].last > r->newest)
		r->newest = found[count - 1].last;
	*written += ring->found;
	rt_cpuring_take_pieces(ring);
	return count;
}

int rt_pieces_sweep(struct rt_recording *r, uint64_t until)
{
	bool more, waits = false;
	int written = 0, ret;
	uint32_t cpu;

	do {
		more = false;
		for (cpu = 0; cpu < r->session.cpus; cpu++) {
			ret = write_turn(r, cpu, false, &written);
			if (ret < 0)
				return ret;
			more |= ret == TURN || (ret && (overwrites(r) || r->limit));
			/* Also a full file gets something: every one has some. */
			if (ret && rt_recording_left(r) <= 0)
				break;
		}
		ret = write_side(r, until, &written);
		if (ret)
			return ret;
	} while (more && rt_recording_left(r) > 0 && clock_now() < until);
	for (cpu = 0; !written && !waits && cpu < r->session.cpus; cpu++)
		waits = rt_cpuring_has_more(&r->session.events[cpu]);
	r->more = more;
	r->complete = more ? 0 : UINT64_MAX;
	return written ? written : waits;
}

/* Everything that is committed; records that come meanwhile have time until the next call. */
static int write_committed(struct rt_recording *r)
{
	uint32_t turns, cpu;
	int written = 0, ret = 0;

	for (cpu = 0; ret >= 0 && cpu < r->session.cpus; cpu++) {
		/* As many as the ring holds now; whoever fills it faster must wait for the next call. */
		turns = r->session.rings.subbufs / (r->limit ? 1 : TURN) + 2;
		do
			ret = write_turn(r, cpu, true, &written);
		while (ret > 0 && --turns && rt_recording_left(r) > 0);
	}
	return ret < 0 ? ret : write_side(r, clock_now() + SIDE_TIME, &written);
}

static int fail_write(struct rt_err *err, int code)
{
	return !code ? 0 : rt_err_set(err, -code, "cannot write: %s", strerror(-code));
}

int rt_pieces_settle(struct rt_recording *r, bool now, struct rt_err *err)
{
	uint64_t t = clock_now();
	int ret;

	if (!now && t - r->marked_at < RT_WRITER_CHECKPOINT)
		return 0;
	/* A full file will soon be followed by another one. */
	if (rt_recording_left(r) <= 0)
		return 0;
	r->marked_at = t;
	ret = rt_agent_session_map_new(&r->session, err);
	if (ret)
		return ret;
	ret = write_committed(r);
	if (rt_recording_left(r) <= 0)
		return fail_write(err, ret < 0 ? ret : 0);
	if (!ret)
		ret = rt_losses_look(r, r->newest);
	if (ret)
		return fail_write(err, ret);
	if (!rt_writer_due(r->writer))
		return 0;
	rt_writer_pending(r->writer, rt_agent_session_pending(&r->session));
	/*
	 * Of the rings in overwrite mode this says nothing: they hold events that are older than the
	 * side-band already written.
	 */
	ret = overwrites(r) ? rt_writer_settle(r->writer) : rt_writer_round(r->writer);
	/* The writer counts from here on as well. */
	r->marked_at = clock_now();
	return fail_write(err, ret);
}

int rt_pieces_rest(struct rt_recording *r, struct rt_err *err)
{
	int ret = 0, i;

	for (i = 0; !ret && i < REST_ROUNDS; i++)
		ret = rt_writer_round(r->writer);
	return fail_write(err, ret);
}
