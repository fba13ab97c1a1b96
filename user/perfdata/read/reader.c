// SPDX-License-Identifier: GPL-2.0
/*
 * reader.c - the reading loop: take records from the sources, hold those with a time until their
 * round is over, return them in order.
 */
#include "perfdata/read/reader.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "perfdata/read/internal.h"

#define DEFAULT_PATH "perf.data"
#define FETCH_AHEAD  256	/* bytes: the typical distance of records */
#define RUNS_MAX     (1u << 21) /* for a file in no order at all: 140 MB of queue */

int rt_reader_fail(struct rt_reader *r, int code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(r->error.text, sizeof(r->error.text), fmt, ap);
	va_end(ap);
	r->failed = -code;
	return r->failed;
}

void rt_reader_warn(struct rt_reader *r, const char *fmt, ...)
{
	va_list ap;
	char *text;

	if (r->warning_count == RT_WARNINGS_MAX)
		return;
	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) >= 0)
		r->warnings[r->warning_count++] = text;
	va_end(ap);
}

static const char *default_path(void)
{
	struct stat st;

	if (!fstat(STDIN_FILENO, &st) && S_ISFIFO(st.st_mode))
		return "-";
	return DEFAULT_PATH;
}

int rt_reader_open(const char *path, const struct rt_reader_options *opt, struct rt_reader **out,
		   struct rt_err *err)
{
	struct rt_reader *r = calloc(1, sizeof(*r));
	int ret;

	*out = NULL;
	if (!r)
		return rt_err_set(err, ENOMEM, "no memory for a reader");
	if (opt)
		r->opt = *opt;
	if (!r->opt.queue_max)
		r->opt.queue_max = RT_READER_QUEUE_MAX;
	r->path = strdup(path ? path : default_path());
	ret = r->path ? rt_data_files_open(r, err) :
			rt_err_set(err, ENOMEM, "no memory for a reader");
	if (!ret)
		ret = rt_header_read(r, err);
	if (ret) {
		rt_reader_close(r);
		return ret;
	}
	/*
	 * If side-band records have no times, sorting would separate them from the samples they
	 * explain.
	 */
	r->ordered =
		!r->opt.unordered && (r->pipe || r->opt.time_optional || r->events.sample_id_all);
	*out = r;
	return 0;
}

void rt_reader_close(struct rt_reader *r)
{
	if (!r)
		return;
	rt_queue_free(&r->queue);
	rt_block_put(r->scratch);
	rt_block_put(r->lent);
	rt_data_files_close(r);
	rt_tracing_free(r);
	rt_perf_events_free(r);
	rt_arena_free(&r->arena);
	free(r->env.build_ids);
	rt_notes_free(&r->notes);
	while (r->warning_count)
		free(r->warnings[--r->warning_count]);
	free(r->path);
	free(r);
}

/* Get room for a copy of a record, in a block that is refilled once nobody holds it. */
static uint8_t *scratch(struct rt_reader *r, size_t size)
{
	struct rt_block *b = r->scratch;
	uint8_t *at;

	size = (size + 7) & ~(size_t)7;
	if (b && b->size - b->used < size) {
		if (rt_block_alone(b)) {
			b->used = 0;
		} else {
			rt_block_put(b);
			b = NULL;
		}
	}
	if (!b)
		b = rt_block_new(RT_SWAP_BLOCK);
	r->scratch = b;
	if (!b)
		return NULL;
	at = b->data + b->used;
	b->used += size;
	return at;
}

static void lend(struct rt_reader *r, struct rt_block *block)
{
	rt_block_get(block);
	rt_block_put(r->lent);
	r->lent = block;
}

/* Turn the bytes into a record, in place if possible. */
static int hand_out(struct rt_reader *r, const struct rt_raw *raw, uint64_t time,
		    struct rt_perf_record *rec)
{
	const struct rt_perf_record_header *h = &raw->hdr;
	struct rt_block *block = raw->block;
	const uint8_t *data = raw->data;
	uint8_t *copy;

	*rec = (struct rt_perf_record){
		.offset = raw->offset,
		.time = time,
		.payload = raw->payload,
		.payload_size = raw->payload_size,
		.path = raw->source->path,
		.swapped = r->swapped,
	};
	if (h->type < RT_PERF_RECORD_USER_START)
		rec->event = rt_perf_events_of(&r->events, data, h, r->swapped);
	if (r->swapped || (uintptr_t)data % 8) {
		copy = scratch(r, h->size);
		if (!copy)
			return rt_reader_fail(r, ENOMEM, "no memory for a record");
		memcpy(copy, data, h->size);
		if (r->swapped)
			rt_swap_record(rec->event, copy, h);
		data = copy;
		block = r->scratch;
	}
	rec->hdr = (const struct rt_perf_record_header *)data;
	rec->block = block;
	lend(r, block);
	return 1;
}

static void count(struct rt_reader *r, const struct rt_perf_record *rec)
{
	struct rt_reader_stats *st = &r->stats;
	uint32_t type = rec->hdr->type;

	st->records++;
	if (type == RT_PERF_RECORD_SAMPLE && rec->event) { /* nearly all */
		st->by_type[type]++;
		return;
	}
	if (!rt_perf_record_known(type)) {
		st->by_type[0]++;
		st->unknown_types++;
		return;
	}
	st->by_type[type]++;
	if (type == RT_PERF_RECORD_LOST)
		st->lost += ((const struct rt_perf_record_lost *)rec->hdr)->lost;
	else if (type == RT_PERF_RECORD_LOST_SAMPLES)
		st->lost_samples += ((const struct rt_perf_record_lost_samples *)rec->hdr)->lost;
	else if (type == RT_PERF_RECORD_SAMPLE && !rec->event)
		st->unknown_ids++;
	else if (rt_note_is(rec->hdr))
		rt_notes_take(&r->notes, (const struct rt_perf_record_note *)rec->hdr);
}

/* The time of the record behind the run's first one; if that has none, the time stays. */
static uint64_t time_behind(const struct rt_reader *r, const struct rt_run *run, size_t size)
{
	const uint8_t *behind = run->pos + size;
	const struct rt_perf_events *ev = &r->events;
	struct rt_perf_record_header next;
	uint64_t time;

	if (behind >= run->end)
		return run->time;
	__builtin_prefetch(behind + FETCH_AHEAD);
	next = load_header(behind, r->swapped);
	if (next.type == RT_PERF_RECORD_SAMPLE && ev->same_time && !r->swapped) {
		size_t at = sizeof(next) + 8 * (size_t)ev->list[0]->time_pos;

		if (ev->list[0]->time_pos >= 0 && at + 8 <= next.size) {
			time = load64(behind + at, false);
			return time && time != UINT64_MAX ? time : run->time;
		}
	}
	if (rt_perf_events_time(ev, behind, &next, r->swapped, &time) <= 0)
		time = run->time;
	return time;
}

/*
 * The fast path of take_queued() for nearly all records of a big file: samples that can be used in
 * place.  False if this record is not one of these.
 */
static bool take_sample(struct rt_reader *r, struct rt_run *run, struct rt_perf_record *rec)
{
	struct rt_perf_record_header h = load_header(run->pos, false);

	if (r->swapped || run->block || r->lent || (uintptr_t)run->pos % 8 ||
	    h.type != RT_PERF_RECORD_SAMPLE)
		return false;
	rec->hdr = (const struct rt_perf_record_header *)run->pos;
	rec->offset = run->offset;
	rec->time = run->time;
	rec->event = rt_perf_events_of(&r->events, run->pos, &h, false);
	rec->payload = NULL;
	rec->payload_size = 0;
	rec->path = run->source->path;
	rec->swapped = false;
	rec->block = NULL;
	rt_queue_took(&r->queue, h.size, time_behind(r, run, h.size));
	return true;
}

/* Return the next record of the current flush; 1, or 0 if the flush is complete. */
static int take_queued(struct rt_reader *r, struct rt_perf_record *rec)
{
	struct rt_run *run = rt_queue_first(&r->queue);
	struct rt_raw raw;
	int ret;

	if (!run)
		return 0;
	if (take_sample(r, run, rec))
		return 1;
	raw = (struct rt_raw){
		.data = run->pos,
		.hdr = load_header(run->pos, r->swapped),
		.block = run->block,
		.offset = run->offset,
		.source = run->source,
	};
	ret = hand_out(r, &raw, run->time, rec);
	if (ret < 0)
		return ret;
	rt_queue_took(&r->queue, raw.hdr.size, time_behind(r, run, raw.hdr.size));
	return 1;
}

static int enqueue(struct rt_reader *r, const struct rt_raw *raw, uint64_t time)
{
	struct rt_run at = {
		.pos = raw->data,
		.offset = raw->offset,
		.packed = raw->packed,
		.block = raw->block,
		.source = raw->source,
	};

	if (time < r->queue.last_flush)
		r->stats.out_of_order++;
	if (rt_queue_add(&r->queue, time, &at, raw->hdr.size))
		return rt_reader_fail(r, ENOMEM, "no memory to sort records");
	return 0;
}

/* The files of a directory take turns. */
static int next_raw(struct rt_reader *r, struct rt_raw *raw)
{
	struct rt_data_file *src;
	size_t done = 0;
	int ret;

	while (done < r->source_count) {
		src = &r->sources[r->source_now];
		if (src->done) {
			done++;
		} else {
			done = 0;
			if (src->turn < RT_TURN_MAX) {
				ret = rt_data_file_next(r, src, raw);
				if (ret)
					return ret;
				src->done = true;
			}
			src->turn = 0;
		}
		r->source_now = (r->source_now + 1) % r->source_count;
	}
	return 0;
}

static int check_size(struct rt_reader *r, const struct rt_raw *raw)
{
	if (raw->hdr.size >= rt_perf_record_min_size(raw->hdr.type))
		return 0;
	return rt_reader_fail(r, EBADMSG,
			      "%s: the record at offset %#llx is too short (%u bytes) for a %s",
			      raw->source->path, (unsigned long long)raw->offset, raw->hdr.size,
			      rt_perf_record_name(raw->hdr.type));
}

/* Process one record: 1 if it is to be returned now, 0 if it was queued. */
static int scan(struct rt_reader *r, const struct rt_raw *raw, struct rt_perf_record *rec)
{
	uint64_t time = 0;
	int ret;

	ret = check_size(r, raw);
	if (ret)
		return ret;
	if (raw->hdr.type >= RT_PERF_RECORD_USER_START) {
		ret = hand_out(r, raw, 0, rec);
		if (ret > 0 && rt_meta_take(r, rec) < 0)
			return r->failed;
		r->round_due =
			ret > 0 && raw->hdr.type == RT_PERF_RECORD_FINISHED_ROUND && r->ordered;
		return ret;
	}
	ret = rt_perf_events_time(&r->events, raw->data, &raw->hdr, r->swapped, &time);
	if (ret < 0)
		return rt_reader_fail(
			r, EBADMSG,
			"%s: the record at offset %#llx is too short (%u bytes) to hold "
			"its time",
			raw->source->path, (unsigned long long)raw->offset, raw->hdr.size);
	if (!ret || !r->ordered)
		return hand_out(r, raw, time, rec);
	ret = enqueue(r, raw, time);
	if (!ret && !raw->block)
		rt_stretch(r, raw->source);
	return ret;
}

static void begin_flush(struct rt_reader *r, enum rt_flush how)
{
	r->flushing = rt_queue_flush(&r->queue, how);
	r->flush = how;
	r->final = how == RT_FLUSH_FINAL;
}

static bool queue_full(const struct rt_reader *r)
{
	return r->queue.pinned > r->opt.queue_max || r->queue.count > RUNS_MAX;
}

static int step(struct rt_reader *r, struct rt_perf_record *rec)
{
	struct rt_raw raw;
	int ret;

	if (r->round_due) {
		r->round_due = false;
		begin_flush(r, RT_FLUSH_ROUND);
	}
	if (r->flushing) {
		ret = take_queued(r, rec);
		if (ret)
			return ret;
		rt_queue_flushed(&r->queue, r->flush);
		r->flushing = false;
	}
	if (r->final)
		return -ENODATA;
	if (queue_full(r)) {
		r->stats.early_flushes++;
		begin_flush(r, RT_FLUSH_HALF);
		return 0;
	}
	ret = next_raw(r, &raw);
	if (ret > 0)
		ret = scan(r, &raw, rec);
	else if (!ret)
		begin_flush(r, RT_FLUSH_FINAL);
	return ret;
}

int rt_reader_next(struct rt_reader *r, struct rt_perf_record *rec, struct rt_err *err)
{
	int ret;

	for (;;) {
		ret = step(r, rec);
		if (ret > 0) {
			count(r, rec);
			return 1;
		}
		if (ret < 0 && r->final)
			break;
		/* After damage, first return everything that was read before it. */
		if (ret < 0)
			begin_flush(r, RT_FLUSH_FINAL);
	}
	if (r->failed && err)
		*err = r->error;
	return r->failed;
}

const char *rt_reader_warning(const struct rt_reader *r, size_t i)
{
	return i < r->warning_count ? r->warnings[i] : NULL;
}

const struct rt_perf_events *rt_reader_events(const struct rt_reader *r)
{
	return &r->events;
}

const struct rt_env *rt_reader_env(const struct rt_reader *r)
{
	return &r->env;
}

const struct rt_notes *rt_reader_notes(const struct rt_reader *r)
{
	return &r->notes;
}

const struct rt_reader_stats *rt_reader_stats(const struct rt_reader *r)
{
	return &r->stats;
}

const char *rt_reader_path(const struct rt_reader *r)
{
	return r->path;
}

uint64_t rt_reader_written(const struct rt_reader *r)
{
	return r->header_mtime;
}

bool rt_reader_is_pipe(const struct rt_reader *r)
{
	return r->pipe;
}

bool rt_reader_swapped(const struct rt_reader *r)
{
	return r->swapped;
}
