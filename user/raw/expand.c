// SPDX-License-Identifier: GPL-2.0
#include "raw/expand.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/progress.h"
#include "raw/internal.h"
#include "record/order.h"

/* So many rounds in a row that bring nothing are of use: a reader has then handed out everything. */
enum { IDLE_ROUNDS = 2 };

/* --- pieces ------------------------------------------------------------------------ */

static int grow(struct rt_raw_expansion *x, uint32_t cpus)
{
	struct rt_agent_session *s = &x->recording.session;
	struct rt_raw_stream **streams;
	struct rt_cpuring *rings;
	uint32_t cpu;

	streams = realloc(x->streams, cpus * sizeof(*streams));
	if (streams)
		x->streams = streams;
	rings = realloc(s->events, cpus * sizeof(*rings));
	if (rings)
		s->events = rings;
	if (!streams || !rings)
		return -ENOMEM;
	for (cpu = s->cpus; cpu < cpus; cpu++) {
		streams[cpu] = NULL;
		memset(&rings[cpu], 0, sizeof(rings[cpu]));
	}
	s->cpus = cpus;
	return 0;
}

static int take_piece(struct rt_raw_expansion *x, const struct rt_raw_item *item)
{
	const struct rt_raw_piece *p = (const void *)item->hdr;
	struct rt_agent_session *s = &x->recording.session;

	if (p->cpu >= s->cpus && grow(x, p->cpu + 1))
		return -ENOMEM;
	if (!x->streams[p->cpu]) {
		x->streams[p->cpu] = malloc(sizeof(**x->streams));
		if (!x->streams[p->cpu])
			return -ENOMEM;
		rt_raw_stream_begin(x->streams[p->cpu], &s->events[p->cpu], &x->walk, &x->merged);
	}
	x->records += p->records;
	if (p->last > x->newest)
		x->newest = p->last;
	x->fresh = true;
	return rt_raw_stream_add(x->streams[p->cpu], item);
}

/* --- in the order of time ---------------------------------------------------------- */

/* Write everything that was read and is not later than UNTIL. */
static int merge(struct rt_raw_expansion *x, uint64_t until)
{
	struct rt_recording *r = &x->recording;
	const struct rt_raw_wait *wait;
	struct rt_order_front front;
	uint64_t end = until == UINT64_MAX ? until : until + 1, next;
	int written = 0, ret = 0;
	uint32_t cpu;

	for (cpu = 0; cpu < r->session.cpus; cpu++)
		rt_cpuring_look(&r->session.events[cpu]);
	while (!ret) {
		front = rt_order_oldest(r->session.events, r->session.cpus);
		wait = rt_raw_waiting_first(&x->waiting);
		/* Side-band records come first among equals: every sample finds its task. */
		if (wait && wait->time <= front.time) {
			if (wait->time > until)
				break;
			ret = rt_raw_side_write(x, wait);
			rt_raw_waiting_take(&x->waiting);
			continue;
		}
		if (!front.ring || front.time > until)
			break;
		next = wait && wait->time < front.next ? wait->time : front.next;
		ret = rt_order_run(r, front.ring, next < end ? next : end, &written);
		rt_cpuring_look(front.ring);
	}
	rt_tasks_forget_before(&r->tasks, end);
	return ret;
}

/* Everything up to the newest record before the last round has been read by now. */
static int end_round(struct rt_raw_expansion *x)
{
	int ret;

	/* A damaged file may have no end of them, and each looks at all CPUs. */
	x->idle = x->fresh ? 0 : x->idle + 1;
	x->fresh = false;
	if (x->idle > IDLE_ROUNDS)
		return 0;
	/* Nothing was read since the round before: all of it is complete, whatever its time. */
	if (x->idle) {
		rt_raw_side_rest(x);
		x->ordered = x->newest;
	}
	ret = merge(x, x->ordered);
	x->merged = x->ordered;
	x->ordered = x->newest;
	return ret ? ret : rt_writer_round(x->recording.writer);
}

static int take_lost_samples(struct rt_raw_expansion *x, const struct rt_perf_record_header *hdr)
{
	const struct rt_perf_record_lost_samples *lost = (const void *)hdr;
	const struct rt_perf_events *events = rt_reader_events(x->reader);
	uint64_t id;
	size_t i;

	memcpy(&id, (const char *)hdr + hdr->size - sizeof(id), sizeof(id));
	for (i = 0; i < events->count; i++)
		if (events->count == 1 ||
		    (events->list[i]->ids_count && events->list[i]->ids[0] == id))
			return rt_writer_lost_sum(x->recording.writer, i, lost->lost);
	return 0;
}

static int take_off(struct rt_raw_expansion *x, const struct rt_perf_record_note *note)
{
	struct rt_writer_stamp at = { .time = note->time, .cpu = note->cpu };
	uint64_t event = note->lost[RT_NOTE_OFF_EVENT];

	/* A damaged file may name an event that it does not have. */
	if (event >= rt_reader_events(x->reader)->count)
		return 0;
	return rt_writer_off(x->recording.writer, &at, event, note->lost[RT_NOTE_OFF_NS],
			     note->lost[RT_NOTE_OFF_TIMES]);
}

static int take(struct rt_raw_expansion *x, const struct rt_raw_item *item)
{
	const struct rt_perf_record_note *note = (const void *)item->hdr;

	switch (item->hdr->type) {
	case RT_RAW_RECORD_EVENT:
		return rt_raw_frame_event(x, (const void *)item->hdr) == -ENOMEM ? -ENOMEM : 0;
	case RT_RAW_RECORD_PIECE:
		return take_piece(x, item);
	case RT_PERF_RECORD_FINISHED_ROUND:
		return end_round(x);
	case RT_PERF_RECORD_HEADER_EVENT_TYPE:
		if (!rt_note_is(item->hdr))
			return 0;
		if (note->kind == RT_NOTE_LOST)
			return rt_raw_side_losses(x, note);
		if (note->kind == RT_NOTE_OFF)
			return take_off(x, note);
		rt_raw_side_note(x, note);
		return 0;
	case RT_PERF_RECORD_LOST: /* its note says more */
		return 0;
	case RT_PERF_RECORD_LOST_SAMPLES:
		return take_lost_samples(x, item->hdr);
	default:
		return rt_raw_side_take(x, item->hdr);
	}
}

static int write_records(struct rt_raw_expansion *x, FILE *messages, struct rt_err *err)
{
	struct rt_progress progress;
	struct rt_raw_item item;
	int ret = 0;

	rt_progress_start(&progress, messages, "expanding", x->walk.size);
	while (!ret && rt_raw_walk_next(&x->walk, &item)) {
		ret = take(x, &item);
		rt_progress_update(&progress, x->walk.at);
	}
	if (!ret) {
		rt_raw_side_rest(x);
		ret = merge(x, UINT64_MAX);
	}
	rt_progress_end(&progress);
	return ret ? rt_err_set(err, -ret, "cannot expand %s into %s: %s", x->path, x->to,
				strerror(-ret)) :
		     0;
}

/* --- all of it --------------------------------------------------------------------- */

/* The number of events that the recording should hold, as far as it says. */
static uint64_t expected(const struct rt_raw_expansion *x)
{
	const struct rt_raw_walk *w = &x->walk;
	uint64_t said = w->noted ? w->last.samples + w->last.missing : 0;

	return said > x->records ? said : x->records;
}

static void tell(const struct rt_raw_expansion *x, struct rt_raw_found *found)
{
	const struct rt_writer_stats *stats = rt_writer_stats(x->recording.writer);
	const char *warning = rt_reader_warning(x->reader, 0);
	uint64_t all = expected(x), known = stats->samples + stats->too_big;

	found->samples = stats->samples;
	found->bytes = stats->bytes;
	found->missing = all > known ? all - known : 0;
	found->closed = x->walk.closed;
	found->cut = x->walk.cut;
	found->damages = x->walk.damages;
	found->skipped = x->walk.skipped;
	found->first_damage = x->walk.first_damage;
	found->build_ids = x->build_ids;
	/* A recording that was not closed has a warning for that, which says less. */
	if (found->closed && warning)
		snprintf(found->header, sizeof(found->header), "%s", warning);
}

static int open_both(struct rt_raw_expansion *x, const char *to, int fd, struct rt_err *err)
{
	const struct rt_reader_options how = { .raw = true, .unordered = true };
	struct rt_writer_options opt;
	int ret, raw;

	ret = rt_reader_open(x->path, &how, &x->reader, err);
	if (ret)
		return ret;
	if (!rt_reader_events(x->reader)->count || rt_reader_is_pipe(x->reader))
		return rt_err_set(err, EBADMSG, "%s has no events; its header is damaged", x->path);
	raw = open(x->path, O_RDONLY | O_CLOEXEC);
	if (raw < 0)
		return rt_err_set(err, errno, "cannot open %s: %s", x->path, strerror(errno));
	ret = rt_raw_walk_open(&x->walk, raw, rt_reader_data_offset(x->reader), x->path, err);
	close(raw);
	if (!ret)
		ret = rt_raw_frame_read(x, err);
	if (ret)
		return ret;
	rt_raw_frame_options(x, &opt);
	return to ? rt_writer_open(to, &opt, &x->recording.writer, err) :
		    rt_writer_open_file(fd, x->to, &opt, &x->recording.writer, err);
}

static void free_all(struct rt_raw_expansion *x)
{
	struct rt_recording *r = &x->recording;
	uint32_t cpu;

	for (cpu = 0; cpu < r->session.cpus; cpu++) {
		if (x->streams[cpu])
			rt_raw_stream_free(x->streams[cpu]);
		free(x->streams[cpu]);
	}
	free(x->streams);
	free(r->session.events);
	free(r->events);
	rt_tasks_free(&r->tasks);
	rt_raw_waiting_free(&x->waiting);
	rt_raw_walk_close(&x->walk);
	rt_reader_close(x->reader);
}

static int expand(const char *from, const char *to, int fd, FILE *messages,
		  struct rt_raw_found *found, struct rt_err *err)
{
	struct rt_raw_expansion *x = calloc(1, sizeof(*x));
	struct rt_writer *w;
	int ret;

	memset(found, 0, sizeof(*found));
	if (!x)
		return rt_err_set(err, ENOMEM, "out of memory");
	x->path = from;
	x->to = to && strcmp(to, "-") ? to : "the expanded recording";
	x->recording.foreign = true;
	ret = open_both(x, to, fd, err);
	found->opened = !ret;
	w = x->recording.writer;
	if (!ret)
		ret = rt_raw_frame_write(x, err);
	if (!ret)
		ret = write_records(x, messages, err);
	if (!ret) {
		/* If there is no room for all of it, there is no file. */
		rt_writer_flush(w);
		ret = rt_writer_round(w);
		if (ret)
			rt_err_set(err, -ret, "cannot write %s: %s", x->to, strerror(-ret));
	}
	if (!ret) {
		rt_writer_total(w, expected(x));
		tell(x, found);
		ret = rt_writer_publish(w, err);
	}
	if (!ret)
		ret = rt_writer_close(w, err);
	else if (w)
		rt_writer_abort(w);
	free_all(x);
	free(x);
	return ret;
}

int rt_raw_expand(const char *from, const char *to, FILE *messages, struct rt_raw_found *found,
		  struct rt_err *err)
{
	return expand(from, to, -1, messages, found, err);
}

int rt_raw_expand_to(const char *from, int fd, FILE *messages, struct rt_raw_found *found,
		     struct rt_err *err)
{
	return expand(from, NULL, fd, messages, found, err);
}
