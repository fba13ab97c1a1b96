// SPDX-License-Identifier: GPL-2.0
/* gather_slices.c - the numbers of tables and flame graphs over time, as JSON for assets/page.js. */
#include <errno.h>
#include <stdlib.h>

#include "draw/gathered.h"

#define BYTES_MAX 1200000 /* longer slices need fewer */

static void find_units(struct rt_gather *g, const struct rt_gather_page *page)
{
	struct rt_gather_sum sum;
	struct rt_gathered *e;
	uint32_t i;

	for (i = 0; i < page->sums; i++) {
		page->sum(page->arg, i, &sum);
		e = sum.event < g->count ? g->list[sum.event] : NULL;
		if (e)
			e->unit = rt_slice_unit(&g->slices, i, e->unit);
	}
}

/* The sums that are drawn in each frame: list[first[frame]] up to list[first[frame + 1]]. */
static void sort_sums(const struct rt_gather *g, const struct rt_gather_page *page,
		      const struct rt_gathered *e, uint32_t *first, uint32_t *list)
{
	struct rt_gather_sum sum;
	uint32_t i;
	int pass;

	/* Count first, then fill from the end of each frame's part. */
	for (pass = 0; pass < 2; pass++) {
		for (i = 0; i < page->sums; i++) {
			page->sum(page->arg, i, &sum);
			if (sum.event != e->event->index || sum.filtered)
				continue;
			if (pass)
				list[--first[e->shown[g->nodes[i]]]] = i;
			else
				first[e->shown[g->nodes[i]]]++;
		}
		for (i = 1; !pass && i <= e->frames; i++)
			first[i] += first[i - 1];
	}
}

static bool put_graph(const struct rt_gather *g, const struct rt_gather_page *page,
		      const struct rt_gathered *e, struct rt_slice_rows *rows)
{
	uint32_t *first = calloc(e->frames + 2, sizeof(*first));
	uint32_t *list = malloc(((size_t)page->sums + 1) * sizeof(*list));
	bool done = first && list;
	size_t frame;
	uint32_t i;

	if (done)
		sort_sums(g, page, e, first, list);
	for (frame = 0; done && frame < e->frames; frame++) {
		for (i = first[frame]; i < first[frame + 1]; i++)
			rt_slice_rows_weights(rows, list[i]);
		if (frame)
			rt_text_char(rows->out, ',');
		rt_slice_rows_end(rows, e->unit);
	}
	free(first);
	free(list);
	return done;
}

static bool put_all(struct rt_gather *g, const struct rt_gather_page *page, struct rt_text *out)
{
	struct rt_slice_rows rows = { .slices = &g->slices, .out = out };
	size_t i;

	rows.count = rt_slices_count(&g->slices, g->timeline.used);
	rt_text_printf(out,
		       "<script type=\"application/json\" id=\"slices-data\">{\"group\":%u,"
		       "\"count\":%u,\"events\":[",
		       1u << g->slices.group, rows.count);
	for (i = 0; i < g->order_count; i++) {
		struct rt_gathered *e = g->order[i];

		rt_text_printf(out, "%s{\"unit\":%llu,\"table\":[", i ? ",\n" : "",
			       (unsigned long long)(e->unit ? e->unit : 1));
		page->slices(page->arg, e->event, e->unit, &rows);
		rt_text_lit(out, "],\"graph\":[");
		if (e->frames && !put_graph(g, page, e, &rows))
			return false;
		rt_text_lit(out, "]}");
	}
	rt_text_lit(out, "]}</script>\n");
	return true;
}

int rt_gather_slices(struct rt_gather *g, const struct rt_gather_page *page, struct rt_text *out,
		     struct rt_err *err)
{
	size_t before = out->len;

	if (!g->slices.items)
		return 0;
	find_units(g, page);
	for (;;) {
		if (!put_all(g, page, out))
			return rt_err_set(err, ENOMEM, "out of memory");
		if (out->len - before <= BYTES_MAX ||
		    rt_slices_count(&g->slices, g->timeline.used) == 1)
			return 0;
		out->len = before;
		if (!rt_slices_coarsen(&g->slices))
			return rt_err_set(err, ENOMEM, "out of memory");
	}
}
