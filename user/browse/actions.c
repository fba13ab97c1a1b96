// SPDX-License-Identifier: GPL-2.0
/* actions.c - zooming, sorting, searching, and changing events. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "browse/menu.h"
#include "browse/screen.h"
#include "browse/view.h"
#include "report/hierarchy.h"
#include "report/key_text.h"
#include "report/print.h"

/* ---- zooming ---------------------------------------------------------------------------- */

static int zoom_into(struct rt_view *v, enum rt_zoom_kind kind, int32_t tid, const char *name,
		     struct rt_err *err)
{
	if (!rt_zooms_push(&v->zooms, kind, tid, name))
		return rt_err_set(err, ENOMEM, "out of memory");
	return rt_view_make(v, err);
}

/* Whether a row is in one object: of a hierarchy, rows at or below the level of objects. */
static bool has_object(const struct rt_view *v, const struct rt_row *row)
{
	const struct rt_line *l = v->table.lines[row->line];
	unsigned int level;

	if (l->level + 1 >= v->table.levels)
		return true;
	for (level = 0; level <= l->level; level++)
		if (!strcmp(rt_hierarchy_key(&v->table, level), "dso"))
			return true;
	return false;
}

int rt_view_zoom(struct rt_view *v, enum rt_zoom_kind kind, struct rt_err *err)
{
	const struct rt_row *row = rt_view_row(v);
	const struct rt_sum *sum;
	uint32_t object;

	if (rt_zooms_drop(&v->zooms, kind))
		return rt_view_make(v, err);
	if (!row)
		return 0;
	sum = &v->report.sums.list[v->table.lines[row->line]->where.sum];
	if (kind == RT_ZOOM_THREAD)
		return zoom_into(v, kind, sum->tid, sum->comm, err);
	if (!has_object(v, row)) {
		rt_view_say(v, "several objects are below this row; + opens it");
		return 0;
	}
	object = rt_key_object_name(&v->report, rt_row_func(&v->rows, row));
	return zoom_into(v, kind, 0, rt_pool_get(&v->report.pool, object), err);
}

int rt_view_zoom_kernel(struct rt_view *v, struct rt_err *err)
{
	uint32_t i;

	if (rt_zooms_drop(&v->zooms, RT_ZOOM_OBJECT))
		return rt_view_make(v, err);
	for (i = 0; v->made && i < v->table.count; i++) {
		uint32_t func = v->table.lines[i]->where.func;
		const struct rt_profile_func *f = rt_profile_func(*v->profile, func);

		if (f->object && rt_object_kind(f->object) == RT_OBJECT_KERNEL)
			return zoom_into(v, RT_ZOOM_OBJECT, 0,
					 rt_pool_get(&v->report.pool,
						     rt_key_object_name(&v->report, func)),
					 err);
	}
	rt_view_say(v, "no line is in the kernel");
	return 0;
}

int rt_view_back(struct rt_view *v, struct rt_err *err)
{
	size_t shown;

	if (*v->only) {
		v->only[0] = '\0';
		rt_view_list(v);
		return 0;
	}
	if (rt_zooms_pop(&v->zooms))
		return rt_view_make(v, err);
	if (rt_view_tables(v, &shown) > 1)
		return rt_view_choose_event(v, err);
	rt_view_say(v, "this is everything; q quits");
	return 0;
}

/* ---- events ----------------------------------------------------------------------------- */

static int set_event(struct rt_view *v, size_t event, struct rt_err *err)
{
	v->event_chosen = true;
	if (event == v->event)
		return 0;
	v->event = event;
	v->moved = false;
	v->shift = 0;
	rt_rows_close(&v->rows);
	return rt_view_make(v, err);
}

/* The events with which tables begin, as indexes; the caller frees the list. */
static size_t *list_tables(const struct rt_view *v, size_t *n)
{
	const struct rt_perf_events *events = rt_reader_events(v->report.reader);
	const struct rt_perf_event **members = calloc(events->count + 1, sizeof(*members));
	size_t *list = calloc(events->count + 1, sizeof(*list)), i;

	*n = 0;
	for (i = 0; list && members && i < events->count; i++)
		if (rt_report_members(&v->report, events->list[i], members))
			list[(*n)++] = i;
	free(members);
	return list;
}

size_t rt_view_tables(const struct rt_view *v, size_t *shown)
{
	size_t n, i, *list = list_tables(v, &n);

	for (*shown = 0, i = 0; i < n; i++)
		if (list[i] == v->event)
			*shown = i + 1;
	free(list);
	return n;
}

int rt_view_event(struct rt_view *v, int step, struct rt_err *err)
{
	size_t n, i, *list = list_tables(v, &n);
	int ret = 0;

	for (i = 0; i < n; i++)
		if (list[i] == v->event) {
			ret = set_event(v, list[(i + n + (size_t)step) % n], err);
			break;
		}
	if (n < 2)
		rt_view_say(v, "there are no samples of another event");
	free(list);
	return ret;
}

int rt_view_choose_event(struct rt_view *v, struct rt_err *err)
{
	const struct rt_perf_events *events = rt_reader_events(v->report.reader);
	size_t n, i, *list = list_tables(v, &n);
	char **items = calloc(n + 1, sizeof(*items));
	int chosen = -1, at = 0, ret = 0;

	for (i = 0; items && i < n; i++) {
		const struct rt_perf_event *event = events->list[list[i]];

		if (asprintf(&items[i], "%12" PRIu64 "  %s", v->report.samples[list[i]].all,
			     rt_perf_event_name(event)) < 0)
			items[i] = NULL;
		if (!items[i])
			break;
		if (list[i] == v->event)
			at = (int)i;
	}
	if (items && i == n && n)
		chosen = rt_menu_choose("     Samples  Event", (const char *const *)items, (int)n,
					at);
	if (chosen >= 0)
		ret = set_event(v, list[chosen], err);
	for (i = 0; items && i < n; i++)
		free(items[i]);
	free(items);
	free(list);
	return ret;
}

/* ---- sorting ---------------------------------------------------------------------------- */

/* Other keys need other values of the samples: the recording must be read again. */
static void sort_otherwise(struct rt_view *v)
{
	struct rt_report_options how = *v->opt->report;
	struct rt_err err = { "" };
	struct rt_report probe;
	char keys[RT_VIEW_WORDS];

	memcpy(keys, v->sort, sizeof(keys));
	if (!rt_menu_ask("Sort keys, such as comm,dso: ", keys, sizeof(keys)) || !*keys)
		return;
	if (rt_reader_is_pipe(v->report.reader)) {
		rt_view_say(v, "the recording came through a pipe; start with report -s %s", keys);
		return;
	}
	how.sort = keys;
	how.fields = NULL;
	if (rt_report_open(&probe, &how, *v->profile, &err)) {
		rt_view_say(v, "%s", err.text);
	} else {
		memcpy(v->sort, keys, sizeof(keys));
		v->again = true;
	}
	rt_report_close(&probe);
}

int rt_view_sort(struct rt_view *v, struct rt_err *err)
{
	const struct rt_columns *cols = &v->report.columns;
	const char *items[RT_COLUMNS_MAX + 1];
	const struct rt_column *columns[RT_COLUMNS_MAX];
	int n = 0, chosen;
	size_t i;

	for (i = 0; v->made && i < cols->shown_count; i++) {
		const struct rt_column *c = &cols->list[cols->shown[i]];

		if (rt_print_skips(&v->table, c))
			continue;
		columns[n] = c;
		items[n] = rt_print_name(&v->table, c);
		items[n] += strspn(items[n], " ");
		n++;
	}
	items[n] = "other sort keys …";
	chosen = rt_menu_choose("Sort by", items, n + 1, 0);
	if (chosen == n)
		sort_otherwise(v);
	if (chosen < 0 || chosen == n)
		return 0;
	if (v->how.hierarchy) {
		rt_view_say(v, "a hierarchy is sorted by its first column; choose other sort keys");
		return 0;
	}
	v->report.order_by = columns[chosen];
	v->moved = false;
	return rt_view_make(v, err);
}

/* ---- searching -------------------------------------------------------------------------- */

void rt_view_only(struct rt_view *v)
{
	if (!rt_menu_ask("Show only lines with: ", v->only, sizeof(v->only)))
		return;
	rt_view_list(v);
	rt_view_select(v, 0);
	v->moved = false;
	if (!v->rows.count)
		rt_view_say(v, "no line has this text; Esc shows all again");
}

void rt_view_find(struct rt_view *v, int step, bool ask)
{
	int64_t i, n = v->rows.count, at;
	struct rt_text text;
	bool found = false;

	if ((ask || !*v->find) && !rt_menu_ask("Find: ", v->find, sizeof(v->find)))
		return;
	if (!*v->find)
		return;
	rt_text_init(&text);
	for (i = 1; !found && i <= n; i++) {
		at = ((int64_t)v->selected + step * i % n + n) % n;
		rt_text_reset(&text);
		rt_row_text(&v->rows, &v->rows.list[at], v->widths, &text);
		rt_text_char(&text, '\0');
		found = !text.failed && strcasestr(text.base, v->find);
		if (found) {
			rt_view_select(v, at);
			v->moved = true;
		}
	}
	rt_text_free(&text);
	if (!found)
		rt_view_say(v, "'%s' is in no row that is shown", v->find);
}
