// SPDX-License-Identifier: GPL-2.0
/* gather_page.c - the page about a recording. */
#include <errno.h>
#include <stdlib.h>

#include "draw/caption.h"
#include "draw/gathered.h"
#include "draw/number.h"
#include "draw/page.h"
#include "draw/place.h"
#include "draw/summary.h"
#include "draw/svg.h"

/* perf_event_attr.config of the software events whose period is in nanoseconds: 0 and 1 */
#define CONFIG_TASK_CLOCK 1

#define FRAMES_TOTAL  2400    /* of all graphs of a page: a browser makes three nodes of each */
#define UNDRAWN_TOTAL 250000  /* of all graphs of a page: about a megabyte */
#define ROWS_TOTAL    2000    /* of all tables: about half a megabyte */
#define ROWS_LEAST    20      /* of one table */
#define BYTES_MAX     5000000 /* a page that is larger is made again with half of both */
#define HALVES_MAX    6

static int by_samples(const void *a, const void *b)
{
	const struct rt_gathered *l = *(struct rt_gathered *const *)a;
	const struct rt_gathered *r = *(struct rt_gathered *const *)b;

	if (l->samples != r->samples)
		return l->samples > r->samples ? -1 : 1;
	return l->event->index < r->event->index ? -1 : 1;
}

static size_t graph_count(const struct rt_gather *g)
{
	return g->order_count < RT_GATHER_GRAPHS ? g->order_count : RT_GATHER_GRAPHS;
}

/* Put the sums of one event into its flame graph. */
static bool make_graph(struct rt_gather *g, const struct rt_gather_page *page,
		       struct rt_gathered *e)
{
	struct rt_gather_sum sum;
	struct rt_placer placer;
	uint32_t i, group;

	rt_flame_init(&e->flame);
	rt_placer_open(&placer, g->profile, &e->flame);
	for (i = 0; i < page->sums && !e->flame.failed; i++) {
		page->sum(page->arg, i, &sum);
		if (sum.event != e->event->index || sum.filtered)
			continue;
		group = rt_place_group(&placer, sum.comm);
		/* Without a recorded stack the sampled function stands alone. */
		g->nodes[i] = sum.stack ? rt_place_stack(&placer, group, sum.stack) :
					  rt_place_func(&placer, group, sum.func);
		rt_flame_weigh(&e->flame, g->nodes[i], RT_FLAME_NOW, sum.period);
	}
	rt_placer_close(&placer);
	rt_flame_finish(&e->flame);
	e->shown = e->flame.failed ? NULL : calloc(e->flame.node_count, sizeof(*e->shown));
	return e->shown;
}

static bool prepare(struct rt_gather *g, const struct rt_gather_page *page)
{
	size_t i;

	g->order = calloc(g->count + 1, sizeof(struct rt_gathered *));
	g->nodes = calloc((size_t)page->sums + 1, sizeof(*g->nodes));
	if (!g->order || !g->nodes)
		return false;
	for (i = 0; i < g->count; i++)
		if (g->list[i])
			g->order[g->order_count++] = g->list[i];
	if (g->order_count)
		qsort(g->order, g->order_count, sizeof(*g->order), by_samples);
	for (i = 0; i < graph_count(g); i++)
		if (!make_graph(g, page, g->order[i]))
			return false;
	return true;
}

/* What the weight of a sample counts. */
static void set_unit(struct rt_flame_picture *p, const struct rt_perf_event *event)
{
	p->unit = RT_FLAME_COUNT;
	p->unit_name = rt_perf_event_name(event);
	if (event->attr.type == RT_TYPE_SOFTWARE && event->attr.config <= CONFIG_TASK_CLOCK)
		p->unit = RT_FLAME_NANOSECONDS;
	else if (event->attr.type == RT_TYPE_TRACEPOINT)
		p->unit_name = "events";
}

static void put_graphs(struct rt_gather *g, unsigned int halves, struct rt_text *out)
{
	struct rt_flame_picture p = {
		.subtitle = "", .width = 1400, .min_width = 0.2, .icicle = true
	};
	size_t i, shown = graph_count(g), frames = FRAMES_TOTAL >> halves;

	p.max_frames = frames / (shown ? shown : 1);
	p.max_undrawn = (UNDRAWN_TOTAL >> halves) / (shown ? shown : 1);
	rt_page_section_open(
		out, "flamegraph", "Flame graph",
		"A frame is as wide as its share and lies below its caller. Click to zoom, / to "
		"search, ? for all keys.");
	for (i = 0; i < shown; i++) {
		struct rt_gathered *e = g->order[i];

		p.title = rt_perf_event_name(e->event);
		set_unit(&p, e->event);
		rt_page_tab_open(out, p.title);
		rt_text_lit(out, "<div class=\"graph\">\n");
		e->frames = rt_flame_svg_element(&e->flame, &p, e->shown, out);
		rt_text_lit(out, "</div>\n");
		rt_page_div_close(out);
	}
	rt_page_left_out(out, g->order_count - shown, "event with fewer samples is not drawn",
			 "events with fewer samples are not drawn");
	rt_page_section_close(out);
}

static int put_tables(struct rt_gather *g, const struct rt_gather_page *page, size_t rows,
		      struct rt_text *out, struct rt_err *err)
{
	int ret = 0;
	size_t i;

	rows /= g->order_count ? g->order_count : 1;
	rt_page_section_open(
		out, "table", "Table",
		"Click a heading to sort, a row to find its function in the flame graph.");
	for (i = 0; !ret && i < g->order_count; i++) {
		const struct rt_perf_event *event = g->order[i]->event;

		rt_page_tab_open(out, rt_perf_event_name(event));
		ret = page->table(page->arg, event, rows < ROWS_LEAST ? ROWS_LEAST : rows, out,
				  err);
		rt_page_div_close(out);
	}
	rt_page_section_close(out);
	return ret;
}

static int put_page(struct rt_gather *g, const struct rt_gather_page *page,
		    const struct rt_caption *c, unsigned int halves, struct rt_text *out,
		    struct rt_err *err)
{
	struct rt_reader *reader = rt_profile_reader(g->profile);
	int ret;

	rt_page_open(out, c->title.base, c->subtitle.base);
	if (c->warning.len)
		rt_page_warning(out, c->warning.base);
	rt_page_summary(out, reader, &g->stats);
	rt_page_timeline(out, &g->timeline, g->no_time, g->no_cpu);
	put_graphs(g, halves, out);
	ret = put_tables(g, page, ROWS_TOTAL >> halves, out, err);
	rt_page_values(out, &g->values);
	rt_page_latency(out, g->latency);
	if (!ret)
		ret = rt_gather_slices(g, page, out, err);
	rt_page_close(out);
	if (!ret && (out->failed || g->timeline.failed))
		ret = rt_err_set(err, ENOMEM, "out of memory");
	return ret;
}

int rt_gather_write(struct rt_gather *g, const struct rt_gather_page *page, struct rt_text *out,
		    struct rt_err *err)
{
	struct rt_reader *reader = rt_profile_reader(g->profile);
	struct rt_caption c = { { 0 } };
	size_t before = out->len;
	unsigned int halves;
	int ret = 0;

	/* Memory that is not used costs nothing; text that grows is copied. */
	rt_text_room(out, BYTES_MAX);
	rt_caption_events(&c, reader);
	rt_caption_machine(&c, reader);
	rt_caption_amount(&c, &g->stats, "samples");
	rt_caption_losses(&c, reader, page->damaged);
	if (!rt_caption_end(&c) || !prepare(g, page))
		ret = rt_err_set(err, ENOMEM, "out of memory");
	for (halves = 0; !ret; halves++) {
		ret = put_page(g, page, &c, halves, out, err);
		if (ret || out->len - before <= BYTES_MAX || halves == HALVES_MAX)
			break;
		out->len = before;
	}
	rt_caption_free(&c);
	return ret;
}
