// SPDX-License-Identifier: GPL-2.0
#include "script/pipeline.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "perfdata/read/block.h"
#include "script/preload.h"

#define FIRST_BATCH  8		 /* items; doubles with each batch up to BATCH_ITEMS */
#define BATCH_ITEMS  128	 /* the text of a batch fits into a processor's own cache */
#define BATCH_FRAMES 4096	 /* a batch is also full at this many stack frames */
#define BATCH_COPIED (4u << 20)	 /* and at this many bytes of copied stacks */
#define BATCHES	     128	 /* nothing is added while the reader sorts a round */
#define COPIED_MAX   (32u << 20) /* in all batches */
#define FETCH_AHEAD  6		 /* items */
#define FETCH_FIRST  192	 /* bytes of each: most records are this long */
#define BIG_RECORD   1024	 /* has a copied stack; its first part is read, too */
#define FETCH_BIG    1024
#define CACHE_LINE   64
#define WAKE_AT	     16 /* ready batches; waking a thread for each one costs too much */
#define THREADS_MAX  16
#define TEXT_KEEP    (4u << 20) /* larger buffers are freed */

enum batch_state { FREE, FILLING, READY, LOOKED_AT, TAKEN, DONE };

struct batch {
	enum batch_state state;
	uint64_t seq;
	unsigned int count;
	uint64_t frames, copied;
	struct rt_pending items[BATCH_ITEMS];
	struct rt_maps *held[BATCH_ITEMS]; /* each list once */
	unsigned int held_count;
	struct output *output; /* of a formatted batch */
	int error;	       /* a sample could not be parsed; see damage */
	struct rt_err damage;
};

/* Text that waits to be written.  It then returns to the thread that has it in its cache. */
struct output {
	struct rt_text text;
	struct formatter *formatter;
	struct output *next;
};

/* The tools of one formatting thread. */
struct formatter {
	struct rt_printer *printer;
	struct output *spare;
};

struct rt_pipeline {
	const struct rt_script *script;
	FILE *out;
	bool printed; /* anything, to it */
	int error;
	bool swapped; /* the file has the other byte order */
	bool damaged;
	struct rt_err damage;
	pthread_mutex_t lock;
	pthread_cond_t ready; /* a batch can be formatted, or the end was reached */
	pthread_cond_t freed; /* a batch was written */
	bool over, writing;
	uint64_t next_seq;	/* the next batch to fill */
	uint64_t next_format;	/* the next batch to format */
	uint64_t next_look;	/* the next batch whose objects to load */
	uint64_t next_out;	/* the next batch to write */
	uint64_t copied;	/* bytes that wait to be formatted */
	unsigned int limit;	/* items per batch, for now */
	struct batch **batches; /* a ring, indexed by number */
	unsigned int batch_count;
	struct batch *filling;
	unsigned int workers;
	struct worker {
		struct rt_pipeline *pipeline;
		pthread_t thread;
		struct formatter formatter;
	} worker[THREADS_MAX];
	struct formatter own; /* of the reading thread */
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

/*
 * The last sample of a batch.  It is on the formatting thread's stack because it changes all the
 * time.
 */
struct last {
	struct rt_item item;
	const struct rt_perf_event
		*taken; /* its event, as it was recorded; NULL: nothing can be reused */
};

/* Parse the sample and print it. */
static int format_sample(struct rt_pipeline *p, struct formatter *formatter,
			 const struct rt_pending *pend, struct last *last, struct rt_text *out,
			 struct rt_err *err)
{
	struct rt_perf_record rec = {
		.hdr = pend->hdr,
		.offset = pend->offset,
		.event = pend->layout,
		.swapped = p->swapped,
		.block = pend->block,
	};
	struct rt_item *item = &last->item;
	int ret = 0;

	if (pend->sample)
		item->sample = *pend->sample;
	else
		ret = rt_sample_parse_next(&rec, last->taken, &item->sample, err);
	last->taken = ret || pend->sample ? NULL : pend->layout;
	if (ret)
		return ret;
	item->event = pend->event;
	item->time = pend->time;
	item->comm = pend->comm;
	item->maps = pend->maps;
	item->data_src_width = pend->data_src_width;
	rt_printer_item(formatter->printer, item, out);
	return 0;
}

static void let_go(const struct rt_pending *pend)
{
	if (!pend->event) {
		free(pend->text);
		return;
	}
	free(pend->sample);
	rt_block_put(pend->block);
}

/* Prefetch the record, which another processor read last. */
static void fetch_soon(const struct rt_pending *pend)
{
	const char *at = (const char *)pend->hdr;
	unsigned int i;

	for (i = 0; i < pend->fetch; i += CACHE_LINE)
		__builtin_prefetch(at + i);
}

static int format(struct rt_pipeline *p, struct formatter *formatter, struct batch *b,
		  struct rt_text *out)
{
	struct last last;
	unsigned int i;
	int ret = 0;

	last.taken = NULL;
	for (i = 0; i < b->count; i++) {
		const struct rt_pending *pend = &b->items[i];

		if (i + FETCH_AHEAD < b->count)
			fetch_soon(pend + FETCH_AHEAD);
		if (!ret && pend->event)
			ret = format_sample(p, formatter, pend, &last, out, &b->damage);
		else if (!ret)
			rt_text_put(out, pend->text, pend->len);
		let_go(pend);
	}
	for (i = 0; i < b->held_count; i++)
		rt_maps_drop(b->held[i]);
	b->count = b->held_count = 0;
	b->frames = b->copied = 0;
	return ret;
}

/* ---- text on its way out -------------------------------------------------------------- */

/* Call with the lock held. */
static struct output *take_output(struct formatter *formatter)
{
	struct output *o = formatter->spare;

	if (o) {
		formatter->spare = o->next;
		return o;
	}
	o = calloc(1, sizeof(*o));
	if (o)
		o->formatter = formatter;
	return o;
}

/* Call with the lock held. */
static void give_back(struct output *o)
{
	rt_text_reset(&o->text);
	if (o->text.size > TEXT_KEEP)
		rt_text_free(&o->text);
	o->next = o->formatter->spare;
	o->formatter->spare = o;
}

static void free_formatter(struct formatter *formatter)
{
	struct output *o;

	while ((o = formatter->spare)) {
		formatter->spare = o->next;
		rt_text_free(&o->text);
		free(o);
	}
	rt_printer_free(formatter->printer);
}

static struct batch *by_seq(const struct rt_pipeline *p, uint64_t seq)
{
	return p->batches[seq % p->batch_count];
}

/* Return the oldest batch that waits to be formatted.  Call with the lock held. */
static struct batch *oldest_ready(struct rt_pipeline *p)
{
	struct batch *b = by_seq(p, p->next_format);

	return b->state == READY ? b : NULL;
}

static int write_text(struct rt_pipeline *p, const struct output *o)
{
	int ret = o->text.len ? rt_text_print(&o->text, p->out) : 0;

	p->printed |= o->text.len != 0;
	return !ret && o->text.failed ? -ENOMEM : ret;
}

/* Write the batches whose turn it is, unless another thread does so.  Call with the lock held. */
static void write_out(struct rt_pipeline *p)
{
	struct batch *b;

	if (p->writing)
		return;
	p->writing = true;
	while ((b = by_seq(p, p->next_out))->state == DONE) {
		int ret = p->error;

		if (b->output && !ret) {
			pthread_mutex_unlock(&p->lock);
			ret = write_text(p, b->output);
			pthread_mutex_lock(&p->lock);
		}
		if (!ret && b->error) {
			ret = b->error;
			p->damage = b->damage;
			p->damaged = true;
		}
		if (b->output)
			give_back(b->output);
		b->output = NULL;
		if (ret)
			__atomic_store_n(&p->error, ret, __ATOMIC_RELAXED);
		b->state = FREE;
		p->next_out++;
		pthread_cond_broadcast(&p->freed);
	}
	p->writing = false;
}

/* Call with the lock held; the function releases it while formatting and writing. */
static void work_on(struct rt_pipeline *p, struct formatter *formatter, struct batch *b)
{
	struct rt_text none = { .failed = true };

	b->state = TAKEN;
	p->next_format++;
	p->copied -= b->copied;
	b->output = take_output(formatter);
	pthread_mutex_unlock(&p->lock);
	b->error = format(p, formatter, b, b->output ? &b->output->text : &none);
	pthread_mutex_lock(&p->lock);
	if (!b->output && !p->error)
		__atomic_store_n(&p->error, -ENOMEM, __ATOMIC_RELAXED);
	b->state = DONE;
	write_out(p);
}

static void *worker(void *arg)
{
	struct worker *w = arg;
	struct rt_pipeline *p = w->pipeline;
	struct batch *b;

	w->formatter.printer = rt_printer_new(p->script);
	if (!w->formatter.printer)
		return NULL; /* the other threads do the work */
	pthread_mutex_lock(&p->lock);
	for (;;) {
		b = oldest_ready(p);
		if (b)
			work_on(p, &w->formatter, b);
		else if (p->over)
			break;
		else
			pthread_cond_wait(&p->ready, &p->lock);
	}
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

/* ---- filling ------------------------------------------------------------------------ */

/*
 * Call with the lock held.  While one thread loads the kernel's symbols, the formatting threads
 * wait for them.  The reading thread meanwhile loads the symbols of other files, which they need
 * next.
 */
static void load_ahead(struct rt_pipeline *p)
{
	struct rt_kernel *kernel = p->script->machine.kernel;
	struct batch *b;
	unsigned int i;

	if (p->next_look < p->next_format)
		p->next_look = p->next_format;
	while (kernel && rt_kernel_is_loading(kernel) && p->next_look < p->next_seq) {
		b = by_seq(p, p->next_look++);
		if (b->state != READY)
			continue;
		b->state = LOOKED_AT;
		pthread_mutex_unlock(&p->lock);
		for (i = 0; i < b->count && rt_kernel_is_loading(kernel); i++)
			rt_preload_sample(&b->items[i], p->swapped);
		pthread_mutex_lock(&p->lock);
		b->state = READY;
		pthread_cond_signal(&p->ready);
	}
}

/* Get a free batch to fill; until there is one, the caller formats other batches. */
static void start_batch(struct rt_pipeline *p)
{
	struct batch *next = by_seq(p, p->next_seq), *b;

	pthread_mutex_lock(&p->lock);
	while (next->state != FREE || p->copied > COPIED_MAX) {
		load_ahead(p);
		b = oldest_ready(p);
		if (b)
			work_on(p, &p->own, b);
		else
			pthread_cond_wait(&p->freed, &p->lock);
	}
	next->state = FILLING;
	next->seq = p->next_seq++;
	pthread_mutex_unlock(&p->lock);
	p->filling = next;
}

/* `now`: more input may take long, so wake a thread for this batch at once. */
static void flush(struct rt_pipeline *p, bool now)
{
	struct batch *b = p->filling;

	if (!b)
		return;
	p->filling = NULL;
	if (p->limit < BATCH_ITEMS)
		p->limit *= 2;
	pthread_mutex_lock(&p->lock);
	b->state = READY;
	p->copied += b->copied;
	if (!p->workers)
		work_on(p, &p->own, b);
	else if (now || p->limit < BATCH_ITEMS || p->next_seq - p->next_format >= WAKE_AT)
		pthread_cond_signal(&p->ready);
	pthread_mutex_unlock(&p->lock);
}

void rt_pipeline_flush(struct rt_pipeline *p)
{
	flush(p, true);
}

void rt_pipeline_drain(struct rt_pipeline *p)
{
	struct batch *b;

	rt_pipeline_flush(p);
	pthread_mutex_lock(&p->lock);
	while (p->next_out != p->next_seq) {
		b = oldest_ready(p);
		if (b)
			work_on(p, &p->own, b);
		else
			pthread_cond_wait(&p->freed, &p->lock);
	}
	pthread_mutex_unlock(&p->lock);
}

struct rt_pending *rt_pipeline_add(struct rt_pipeline *p, const struct rt_perf_record *rec,
				   struct rt_maps *maps)
{
	struct batch *b = p->filling;
	struct rt_pending *pend;

	if (b && (b->count >= p->limit || b->frames > BATCH_FRAMES || b->copied > BATCH_COPIED)) {
		flush(p, false);
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
	pend = &b->items[b->count++];
	pend->event = NULL;
	pend->text = NULL;
	pend->len = 0;
	pend->data_src_width = 0;
	pend->maps = maps;
	pend->fetch = 0;
	if (rec) {
		pend->hdr = rec->hdr;
		pend->fetch = rec->hdr->size < BIG_RECORD ? FETCH_FIRST : FETCH_BIG;
		pend->layout = rec->event;
		pend->offset = rec->offset;
		rt_perf_record_hold(rec);
		pend->block = rec->block;
		b->frames += rec->hdr->size / sizeof(uint64_t);
		if (rec->block)
			b->copied += rec->hdr->size;
	}
	return pend;
}

/* ---- life ------------------------------------------------------------------------------ */

int rt_pipeline_error(const struct rt_pipeline *p)
{
	return __atomic_load_n(&p->error, __ATOMIC_RELAXED);
}

bool rt_pipeline_has_printed(const struct rt_pipeline *p)
{
	return p->printed;
}

const struct rt_err *rt_pipeline_damage(const struct rt_pipeline *p)
{
	return p->damaged ? &p->damage : NULL;
}

void rt_pipeline_free(struct rt_pipeline *p)
{
	unsigned int i;

	if (!p)
		return;
	if (p->own.printer)
		rt_pipeline_drain(p);
	pthread_mutex_lock(&p->lock);
	p->over = true;
	pthread_cond_broadcast(&p->ready);
	pthread_mutex_unlock(&p->lock);
	for (i = 0; i < p->workers; i++)
		pthread_join(p->worker[i].thread, NULL);
	for (i = 0; i < p->workers; i++)
		free_formatter(&p->worker[i].formatter);
	free_formatter(&p->own);
	for (i = 0; i < p->batch_count; i++)
		free(p->batches[i]);
	free(p->batches);
	pthread_cond_destroy(&p->ready);
	pthread_cond_destroy(&p->freed);
	pthread_mutex_destroy(&p->lock);
	free(p);
}

struct rt_pipeline *rt_pipeline_new(const struct rt_script *script, unsigned int threads, FILE *out,
				    struct rt_err *err)
{
	struct rt_pipeline *p = calloc(1, sizeof(*p));
	unsigned int i, batches;

	if (!p)
		goto no_memory;
	p->script = script;
	p->out = out;
	p->limit = FIRST_BATCH;
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->ready, NULL);
	pthread_cond_init(&p->freed, NULL);
	if (!threads)
		threads = rt_pipeline_processors();
	if (threads > THREADS_MAX)
		threads = THREADS_MAX;
	batches = threads > 1 ? BATCHES : 1;
	p->swapped = rt_reader_swapped(script->reader);
	p->own.printer = rt_printer_new(script);
	p->batches = calloc(batches, sizeof(*p->batches));
	if (!p->own.printer || !p->batches)
		goto no_memory;
	for (i = 0; i < batches; i++) {
		p->batches[i] = calloc(1, sizeof(**p->batches));
		if (!p->batches[i])
			goto no_memory;
		p->batch_count++;
	}
	for (i = 0; i + 1 < threads; i++) {
		p->worker[i].pipeline = p;
		if (pthread_create(&p->worker[i].thread, NULL, worker, &p->worker[i]))
			break; /* fewer threads are enough */
		p->workers++;
	}
	return p;
no_memory:
	rt_pipeline_free(p);
	rt_err_set(err, ENOMEM, "out of memory");
	return NULL;
}
