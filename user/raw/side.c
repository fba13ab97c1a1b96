// SPDX-License-Identifier: GPL-2.0
/* Records that are perf's already, the side-band, and losses: they wait until their time has come. */
#include "raw/internal.h"

#include <errno.h>
#include <string.h>

#include "record/losses.h"

/* Behind a record stand TID TIME CPU, and the id unless the file has none. */
struct trailer {
	int32_t pid, tid;
	uint64_t time;
	uint32_t cpu, reserved;
};

static struct trailer trailer_of(const struct rt_raw_expansion *x,
				 const struct rt_perf_record_header *hdr)
{
	bool ids = rt_reader_events(x->reader)->list[0]->attr.sample_type & RT_SAMPLE_IDENTIFIER;
	size_t size = sizeof(struct trailer) + (ids ? sizeof(uint64_t) : 0);
	struct trailer t;

	memcpy(&t, (const char *)hdr + hdr->size - size, sizeof(t));
	return t;
}

static int write_plain(struct rt_raw_expansion *x, const struct rt_perf_record_header *hdr,
		       uint64_t time)
{
	const struct rt_perf_record_task *task = (const void *)hdr;
	const struct rt_perf_record_comm *comm = (const void *)hdr;
	struct rt_recording *r = &x->recording;
	uint32_t cpu = trailer_of(x, hdr).cpu;
	int ret = 0;

	/* It may have come online after the header was written. */
	if (time && cpu < RT_CPUS_MAX)
		rt_writer_cpu(r->writer, cpu);
	/* Records of events have the thread only. */
	if (hdr->type == RT_PERF_RECORD_FORK)
		ret = rt_tasks_set(&r->tasks, task->tid, task->pid, time);
	else if (hdr->type == RT_PERF_RECORD_COMM)
		ret = rt_tasks_set(&r->tasks, comm->tid, comm->pid, time);
	return ret ? ret : rt_writer_record(r->writer, hdr, time);
}

int rt_raw_side_write(struct rt_raw_expansion *x, const struct rt_raw_wait *wait)
{
	const struct rt_perf_record_note *note = (const void *)wait->hdr;

	if (wait->hdr->type != RT_PERF_RECORD_HEADER_EVENT_TYPE)
		return write_plain(x, wait->hdr, wait->time);
	return rt_losses_tell(&x->recording, note->cpu, wait->time, note->lost);
}

static int wait_for(struct rt_raw_expansion *x, uint64_t time,
		    const struct rt_perf_record_header *hdr)
{
	if (time > x->newest)
		x->newest = time;
	return rt_raw_waiting_add(&x->waiting, time, hdr);
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
	return time ? wait_for(x, time, hdr) : write_plain(x, hdr, 0);
}

/*
 * Losses have the time at which the sub-buffer behind them began.  It may have held nothing but cancelled
 * records until now, long after that.
 */
int rt_raw_side_losses(struct rt_raw_expansion *x, const struct rt_perf_record_note *note)
{
	return wait_for(x, note->time > x->merged ? note->time : x->merged, &note->hdr);
}
