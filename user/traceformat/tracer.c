// SPDX-License-Identifier: GPL-2.0
#include "traceformat/tracer.h"

#include <stdlib.h>
#include <string.h>

struct rt_tracefmts {
	size_t count;
	struct rt_tracefmt **by_event; /* NULL: not a tracepoint, or its format is missing */
};

struct rt_tracer {
	const struct rt_reader *reader;
	struct rt_kernel *kernel;
	struct rt_symcache *cache;
	struct rt_trace_names names;
};

struct rt_tracefmts *rt_tracefmts_new(const struct rt_reader *reader)
{
	const struct rt_perf_events *events = rt_reader_events(reader);
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

static const char *kernel_text(void *arg, uint64_t addr)
{
	return rt_reader_printk(((struct rt_tracer *)arg)->reader, addr);
}

struct rt_tracer *rt_tracer_new(const struct rt_reader *reader)
{
	struct rt_tracer *t = calloc(1, sizeof(*t));

	if (t) {
		t->reader = reader;
		t->cache = rt_symcache_new();
		t->names = (struct rt_trace_names){ t, function_name, kernel_text };
	}
	return t;
}

void rt_tracer_free(struct rt_tracer *t)
{
	if (!t)
		return;
	rt_symcache_free(t->cache);
	free(t);
}

void rt_trace_print(struct rt_tracer *t, const struct rt_tracefmts *formats, struct rt_text *out,
		    const struct rt_perf_event *event, const struct rt_sample *s,
		    struct rt_kernel *kernel)
{
	const struct rt_tracefmt *f =
		event->index < formats->count ? formats->by_event[event->index] : NULL;

	t->kernel = kernel;
	if (f)
		rt_tracefmt_print(f, out, s->raw.data, s->raw.size, &t->names);
}
