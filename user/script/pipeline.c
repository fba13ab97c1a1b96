// SPDX-License-Identifier: GPL-2.0
#include "script/pipeline.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FIRST_BATCH	 8 /* items; doubled with each batch up to the next */
#define BATCH_ITEMS	 128
#define BATCH_FRAMES	 16384	    /* a batch of deep stacks is full earlier */
#define BATCH_COPIED	 (4u << 20) /* and one of copied stacks, in bytes */
#define BATCHES_A_THREAD 3
#define THREADS_MAX	 16
#define TEXT_KEEP	 (4u << 20) /* a bigger buffer is given back */

enum batch_state { FREE, FILLING, READY, TAKEN, DONE };

struct batch {
	enum batch_state state;
	uint64_t seq;
	unsigned int count;
	uint64_t frames, copied;
	struct rt_item items[BATCH_ITEMS];
	struct rt_maps *held[BATCH_ITEMS]; /* each list once */
	unsigned int held_count;
	struct rt_text text;
};

struct rt_pipeline {
	const struct rt_script *script;
	int fd, error;
	pthread_mutex_t lock;
	pthread_cond_t ready; /* there is a batch to format, or it is over */
	pthread_cond_t freed; /* a batch was written */
	bool over, writing;
	uint64_t next_seq;  /* of the batch to be filled next */
	uint64_t next_out;  /* of the batch to be written next */
	unsigned int limit; /* items in a batch, for now */
	struct batch **batches;
	unsigned int batch_count;
	struct batch *filling;
	unsigned int workers;
	pthread_t threads[THREADS_MAX];
	struct rt_printer *own; /* the reading thread's */
};

unsigned int rt_pipeline_processors(void)
{
	cpu_set_t set;
	int n;

	if (sched_getaffinity(0, sizeof(set), &set)) {
		n = (int)sysconf(_SC_NPROCESSORS_ONLN);
		return n > 0 ? (unsigned int)n : 1;
	}
	return (unsigned int)CPU_COUNT(&set);
}

/* ---- formatting -------------------------------------------------------------------- */

static void format(struct rt_printer *printer, struct batch *b)
{
	unsigned int i;

	for (i = 0; i < b->count; i++) {
		struct rt_item *item = &b->items[i];

		rt_printer_item(printer, item, &b->text);
		if (item->event)
			rt_record_drop(&item->rec);
		else
			free(item->text);
	}
	for (i = 0; i < b->held_count; i++)
		rt_maps_drop(b->held[i]);
	b->count = b->held_count = 0;
	b->frames = b->copied = 0;
}

static struct batch *by_seq(struct rt_pipeline *p, uint64_t seq, enum batch_state state)
{
	unsigned int i;

	for (i = 0; i < p->batch_count; i++)
		if (p->batches[i]->state == state && p->batches[i]->seq == seq)
			return p->batches[i];
	return NULL;
}

/* Locked; the oldest batch that waits to be formatted. */
static struct batch *oldest_ready(struct rt_pipeline *p)
{
	struct batch *best = NULL;
	unsigned int i;

	for (i = 0; i < p->batch_count; i++)
		if (p->batches[i]->state == READY && (!best || p->batches[i]->seq < best->seq))
			best = p->batches[i];
	return best;
}

/* Locked; write what is in turn, unless somebody else is at it. */
static void write_out(struct rt_pipeline *p)
{
	struct batch *b;

	if (p->writing)
		return;
	p->writing = true;
	while ((b = by_seq(p, p->next_out, DONE))) {
		int ret = p->error;

		pthread_mutex_unlock(&p->lock);
		if (!ret && b->text.len)
			ret = rt_text_write(&b->text, p->fd);
		if (!ret && b->text.failed)
			ret = -ENOMEM;
		rt_text_reset(&b->text);
		if (b->text.size > TEXT_KEEP)
			rt_text_free(&b->text);
		pthread_mutex_lock(&p->lock);
		if (ret)
			p->error = ret;
		b->state = FREE;
		p->next_out++;
		pthread_cond_broadcast(&p->freed);
	}
	p->writing = false;
}

/* Locked on entry and exit; not while formatting and writing. */
static void work_on(struct rt_pipeline *p, struct rt_printer *printer, struct batch *b)
{
	b->state = TAKEN;
	pthread_mutex_unlock(&p->lock);
	format(printer, b);
	pthread_mutex_lock(&p->lock);
	b->state = DONE;
	write_out(p);
}

static void *worker(void *arg)
{
	struct rt_pipeline *p = arg;
	struct rt_printer *printer = rt_printer_new(p->script);
	struct batch *b;

	if (!printer)
		return NULL; /* the others do the work */
	pthread_mutex_lock(&p->lock);
	for (;;) {
		b = oldest_ready(p);
		if (b)
			work_on(p, printer, b);
		else if (p->over)
			break;
		else
			pthread_cond_wait(&p->ready, &p->lock);
	}
	pthread_mutex_unlock(&p->lock);
	rt_printer_free(printer);
	return NULL;
}

/* ---- filling ------------------------------------------------------------------------ */

/* A free batch to fill; the caller formats others until there is one. */
static void start_batch(struct rt_pipeline *p)
{
	struct batch *b;
	unsigned int i;

	pthread_mutex_lock(&p->lock);
	for (;;) {
		for (i = 0; i < p->batch_count; i++)
			if (p->batches[i]->state == FREE)
				break;
		if (i < p->batch_count)
			break;
		b = oldest_ready(p);
		if (b)
			work_on(p, p->own, b);
		else
			pthread_cond_wait(&p->freed, &p->lock);
	}
	b = p->batches[i];
	b->state = FILLING;
	b->seq = p->next_seq++;
	pthread_mutex_unlock(&p->lock);
	p->filling = b;
}

void rt_pipeline_flush(struct rt_pipeline *p)
{
	struct batch *b = p->filling;

	if (!b)
		return;
	p->filling = NULL;
	if (p->limit < BATCH_ITEMS)
		p->limit *= 2;
	pthread_mutex_lock(&p->lock);
	b->state = READY;
	if (p->workers)
		pthread_cond_signal(&p->ready);
	else
		work_on(p, p->own, b);
	pthread_mutex_unlock(&p->lock);
}

void rt_pipeline_drain(struct rt_pipeline *p)
{
	struct batch *b;

	rt_pipeline_flush(p);
	pthread_mutex_lock(&p->lock);
	while (p->next_out != p->next_seq) {
		b = oldest_ready(p);
		if (b)
			work_on(p, p->own, b);
		else
			pthread_cond_wait(&p->freed, &p->lock);
	}
	pthread_mutex_unlock(&p->lock);
}

struct rt_item *rt_pipeline_add(struct rt_pipeline *p, const struct rt_record *rec,
				struct rt_maps *maps)
{
	struct batch *b = p->filling;
	struct rt_item *item;

	if (b && (b->count >= p->limit || b->frames > BATCH_FRAMES || b->copied > BATCH_COPIED)) {
		rt_pipeline_flush(p);
		b = NULL;
	}
	if (__atomic_load_n(&p->error, __ATOMIC_RELAXED))
		return NULL;
	if (!b) {
		start_batch(p);
		b = p->filling;
	}
	if (maps && maps->held_by != b->seq + 1) {
		maps->held_by = b->seq + 1;
		b->held[b->held_count++] = rt_maps_hold(maps);
	}
	item = &b->items[b->count++];
	item->event = NULL;
	item->text = NULL;
	item->len = 0;
	item->maps = maps;
	if (rec) {
		item->rec = *rec;
		rt_record_hold(rec);
		b->frames += rec->hdr->size / sizeof(uint64_t);
		if (rec->block)
			b->copied += rec->hdr->size;
	}
	return item;
}

/* ---- life ------------------------------------------------------------------------------ */

int rt_pipeline_error(const struct rt_pipeline *p)
{
	return __atomic_load_n(&p->error, __ATOMIC_RELAXED);
}

void rt_pipeline_free(struct rt_pipeline *p)
{
	unsigned int i;

	if (!p)
		return;
	if (p->own)
		rt_pipeline_drain(p);
	pthread_mutex_lock(&p->lock);
	p->over = true;
	pthread_cond_broadcast(&p->ready);
	pthread_mutex_unlock(&p->lock);
	for (i = 0; i < p->workers; i++)
		pthread_join(p->threads[i], NULL);
	for (i = 0; i < p->batch_count; i++) {
		rt_text_free(&p->batches[i]->text);
		free(p->batches[i]);
	}
	free(p->batches);
	rt_printer_free(p->own);
	pthread_cond_destroy(&p->ready);
	pthread_cond_destroy(&p->freed);
	pthread_mutex_destroy(&p->lock);
	free(p);
}

struct rt_pipeline *rt_pipeline_new(const struct rt_script *script, unsigned int threads, int fd,
				    struct rt_err *err)
{
	struct rt_pipeline *p = calloc(1, sizeof(*p));
	unsigned int i, batches;

	if (!p)
		goto no_memory;
	p->script = script;
	p->fd = fd;
	p->limit = FIRST_BATCH;
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->ready, NULL);
	pthread_cond_init(&p->freed, NULL);
	if (!threads)
		threads = rt_pipeline_processors();
	if (threads > THREADS_MAX)
		threads = THREADS_MAX;
	batches = threads > 1 ? threads * BATCHES_A_THREAD : 1;
	p->own = rt_printer_new(script);
	p->batches = calloc(batches, sizeof(*p->batches));
	if (!p->own || !p->batches)
		goto no_memory;
	for (i = 0; i < batches; i++) {
		p->batches[i] = calloc(1, sizeof(**p->batches));
		if (!p->batches[i])
			goto no_memory;
		p->batch_count++;
	}
	for (i = 0; i + 1 < threads; i++) {
		if (pthread_create(&p->threads[i], NULL, worker, p))
			break; /* fewer threads do it too */
		p->workers++;
	}
	return p;
no_memory:
	rt_pipeline_free(p);
	rt_err_set(err, ENOMEM, "out of memory");
	return NULL;
}
