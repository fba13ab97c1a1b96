// SPDX-License-Identifier: GPL-2.0
#include "script/trace.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <traceevent/event-parse.h>
#include <traceevent/trace-seq.h>

/*
 * libtraceevent believes every offset it finds in the data.  Offsets and lengths have
 * 16 bits each, so a copy with zeros behind it that reaches this far is safe to read.
 */
#define OFFSETS_REACH (2 * 65536)
#define FIELD_MAX     65536
#define SCRATCH_SIZE  (OFFSETS_REACH + FIELD_MAX + 64)

struct rt_tracefmts {
	size_t count;
	struct rt_tracefmt **by_event; /* NULL: libtraceevent */
};

struct rt_tracer {
	const struct rt_reader *reader;
	struct tep_handle *tep; /* made when first needed */
	bool tried;
	struct rt_kernel *kernel;
	struct rt_symcache *cache;
	char *scratch;
	size_t dirty; /* bytes of scratch that are not zero */
};

struct rt_tracefmts *rt_tracefmts_new(const struct rt_reader *reader)
{
	const struct rt_events *events = rt_reader_events(reader);
	struct rt_tracefmts *t = calloc(1, sizeof(*t));
	size_t i;

	if (!t)
		return NULL;
	t->by_event = calloc(events->count + 1, sizeof(*t->by_event));
	if (!t->by_event) {
		free(t);
		return NULL;
	}
	t->count = events->count;
	for (i = 0; i < events->count; i++)
		if (events->list[i]->format)
			t->by_event[i] = rt_tracefmt_new(events->list[i]->format);
	return t;
}

void rt_tracefmts_free(struct rt_tracefmts *t)
{
	size_t i;

	if (!t)
		return;
	for (i = 0; i < t->count; i++)
		rt_tracefmt_free(t->by_event[i]);
	free(t->by_event);
	free(t);
}

struct rt_tracer *rt_tracer_new(const struct rt_reader *reader)
{
	struct rt_tracer *t = calloc(1, sizeof(*t));

	if (t) {
		t->reader = reader;
		t->cache = rt_symcache_new();
	}
	return t;
}

void rt_tracer_free(struct rt_tracer *t)
{
	if (!t)
		return;
	if (t->tep)
		tep_free(t->tep);
	rt_symcache_free(t->cache);
	free(t->scratch);
	free(t);
}

static const char *function_name(void *arg, uint64_t addr, uint64_t *offset)
{
	struct rt_tracer *t = arg;
	struct rt_kernel_hit hit = { 0 };

	if (!t->kernel)
		return NULL;
	if (t->cache)
		rt_symcache_kernel(t->cache, t->kernel, addr, &hit);
	else
		rt_kernel_find(t->kernel, addr, &hit);
	if (!hit.object || !hit.symbol)
		return NULL;
	*offset = hit.address - hit.symbol->start;
	return hit.symbol->name;
}

/* The same in the form libtraceevent asks for. */
static char *resolve(void *arg, unsigned long long *addr, char **module)
{
	uint64_t offset = 0;
	const char *name = function_name(arg, *addr, &offset);

	*module = NULL;
	if (name)
		*addr -= offset;
	return (char *)name;
}

static bool fields_fit(const struct tep_event *format)
{
	const struct tep_format_field *f;

	for (f = format->format.common_fields; f; f = f->next)
		if (f->offset < 0 || f->size < 0 || f->offset > FIELD_MAX || f->size > FIELD_MAX)
			return false;
	for (f = format->format.fields; f; f = f->next)
		if (f->offset < 0 || f->size < 0 || f->offset > FIELD_MAX || f->size > FIELD_MAX)
			return false;
	return true;
}

/* libtraceevent keeps the state of its parser in variables of its own: one thread at a time. */
static pthread_mutex_t library = PTHREAD_MUTEX_INITIALIZER;

static void print_by_library(struct rt_tracer *t, struct rt_text *out, const struct rt_sample *s)
{
	struct tep_record record;
	struct tep_event *format;
	struct trace_seq seq;

	if (!t->tried) {
		t->tried = true;
		t->tep = rt_reader_tep_new(t->reader, NULL);
		t->scratch = calloc(1, SCRATCH_SIZE);
		if (t->tep)
			tep_set_function_resolver(t->tep, resolve, t);
	}
	if (!t->tep || !t->scratch || s->raw.size > FIELD_MAX)
		return;
	if (t->dirty > s->raw.size)
		memset(t->scratch + s->raw.size, 0, t->dirty - s->raw.size);
	memcpy(t->scratch, s->raw.data, s->raw.size);
	t->dirty = s->raw.size;

	memset(&record, 0, sizeof(record));
	record.cpu = (int)s->cpu;
	record.size = (int)s->raw.size;
	record.data = t->scratch;
	/* The library goes by the id in the data, which need not be that of the event. */
	format = tep_find_event_by_record(t->tep, &record);
	if (!format || !fields_fit(format))
		return;
	trace_seq_init(&seq);
	tep_print_event(t->tep, &seq, &record, "%s", TEP_PRINT_INFO);
	trace_seq_terminate(&seq);
	if (seq.state == TRACE_SEQ__GOOD)
		rt_text_put(out, seq.buffer, seq.len);
	trace_seq_destroy(&seq);
}

void rt_trace_print(struct rt_tracer *t, const struct rt_tracefmts *formats, struct rt_text *out,
		    const struct rt_event *event, const struct rt_sample *s,
		    struct rt_kernel *kernel)
{
	const struct rt_tracefmt *f =
		event->index < formats->count ? formats->by_event[event->index] : NULL;

	t->kernel = kernel;
	if (f) {
		rt_tracefmt_print(f, out, s->raw.data, s->raw.size, function_name, t);
	} else {
		pthread_mutex_lock(&library);
		print_by_library(t, out, s);
		pthread_mutex_unlock(&library);
	}
}
