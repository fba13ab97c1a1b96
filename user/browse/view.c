// SPDX-License-Identifier: GPL-2.0
#include "browse/view.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "browse/screen.h"
#include "report/hierarchy.h"
#include "report/order.h"
#include "report/print.h"

void rt_view_say(struct rt_view *v, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(v->message, sizeof(v->message), fmt, ap);
	va_end(ap);
}

/* ---- which table ------------------------------------------------------------------------ */

/* The events of a pipe are announced one after the other. */
static int make_room(struct rt_view *v, struct rt_err *err)
{
	size_t count = rt_reader_events(v->report.reader)->count;
	void *events;

	if (count < v->events_room)
		return 0;
	events = realloc(v->events, (count + 1) * sizeof(*v->events));
	if (!events)
		return rt_err_set(err, ENOMEM, "out of memory");
	v->events = events;
	v->events_room = count + 1;
	return 0;
}

/* The event's table, or else the first one; the number of its events in v->events, or 0. */
static size_t choose_table(struct rt_view *v)
{
	const struct rt_perf_events *events = rt_reader_events(v->report.reader);
	size_t n = 0, i;

	if (!v->event_chosen)
		v->event = 0;
	if (v->event < events->count)
		n = rt_report_members(&v->report, events->list[v->event], v->events);
	for (i = 0; !n && i < events->count; i++) {
		n = rt_report_members(&v->report, events->list[i], v->events);
		if (n)
			v->event = i;
	}
	return n;
}

/* ---- the table and the place in it -------------------------------------------------------- */

/* A row, to be found again in another table. */
struct place {
	uint64_t identity;
	uint32_t node, up; /* rows below its line */
	uint32_t below_top;
	bool any;
};

static struct place remember(const struct rt_view *v)
{
	const struct rt_row *row = rt_view_row(v);
	struct place p = { .any = row && v->moved };

	if (!p.any)
		return p;
	p.identity = rt_line_identity(&v->table, v->table.lines[row->line]);
	while (v->selected > p.up && v->rows.list[v->selected - p.up].node)
		p.up++;
	p.below_top = v->selected - v->top;
	return p;
}

static void find_again(struct rt_view *v, const struct place *p)
{
	uint32_t i, k;

	if (!p->any) {
		v->top = v->selected = 0;
		return;
	}
	for (i = 0; i < v->rows.count; i++) {
		const struct rt_row *row = &v->rows.list[i];

		if (row->node ||
		    rt_line_identity(&v->table, v->table.lines[row->line]) != p->identity)
			continue;
		for (k = 0; k < p->up && i + 1 < v->rows.count && v->rows.list[i + 1].node; k++)
			i++;
		v->selected = i;
		v->top = i > p->below_top ? i - p->below_top : 0;
		break;
	}
	rt_view_select(v, v->selected);
}

static void drop_table(struct rt_view *v)
{
	if (v->made)
		rt_table_free(&v->table);
	v->made = false;
	v->rows.count = 0;
}

int rt_view_make(struct rt_view *v, struct rt_err *err)
{
	struct place place = remember(v);
	size_t members;
	int ret;

	drop_table(v);
	ret = make_room(v, err);
	if (ret || !v->report.settled)
		return ret;
	members = choose_table(v);
	if (!members)
		return 0;
	rt_zooms_apply(&v->zooms, &v->report);
	ret = rt_table_make(&v->table, &v->report, v->events, members, err);
	v->made = true;
	if (ret)
		return ret;
	rt_print_widths(&v->table, v->widths);
	rt_print_fix_widths(&v->table, v->widths);
	if (!v->how.hierarchy)
		rt_table_sort(&v->table);
	else if (rt_hierarchy_make(&v->table))
		return rt_err_set(err, ENOMEM, "out of memory");
	rt_rows_set(&v->rows, &v->table);
	rt_rows_list(&v->rows, v->only, v->widths);
	find_again(v, &place);
	return v->rows.failed ? rt_err_set(err, ENOMEM, "out of memory") : 0;
}

void rt_view_free(struct rt_view *v)
{
	drop_table(v);
	v->rows.branches.table = NULL;
	rt_rows_free(&v->rows);
	free(v->events);
	v->events = NULL;
	v->events_room = 0;
}

void rt_view_list(struct rt_view *v)
{
	if (!v->made)
		return;
	rt_rows_list(&v->rows, v->only, v->widths);
	rt_view_select(v, v->selected);
}

void rt_view_select(struct rt_view *v, int64_t row)
{
	int64_t height = rt_view_height(), last = (int64_t)v->rows.count - 1, top = v->top;

	if (row > last)
		row = last;
	if (row < 0)
		row = 0;
	if (row < top)
		top = row;
	if (row >= top + height)
		top = row - height + 1;
	/* Leave no room below the last row that rows above the top could take. */
	if (top > last - height + 1)
		top = last - height + 1;
	v->selected = (uint32_t)row;
	v->top = top < 0 ? 0 : (uint32_t)top;
}

const struct rt_row *rt_view_row(const struct rt_view *v)
{
	return v->made && v->selected < v->rows.count ? &v->rows.list[v->selected] : NULL;
}
