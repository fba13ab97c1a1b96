// SPDX-License-Identifier: GPL-2.0
/* Records that are perf's already, the side-band, and losses: they wait until their time has come. */
#include "raw/internal.h"

#include <errno.h>
#include <string.h>

#include "record/losses.h"

/* So far away from all others is a time that is damaged, where no note tells it exactly; in ns. */
#define STRAY 60000000000ULL

/* More are left as they are: each takes a look at all records that wait. */
enum { MENDED_MAX = 1000 };

/* Behind a record stand TID TIME CPU, and the id unless the file has none. */
struct trailer {
	int32_t pid, tid;
	uint64_t time;
	uint32_t cpu, reserved;
};

static size_t trailer_at(const struct rt_raw_expansion *x, const struct rt_perf_record_header *hdr)
{
	bool ids = rt_reader_events(x->reader)->list[0]->attr.sample_type & RT_SAMPLE_IDENTIFIER;

	return hdr->size - sizeof(struct trailer) - (ids ? sizeof(uint64_t) : 0);
}

static struct trailer trailer_of(const struct rt_raw_expansion *x,
				 const struct rt_perf_record_header *hdr)
{
	struct trailer t;

	memcpy(&t, (const char *)hdr + trailer_at(x, hdr), sizeof(t));
	return t;
}

/* Write a record with another time than it has. */
static int write_mended(struct rt_raw_expansion *x, const struct rt_perf_record_header *hdr,
			uint64_t time)
{
	uint64_t copy[UINT16_MAX / sizeof(uint64_t) + 1];
	size_t at = trailer_at(x, hdr) + offsetof(struct trailer, time);

	memcpy(copy, hdr, hdr->size);
	memcpy((char *)copy + at, &time, sizeof(time));
	return rt_writer_record(x->recording.writer, (const void *)copy, time);
}

static int write_plain(struct rt_raw_expansion *x, const struct rt_perf_record_header *hdr,
		       uint64_t time)
{
	const struct rt_perf_record_task *task = (const void *)hdr;
	const struct rt_perf_record_comm *comm = (const void *)hdr;
	struct rt_recording *r = &x->recording;
	struct trailer t = trailer_of(x, hdr);
	int ret = 0;

	/* It may have come online after the header was written. */
	if (time && t.cpu < RT_CPUS_MAX)
		rt_writer_cpu(r->writer, t.cpu);
	/* Records of events have the thread only. */
	if (hdr->type == RT_PERF_RECORD_FORK)
		ret = rt_tasks_set(&r->tasks, task->tid, task->pid, time);
	else if (hdr->type == RT_PERF_RECORD_COMM)
		ret = rt_tasks_set(&r->tasks, comm->tid, comm->pid, time);
	if (ret)
		return ret;
	return t.time == time ? rt_writer_record(r->writer, hdr, time) : write_mended(x, hdr, time);
}

int rt_raw_side_write(struct rt_raw_expansion *x, const struct rt_raw_wait *wait)
{
	const struct rt_perf_record_note *note = (const void *)wait->hdr;

	if (wait->hdr->type != RT_PERF_RECORD_HEADER_EVENT_TYPE)
		return write_plain(x, wait->hdr, wait->time);
	return rt_losses_tell(&x->recording, note->cpu, wait->time, note->lost);
}

static void count_damage(struct rt_raw_expansion *x, const struct rt_perf_record_header *hdr)
{
	rt_raw_walk_damage(&x->walk, (const uint8_t *)hdr - x->walk.map, 0);
}

static int wait_for(struct rt_raw_expansion *x, uint64_t time,
		    const struct rt_perf_record_header *hdr)
{
	const struct rt_raw_wait one = { .time = time, .before = x->newest, .hdr = hdr };

	if (time > x->side_newest)
		x->side_newest = time;
	x->fresh = true;
	return rt_raw_waiting_add(&x->waiting, &one);
}

/*
 * A thread that ended while the tasks were listed, as at the beginning of the next file of
 * --switch-output: only its end says which process it belonged to.
 */
static int learn_process(struct rt_raw_expansion *x, const struct rt_perf_record_task *task)
{
	struct rt_tasks *tasks = &x->recording.tasks;

	return rt_tasks_known(tasks, task->tid) ? 0 : rt_tasks_set(tasks, task->tid, task->pid, 0);
}

int rt_raw_side_take(struct rt_raw_expansion *x, const struct rt_perf_record_header *hdr)
{
	uint64_t time = trailer_of(x, hdr).time;

	if (hdr->type == RT_PERF_RECORD_EXIT && learn_process(x, (const void *)hdr))
		return -ENOMEM;
	/* What existed before the recording has no time, and comes first. */
	if (!time)
		return write_plain(x, hdr, 0);
	/* A record may be committed late, but not by so much. */
	if (time < x->merged && x->merged - time > STRAY) {
		count_damage(x, hdr);
		time = x->newest;
	}
	return wait_for(x, time, hdr);
}

/*
 * Losses have the time at which the sub-buffer behind them began.  It may have held nothing but cancelled
 * records until now, long after that.
 */
int rt_raw_side_losses(struct rt_raw_expansion *x, const struct rt_perf_record_note *note)
{
	return wait_for(x, note->time > x->merged ? note->time : x->merged, &note->hdr);
}

static void mend_times(struct rt_raw_expansion *x, uint64_t limit)
{
	struct rt_raw_wait *one = x->waiting.heap, *end = one + x->waiting.count;

	x->side_newest = 0;
	for (; one < end; one++) {
		if (one->time > limit && x->mended++ < MENDED_MAX) {
			count_damage(x, one->hdr);
			one->time = one->before > x->merged ? one->before : x->merged;
		}
		if (one->time > x->side_newest)
			x->side_newest = one->time;
	}
	rt_raw_waiting_sort(&x->waiting);
}

/* No record that was read is later than LIMIT. */
static void bound(struct rt_raw_expansion *x, uint64_t limit)
{
	uint64_t latest;

	if (x->side_newest > limit && x->mended < MENDED_MAX)
		mend_times(x, limit);
	latest = x->side_newest < limit ? x->side_newest : limit;
	if (latest > x->newest)
		x->newest = latest;
}

void rt_raw_side_note(struct rt_raw_expansion *x, const struct rt_perf_record_note *note)
{
	/* Its own time may be wrong; the times of pieces have a checksum. */
	if (note->time >= x->newest)
		bound(x, note->time);
}

void rt_raw_side_rest(struct rt_raw_expansion *x)
{
	/* Without any other time there is nothing to compare with. */
	bound(x, x->newest && x->newest < UINT64_MAX - STRAY ? x->newest + STRAY : UINT64_MAX);
}
