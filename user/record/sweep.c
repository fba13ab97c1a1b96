// SPDX-License-Identifier: GPL-2.0
/* A running recording: from arming everything to reading the counts at its end. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/progress.h"
#include "perfdata/write/synth.h"
#include "record/expand.h"
#include "record/lanes.h"
#include "record/later.h"
#include "record/left_out.h"
#include "record/losses.h"
#include "record/order.h"
#include "record/pieces.h"
#include "record/recording.h"

#define MSEC	    1000000ULL
#define SWEEP_TIME  (10 * MSEC)	   /* per sweep; then the caller checks signals, time and command */
#define LOOK_EVERY  64		   /* records between two checks of the time */
#define MARK_TIME   (100 * MSEC)   /* between two round records in the file */
#define DUMP_TIME   (1000 * MSEC)  /* longest wait for an uncommitted record in a dump */
#define COMMIT_TIME (10000 * MSEC) /* assumed: a record is committed within this time */

/* A reader of a pipe has seen everything written so far after this many round records. */
enum { LAST_MARKS = 2, START_SWEEPS = 100 };

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

static bool overwrites(const struct rt_recording *r)
{
	return r->session.rings.mode == RT_MODE_OVERWRITE;
}

static int fail_write(struct rt_err *err, int code)
{
	return !code ? 0 : rt_err_set(err, -code, "cannot write: %s", strerror(-code));
}

static bool any_globbed(const struct rt_event_list *list)
{
	size_t i;

	for (i = 0; i < list->count; i++)
		if (list->specs[i].globbed)
			return true;
	return false;
}

int rt_recording_arm(struct rt_recording *r, struct rt_err *err)
{
	bool lenient = !r->strict && any_globbed(r->list);
	struct rt_progress progress;
	int ret;

	rt_progress_announce(&progress, r->messages, "arming events", r->count);
	/* A signal ends the call; only some signals end the recording. */
	do
		ret = rt_agent_session_arm(&r->session, lenient, err);
	while (ret == -EINTR && !(r->interrupted && r->interrupted()));
	rt_progress_end(&progress);
	if (ret == -EINTR)
		return rt_err_set(err, EINTR, "ended before it had begun; nothing was recorded");
	if (ret && r->session.refused && r->session.refused <= r->count)
		return rt_err_prefix(err, ret, "'%s'",
				     r->events[r->session.refused - 1].spec->text);
	return !ret && r->session.left_out ? rt_left_out_take(r, err) : ret;
}

int rt_recording_start(struct rt_recording *r, pid_t workload, bool held, struct rt_err *err)
{
	int ret, i;

	/*
	 * From here on the module reports every new task; the code below lists the existing ones.
	 * With thousands of tasks that takes seconds, and no event is recorded during that time.
	 */
	ret = rt_recording_arm(r, err);
	if (!ret)
		ret = rt_later_take(r, err);
	if (!ret)
		ret = rt_writer_begin(r->writer, err);
	if (!ret && r->raw)
		ret = fail_write(err, rt_pieces_describe(r));
	if (ret)
		return ret;
	/* Tracepoints of modules are added to the file while it is written: by one thread. */
	if (!r->file.room && !r->raw)
		r->lanes = rt_lanes_new(r, r->threads);
	ret = rt_synth_kernel(r->writer, err);
	if (!ret)
		ret = rt_synth_tasks(r->writer, workload, err);
	if (!ret && rt_tasks_census(&r->tasks))
		ret = rt_err_set(err, ENOMEM, "cannot list the running tasks");
	/*
	 * Write what the side-band reported meanwhile.  The limit ends this if records come in
	 * faster.
	 */
	for (i = 0; !ret && i < START_SWEEPS && (!i || r->more); i++) {
		ret = rt_recording_sweep(r, err);
		if (ret < 0)
			return ret;
		ret = 0;
	}
	return ret || held ? ret : rt_agent_session_start(&r->session, workload, err);
}

int rt_recording_publish(struct rt_recording *r, struct rt_err *err)
{
	int ret = rt_writer_publish(r->writer, err);

	r->began = !ret;
	return ret;
}

/* --- reading --------------------------------------------------------------------- */

/*
 * Write a round record: readers then release everything older than the newest record of the
 * previous round.  Write it at most once per MARK_TIME, so that a record that is not committed yet
 * has twice that time to appear, and only if records were written.
 */
static int mark(struct rt_recording *r, int written, struct rt_err *err)
{
	uint64_t t = now();
	int ret;

	if (written)
		r->marks_due = LAST_MARKS;
	if (t - r->marked_at < MARK_TIME)
		return 0;
	r->marked_at = t;
	/*
	 * Map new rings before the mark: a ring that appears later holds no record older than it.
	 */
	ret = rt_agent_session_map_new(&r->session, err);
	if (ret)
		return ret;
	/*
	 * In overwrite mode the rings still hold events older than the side-band already written.
	 */
	if (overwrites(r) || !r->marks_due || r->complete < r->marked)
		return 0;
	r->marks_due--;
	r->marked = r->newest > r->side_newest ? r->newest : r->side_newest;
	return fail_write(err, rt_writer_round(r->writer));
}

/* At least once a second, under any load, make everything recorded readable from the file. */
static int settle(struct rt_recording *r, struct rt_err *err)
{
	int ret;

	if (!rt_writer_due(r->writer))
		return 0;
	ret = rt_losses_look(r, r->newest);
	if (ret)
		return fail_write(err, ret);
	rt_writer_pending(r->writer, rt_agent_session_pending(&r->session));
	return fail_write(err, rt_writer_settle(r->writer));
}

int64_t rt_recording_left(const struct rt_recording *r)
{
	return r->limit ? (int64_t)(r->limit - rt_writer_stats(r->writer)->bytes) : INT64_MAX;
}

/* Write in the order of time, until the rings are empty or the time is over. */
static int sweep_in_order(struct rt_recording *r, uint64_t until)
{
	int written = 0, since = 0, ret;

	for (;;) {
		ret = rt_order_write(r);
		if (ret < 0)
			return ret;
		if (!ret)
			break;
		written += ret;
		since += ret;
		if (since < LOOK_EVERY && rt_recording_left(r) > 0)
			continue;
		if (rt_recording_left(r) <= 0 || now() >= until) {
			r->complete = r->reached;
			return written;
		}
		since = 0;
	}
	r->more = false;
	r->complete = UINT64_MAX;
	return written;
}

/* Forget the processes that threads had before the oldest event that is not written. */
static void forget_tasks(struct rt_recording *r)
{
	uint64_t until = r->newest > r->side_newest ? r->newest : r->side_newest, oldest;
	uint32_t cpu;

	if (!rt_tasks_crowded(&r->tasks))
		return;
	if (r->complete < until)
		until = r->complete;
	until = until > COMMIT_TIME ? until - COMMIT_TIME : 0;
	for (cpu = 0; cpu < r->session.cpus; cpu++) {
		oldest = rt_cpuring_oldest(&r->session.events[cpu]);
		if (oldest < until)
			until = oldest;
	}
	rt_tasks_forget_before(&r->tasks, until);
}

int rt_recording_sweep(struct rt_recording *r, struct rt_err *err)
{
	uint64_t until = now() + SWEEP_TIME;
	int written, ret;

	r->more = true;
	/* First: a sweep that began at a low priority may have to wait in its middle until a ring is full. */
	rt_lanes_hurry(r);
	if (r->raw) {
		written = rt_pieces_sweep(r, until);
		ret = written < 0 ? fail_write(err, written) : rt_pieces_settle(r, false, err);
		return ret ? ret : written;
	}
	/* A full file gets a few records all the same: every one has some. */
	written = rt_recording_left(r) > 0 && rt_lanes_wanted(r->lanes, r) ?
			  rt_lanes_sweep(r->lanes, r) :
			  0;
	/* Also if a record that is not committed keeps the others back. */
	if (!written)
		written = sweep_in_order(r, until);
	if (written < 0)
		return fail_write(err, written);
	forget_tasks(r);
	ret = mark(r, written, err);
	if (!ret)
		ret = settle(r, err);
	return ret ? ret : written;
}

/* --- dumps and the end ----------------------------------------------------------- */

int rt_recording_dump(struct rt_recording *r, struct rt_err *err)
{
	uint64_t patience = 0;
	int total = 0, ret;

	ret = rt_agent_session_map_new(&r->session, err);
	if (!ret)
		ret = rt_agent_session_drain(&r->session, err);
	if (ret)
		return ret;
	for (;;) {
		ret = rt_recording_sweep(r, err);
		if (ret < 0)
			return ret;
		total += ret;
		if (ret || !patience)
			patience = now() + DUMP_TIME;
		if (r->more)
			continue;
		/* An uncommitted record delays those behind it for a moment; wait for it. */
		if (!rt_agent_session_draining(&r->session) || now() >= patience)
			break;
		usleep(1000);
	}
	/* What is still uncommitted goes into the next dump. */
	rt_agent_session_drain_end(&r->session);
	ret = rt_writer_round(r->writer);
	return ret ? fail_write(err, ret) : total;
}

/* The number of events that the present file ought to hold. */
static uint64_t events_due(const struct rt_recording *r)
{
	uint64_t due = rt_agent_session_pending(&r->session);
	uint32_t cpu;

	for (cpu = 0; cpu < r->session.cpus; cpu++)
		due += r->session.events[cpu].read;
	return due - r->samples_before;
}

/* Write everything that the rings hold. */
static int sweep_all(struct rt_recording *r, struct rt_err *err)
{
	uint64_t total = rt_agent_session_pending(&r->session), done = 0, limit;
	struct rt_progress progress;
	int ret;

	rt_progress_start(&progress, r->messages, "writing", total);
	do {
		ret = rt_recording_sweep(r, err);
		done += ret > 0 ? ret : 0;
		rt_progress_update(&progress, done);
		if (ret > 0 && r->more && r->on_full && rt_recording_left(r) <= 0 &&
		    r->on_full(r, err))
			ret = -1;
	} while (ret > 0 && r->more);
	rt_progress_end(&progress);
	/* What is left is at most the open sub-buffer of each CPU. */
	limit = r->limit;
	r->limit = 0;
	if (ret >= 0 && r->raw)
		ret = rt_pieces_settle(r, true, err);
	r->limit = limit;
	return ret < 0 ? ret : 0;
}

static void end_lanes(struct rt_recording *r)
{
	if (r->lanes)
		r->writers = rt_lanes_writers(r->lanes);
	rt_lanes_free(r->lanes);
	r->lanes = NULL;
}

int rt_recording_stop(struct rt_recording *r, struct rt_err *err)
{
	struct rt_progress progress;
	int ret;

	/* --max-size only: this is the last file. */
	if (!r->on_full)
		r->limit = 0;
	rt_agent_session_stop(&r->session);
	/* Disarming forgets them. */
	ret = rt_later_take(r, err);
	rt_progress_announce(&progress, r->messages, "disarming events", r->count);
	if (!ret)
		ret = rt_agent_session_disable(&r->session, err);
	rt_progress_end(&progress);
	/* A CPU may have come online since the last check. */
	if (!ret)
		ret = rt_agent_session_map_new(&r->session, err);
	if (ret < 0) {
		end_lanes(r);
		return ret;
	}
	ret = overwrites(r) ? rt_recording_dump(r, err) : sweep_all(r, err);
	end_lanes(r);
	rt_writer_total(r->writer, events_due(r));
	return ret < 0 ? ret : rt_losses_end(r, now(), err);
}

int rt_recording_pause(struct rt_recording *r, struct rt_err *err)
{
	int ret;

	rt_agent_session_stop(&r->session);
	ret = rt_agent_session_disable(&r->session, err);
	if (!ret)
		ret = rt_agent_session_map_new(&r->session, err);
	/* In overwrite mode the rings keep what they hold. */
	if (ret < 0 || overwrites(r))
		return ret;
	ret = sweep_all(r, err);
	return !ret && r->raw ? rt_pieces_rest(r, err) : ret;
}

int rt_recording_resume(struct rt_recording *r, struct rt_err *err)
{
	int ret = rt_recording_arm(r, err);

	/* The side-band was off as well: list the tasks of now again. */
	if (!ret)
		ret = rt_synth_tasks(r->writer, 0, err);
	if (!ret && rt_tasks_census(&r->tasks))
		ret = rt_err_set(err, ENOMEM, "cannot list the running tasks");
	return ret ? ret : rt_agent_session_start(&r->session, 0, err);
}

uint64_t rt_recording_give_up(struct rt_recording *r)
{
	struct rt_err ignored;

	end_lanes(r);
	rt_agent_session_stop(&r->session);
	rt_agent_session_disable(&r->session, &ignored);
	if (!r->writer)
		return events_due(r);
	rt_writer_total(r->writer, events_due(r));
	return 0;
}
