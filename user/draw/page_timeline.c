// SPDX-License-Identifier: GPL-2.0
/* page_timeline.c - the timeline of a page: counts as JSON, which assets/page.js draws. */
#include <stdlib.h>
#include <string.h>

#include "draw/escape.h"
#include "draw/page.h"

/* How many rows of a kind are shown; the others are added up in one more. */
#define EVENTS_SHOWN 48
#define CPUS_SHOWN   256
#define TASKS_SHOWN  40

/* Append counts; a run of n zeros is written as -n. */
static void put_counts(struct rt_text *out, const uint64_t *count, uint32_t n)
{
	const char *comma = "";
	uint32_t i, zeros;

	rt_text_char(out, '[');
	for (i = 0; i < n; i++) {
		for (zeros = 0; i + zeros < n && !count[i + zeros]; zeros++)
			;
		rt_text_str(out, comma);
		comma = ",";
		if (zeros) {
			rt_text_printf(out, "-%u", zeros);
			i += zeros - 1;
		} else {
			rt_text_u64(out, count[i]);
		}
	}
	rt_text_char(out, ']');
}

/* Append one row; its name is in NAME. */
static void put_row(struct rt_text *out, struct rt_text *name, uint64_t total,
		    const uint64_t *count, uint32_t n)
{
	rt_text_char(name, '\0');
	out->failed |= name->failed;
	rt_text_char(out, '[');
	rt_script_json(out, name->failed ? "" : name->base);
	rt_text_char(out, ',');
	rt_text_u64(out, total);
	rt_text_char(out, ',');
	put_counts(out, count, n);
	rt_text_char(out, ']');
	rt_text_reset(name);
}

static void name_row(enum rt_timeline_kind kind, const struct rt_timeline_row *row,
		     struct rt_text *name)
{
	if (kind == RT_TIMELINE_CPU)
		rt_text_lit(name, "CPU ");
	else
		rt_text_str(name, row->name ? row->name : "?");
	if (kind == RT_TIMELINE_TASK && row->tasks > 1) {
		rt_text_printf(name, " (%u tasks)", row->tasks);
		return;
	}
	if (kind == RT_TIMELINE_TASK)
		rt_text_char(name, '/');
	if (kind != RT_TIMELINE_EVENT)
		rt_text_s64(name, (int32_t)row->key);
}

/* Append the rows; those that are not shown are added up in one more. */
static void put_rows(struct rt_text *out, struct rt_timeline *t, enum rt_timeline_kind kind,
		     uint32_t shown)
{
	struct rt_timeline_row rest = { .rest = true };
	uint32_t i, b, count = t->row_count[kind], many = 0;
	struct rt_text name;
	bool overflow = false;

	rt_text_init(&name);
	for (i = 0; i < count; i++) {
		const struct rt_timeline_row *row = t->rows[kind][i];

		if (i < shown && !row->rest) {
			name_row(kind, row, &name);
			rt_text_str(out, i ? ",\n" : "");
			put_row(out, &name, row->total, row->count, t->used);
			continue;
		}
		many += kind == RT_TIMELINE_TASK ? row->tasks : 1;
		overflow |= row->rest;
		rest.total += row->total;
		for (b = 0; b < t->used; b++)
			rest.count[b] += row->count[b];
	}
	if (many) {
		rt_text_printf(&name, overflow ? "more than %u others" : "%u others",
			       many - overflow);
		rt_text_lit(out, ",\n");
		put_row(out, &name, rest.total, rest.count, t->used);
	}
	rt_text_free(&name);
}

/* ---- tasks of one name -------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
	const struct rt_timeline_row *l = *(struct rt_timeline_row *const *)a;
	const struct rt_timeline_row *r = *(struct rt_timeline_row *const *)b;

	if (l->rest != r->rest)
		return l->rest ? 1 : -1;
	return strcmp(l->name ? l->name : "", r->name ? r->name : "");
}

static int by_total(const void *a, const void *b)
{
	const struct rt_timeline_row *l = *(struct rt_timeline_row *const *)a;
	const struct rt_timeline_row *r = *(struct rt_timeline_row *const *)b;

	if (l->rest != r->rest)
		return l->rest ? 1 : -1;
	if (l->total != r->total)
		return l->total > r->total ? -1 : 1;
	return l->key < r->key ? -1 : l->key > r->key;
}

/* Add tasks of the same name up in one row; `tasks` says how many a row has.  Sorts the rows anew. */
static void join_tasks(struct rt_timeline *t)
{
	struct rt_timeline_row **rows = t->rows[RT_TIMELINE_TASK], *into = NULL;
	uint32_t i, b, n = 0, count = t->row_count[RT_TIMELINE_TASK];

	if (!count)
		return;
	qsort(rows, count, sizeof(*rows), by_name);
	for (i = 0; i < count; i++) {
		/* A page that was too large is made again: the rows are joined already. */
		rows[i]->tasks += !rows[i]->tasks;
		if (!into || rows[i]->rest || by_name(&into, &rows[i])) {
			into = rows[n++] = rows[i];
			continue;
		}
		into->tasks += rows[i]->tasks;
		into->total += rows[i]->total;
		for (b = 0; b < t->used; b++)
			into->count[b] += rows[i]->count[b];
		free(rows[i]);
	}
	t->row_count[RT_TIMELINE_TASK] = n;
	qsort(rows, n, sizeof(*rows), by_total);
}

static void put_group(struct rt_text *out, struct rt_timeline *t, enum rt_timeline_kind kind,
		      const char *name, uint32_t shown)
{
	rt_text_printf(out, "{\"name\":\"%s\",\"rows\":[", name);
	put_rows(out, t, kind, shown);
	rt_text_lit(out, "]}");
}

/* The losses of one kind of record: of LOST, or if there are none of LOST_SAMPLES. */
static const uint64_t *losses(const struct rt_timeline *t)
{
	static const uint64_t none[RT_TIMELINE_BUCKETS];
	const struct rt_timeline_row *found = NULL;
	uint32_t i;

	for (i = 0; i < t->row_count[RT_TIMELINE_LOST]; i++)
		if (!found || t->rows[RT_TIMELINE_LOST][i]->key == RT_PERF_RECORD_LOST)
			found = t->rows[RT_TIMELINE_LOST][i];
	return found ? found->count : none;
}

void rt_page_timeline(struct rt_text *out, struct rt_timeline *t, uint64_t no_time, uint64_t no_cpu)
{
	if (!t->row_count[RT_TIMELINE_EVENT] && !no_time)
		return;
	rt_timeline_sort(t);
	join_tasks(t);
	rt_page_section_open(
		out, "timeline", "Timeline",
		"Samples over time. Drag to choose a part: the flame graph and the table show it, "
		"too. Double-click or Esc shows everything; arrow keys move, + and - zoom. Losses "
		"are red.");
	rt_page_left_out(out, no_time, "sample has no time and is not on the timeline",
			 "samples have no time and are not on the timeline");
	rt_page_left_out(out, no_cpu, "sample does not say its CPU",
			 "samples do not say their CPU");
	if (!t->row_count[RT_TIMELINE_EVENT]) {
		rt_page_section_close(out);
		return;
	}
	rt_text_lit(
		out,
		"<div class=\"timeline\"><noscript>The timeline needs scripts.</noscript></div>\n"
		"<script type=\"application/json\" id=\"timeline-data\">{\"start\":\"");
	rt_text_printf(out, "%llu.%09llu", (unsigned long long)(t->start / 1000000000),
		       (unsigned long long)(t->start % 1000000000));
	rt_text_printf(out, "\",\"width\":%llu,\"buckets\":%u,\"groups\":[",
		       (unsigned long long)rt_timeline_width(t), t->used);
	put_group(out, t, RT_TIMELINE_EVENT, "events", EVENTS_SHOWN);
	if (t->row_count[RT_TIMELINE_CPU]) {
		rt_text_lit(out, ",\n");
		put_group(out, t, RT_TIMELINE_CPU, "CPUs", CPUS_SHOWN);
	}
	rt_text_lit(out, ",\n");
	put_group(out, t, RT_TIMELINE_TASK, "tasks", TASKS_SHOWN);
	rt_text_lit(out, "],\"lost\":");
	put_counts(out, losses(t), t->used);
	rt_text_lit(out, "}</script>\n");
	rt_page_section_close(out);
}
