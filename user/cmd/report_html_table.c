// SPDX-License-Identifier: GPL-2.0
#include "cmd/report_html_table.h"

#include <errno.h>
#include <stdlib.h>

#include "draw/escape.h"
#include "draw/number.h"
#include "draw/page.h"
#include "report/order.h"
#include "report/print.h"

/* One of so many rows is an element of the page; a script adds the others when they are wanted. */
#define ROWS_DRAWN 10

/* ---- HTML ----------------------------------------------------------------------------- */

static void put_heading(const struct rt_report_table *t, struct rt_text *out)
{
	const struct rt_columns *cols = &t->r->columns;
	size_t i;

	rt_text_lit(out, "<div class=\"scroll\"><table class=\"table\"><thead><tr>");
	for (i = 0; i < cols->shown_count; i++) {
		const struct rt_column *c = &cols->list[cols->shown[i]];

		if (rt_print_skips(t, c))
			continue;
		rt_text_str(out, c->kind == RT_COL_KEY	   ? "<th>" :
				 c->kind == RT_COL_SAMPLES ? "<th class=\"n count\">" :
							     "<th class=\"n\">");
		rt_xml_text(out, rt_print_name(t, c));
		rt_text_lit(out, "</th>");
	}
	rt_text_lit(out, "</tr></thead><tbody>\n");
}

static void put_number(const struct rt_report_table *t, const struct rt_line *l,
		       const struct rt_column *c, struct rt_text *out)
{
	uint64_t number = rt_line_number(t, l, c->kind, 0);
	double whole = (double)t->total[0];

	if (c->kind == RT_COL_SAMPLES || c->kind == RT_COL_PERIODS) {
		rt_text_lit(out, "<td class=\"n\">");
		rt_text_u64(out, number);
	} else {
		rt_text_lit(out, "<td class=\"n share\">");
		rt_number_bar(out, (double)number, whole);
		rt_text_lit(out, "<span>");
		rt_number_percent(out, (double)number, whole);
		rt_text_lit(out, "</span>");
	}
	rt_text_lit(out, "</td>");
}

/* The text of a key as report prints it, without the blanks of its column. */
static void put_key(const struct rt_report_table *t, const struct rt_line *l,
		    const struct rt_column *c, unsigned int width, struct rt_text *text,
		    struct rt_text *out)
{
	const char *at;

	rt_text_reset(text);
	c->key->type->text(t->r, c->key, &l->where, width, text);
	while (text->len && text->base[text->len - 1] == ' ')
		text->len--;
	rt_text_char(text, '\0');
	out->failed |= text->failed;
	for (at = text->failed ? "" : text->base; *at == ' '; at++)
		;
	rt_text_lit(out, "<td>");
	rt_xml_text(out, at);
	rt_text_lit(out, "</td>");
}

static void put_line(const struct rt_report_table *t, const struct rt_line *l,
		     const unsigned int *widths, struct rt_text *text, struct rt_text *out)
{
	const struct rt_columns *cols = &t->r->columns;
	const char *symbol = rt_profile_func(t->r->profile, l->where.func)->name;
	size_t i;

	rt_text_lit(out, "<tr");
	if (cols->has_symbol && symbol) {
		rt_text_lit(out, " data-symbol=\"");
		rt_xml_text(out, symbol);
		rt_text_char(out, '"');
	}
	rt_text_char(out, '>');
	for (i = 0; i < cols->shown_count; i++) {
		const struct rt_column *c = &cols->list[cols->shown[i]];

		if (rt_print_skips(t, c))
			continue;
		if (c->kind == RT_COL_KEY)
			put_key(t, l, c, widths[i], text, out);
		else
			put_number(t, l, c, out);
	}
	rt_text_lit(out, "</tr>\n");
}

/* The text of a cell as JSON; of a number also what a bar shows. */
static void put_cell(const struct rt_report_table *t, const struct rt_line *l,
		     const struct rt_column *c, unsigned int width, struct rt_text *text,
		     struct rt_text *out)
{
	const char *at;

	rt_text_reset(text);
	if (c->kind == RT_COL_KEY)
		c->key->type->text(t->r, c->key, &l->where, width, text);
	else if (c->kind == RT_COL_SAMPLES || c->kind == RT_COL_PERIODS)
		rt_text_u64(text, rt_line_number(t, l, c->kind, 0));
	else
		rt_number_percent(text, (double)rt_line_number(t, l, c->kind, 0),
				  (double)t->total[0]);
	while (text->len && text->base[text->len - 1] == ' ')
		text->len--;
	rt_text_char(text, '\0');
	out->failed |= text->failed;
	for (at = text->failed ? "" : text->base; *at == ' '; at++)
		;
	rt_script_json(out, at);
}

/* Rows that a script shows when they are looked for: the name of the function, and the cells. */
static void put_more(const struct rt_report_table *t, uint32_t from, uint32_t to,
		     const unsigned int *widths, struct rt_text *text, struct rt_text *out)
{
	const struct rt_columns *cols = &t->r->columns;
	uint32_t i;
	size_t k;

	if (from == to)
		return;
	rt_text_lit(out, "<script type=\"application/json\" class=\"rows\">[");
	for (i = from; i < to; i++) {
		const char *symbol = rt_profile_func(t->r->profile, t->lines[i]->where.func)->name;

		rt_text_str(out, i > from ? ",\n[" : "[");
		rt_script_json(out, cols->has_symbol && symbol ? symbol : "");
		for (k = 0; k < cols->shown_count; k++) {
			const struct rt_column *c = &cols->list[cols->shown[k]];

			if (rt_print_skips(t, c))
				continue;
			rt_text_char(out, ',');
			put_cell(t, t->lines[i], c, widths[k], text, out);
		}
		rt_text_char(out, ']');
	}
	rt_text_lit(out, "]</script>\n");
}

static void put_lines(struct rt_html_table *table, size_t rows, struct rt_text *text,
		      struct rt_text *out)
{
	struct rt_report_table *t = &table->of;
	uint32_t i, drawn, count = t->count, shown = rows < count ? (uint32_t)rows : count;
	unsigned int widths[RT_COLUMNS_MAX];

	rt_table_sort_first(t, shown);
	/* Columns need no room for lines that are not shown. */
	t->count = shown;
	rt_print_widths(t, widths);
	t->count = count;
	drawn = rows / ROWS_DRAWN < shown ? (uint32_t)(rows / ROWS_DRAWN) : shown;
	for (i = 0; i < drawn; i++)
		put_line(t, t->lines[i], widths, text, out);
	table->shown = shown;
	rt_text_lit(out, "</tbody></table></div>\n");
	put_more(t, drawn, shown, widths, text, out);
	rt_page_left_out(out, count - shown,
			 "more row is left out; ringtail report --stdio has all",
			 "more rows are left out; ringtail report --stdio has all");
}

/* ---- the tables ------------------------------------------------------------------------- */

struct rt_html_table *rt_html_table_find(struct rt_html_tables *tables,
					 const struct rt_perf_event *event)
{
	struct rt_html_table *t = tables->list;

	while (t && t->event != event)
		t = t->next;
	return t;
}

static int make(struct rt_html_tables *tables, const struct rt_perf_event *event,
		struct rt_html_table **out, struct rt_err *err)
{
	struct rt_html_table *t = calloc(1, sizeof(*t));
	uint32_t i, wanted = 0;
	int ret;

	if (!t)
		return rt_err_set(err, ENOMEM, "out of memory");
	t->event = event;
	t->next = tables->list;
	*out = tables->list = t;
	ret = rt_table_make(&t->of, &tables->report, &t->event, 1, err);
	t->made = t->of.count;
	for (i = 0; !ret && i < t->of.count; i++)
		if (rt_print_wants(&t->of, t->of.lines[i]))
			t->of.lines[wanted++] = t->of.lines[i];
	t->of.count = wanted;
	return ret;
}

int rt_html_table_put(struct rt_html_tables *tables, const struct rt_perf_event *event, size_t rows,
		      struct rt_text *out, struct rt_err *err)
{
	struct rt_html_table *t = rt_html_table_find(tables, event);
	int ret = t ? 0 : make(tables, event, &t, err);

	if (ret)
		return ret;
	put_heading(&t->of, out);
	put_lines(t, rows, &tables->text, out);
	return 0;
}

void rt_html_tables_free(struct rt_html_tables *tables)
{
	struct rt_html_table *t, *next;

	for (t = tables->list; t; t = next) {
		next = t->next;
		rt_table_free(&t->of);
		free(t);
	}
	rt_text_free(&tables->text);
	rt_report_close(&tables->report);
}
