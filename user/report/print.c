// SPDX-License-Identifier: GPL-2.0
/* print.c - the tables as text: headings, column names, lines. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report/graph.h"
#include "report/order.h"
#include "report/print.h"

#define FLUSH_AT (64u << 10) /* bytes */

static const struct {
	const char *name;
	unsigned int width;
	bool percent;
} numbers[] = {
	[RT_COL_SELF] = { "Overhead", 8, true },
	[RT_COL_CHILDREN] = { "Children", 8, true },
	[RT_COL_SYSTEM] = { "sys", 8, true },
	[RT_COL_USER] = { "usr", 8, true },
	[RT_COL_GUEST_SYSTEM] = { "guest sys", 9, true },
	[RT_COL_GUEST_USER] = { "guest usr", 9, true },
	[RT_COL_SAMPLES] = { "Samples", 12, false },
	[RT_COL_PERIODS] = { "Period", 12, false },
};

const char *rt_print_name(const struct rt_report_table *t, const struct rt_column *c)
{
	if (c->kind == RT_COL_KEY)
		return c->key->header;
	if (c->kind == RT_COL_SELF && t->r->opt->children && !t->r->opt->fields)
		return "Self";
	return numbers[c->kind].name;
}

bool rt_print_skips(const struct rt_report_table *t, const struct rt_column *c)
{
	return c->kind == RT_COL_KEY &&
	       (c->key->elided || (c->key->event && c->key->event != t->events[0]));
}

void rt_print_widths(const struct rt_report_table *t, unsigned int *widths)
{
	const struct rt_columns *cols = &t->r->columns;
	size_t i;
	uint32_t k;

	for (i = 0; i < cols->shown_count; i++) {
		const struct rt_column *c = &cols->list[cols->shown[i]];
		const struct rt_key_type *type = c->key ? c->key->type : NULL;

		widths[i] = (unsigned int)strlen(rt_print_name(t, c));
		if (c->kind != RT_COL_KEY) {
			unsigned int width = numbers[c->kind].width * (unsigned int)t->members;

			if (widths[i] < width)
				widths[i] = width;
			continue;
		}
		if (widths[i] < type->min_width)
			widths[i] = type->min_width;
		for (k = 0; type->width && k < t->count; k++) {
			unsigned int width;

			if (t->lines[k]->filtered)
				continue;
			width = type->width(t->r, c->key, &t->lines[k]->where);
			if (widths[i] < width)
				widths[i] = width;
		}
	}
}

void rt_print_fix_widths(const struct rt_report_table *t, unsigned int *widths)
{
	const char *text = t->r->opt->widths;
	size_t i;

	for (i = 0; text && *text && i < t->r->columns.shown_count; i++) {
		char *end;
		unsigned long width = strtoul(text, &end, 10);

		if (end == text)
			return;
		if (width && width < 1024)
			widths[i] = (unsigned int)width;
		text = *end == ',' ? end + 1 : end;
	}
}

void rt_print_names(const struct rt_report_table *t, const unsigned int *widths,
		    struct rt_text *out)
{
	const struct rt_columns *cols = &t->r->columns;
	char separator = t->r->opt->separator;
	bool first = true;
	size_t i;

	for (i = 0; i < cols->shown_count; i++) {
		const struct rt_column *c = &cols->list[cols->shown[i]];
		bool right = c->kind != RT_COL_KEY || c->key->event;

		if (rt_print_skips(t, c))
			continue;
		if (!first && separator)
			rt_text_char(out, separator);
		else if (!first)
			rt_text_lit(out, "  ");
		first = false;
		rt_text_printf(out, right ? "%*.*s" : "%-*.*s", (int)widths[i], (int)widths[i],
			       rt_print_name(t, c));
	}
}

static void put_heading(const struct rt_report_table *t, const unsigned int *widths,
			struct rt_text *out)
{
	const struct rt_columns *cols = &t->r->columns;
	bool first = true;
	size_t i;

	rt_text_lit(out, "# ");
	rt_print_names(t, widths, out);
	rt_text_char(out, '\n');
	if (t->r->opt->separator)
		return;
	rt_text_char(out, '#');
	for (i = 0; i < cols->shown_count; i++) {
		if (rt_print_skips(t, &cols->list[cols->shown[i]]))
			continue;
		rt_text_fill(out, ' ', first ? 1 : 2);
		first = false;
		rt_text_fill(out, '.', (int)widths[i]);
	}
	rt_text_lit(out, "\n#\n");
}

void rt_print_number(const struct rt_report_table *t, const struct rt_line *l,
		     enum rt_column_kind kind, unsigned int width, struct rt_text *out)
{
	bool percent = numbers[kind].percent, narrow = t->r->opt->separator;
	int len = narrow ? 1 : (int)(width / t->members) - (percent ? 2 : 1);
	size_t m;

	for (m = 0; m < t->members; m++) {
		uint64_t number = rt_line_number(t, l, kind, m);

		if (!percent)
			rt_text_printf(out, " %*llu", len, (unsigned long long)number);
		else
			rt_text_printf(out, " %*.2f%%", len,
				       t->total[m] ? (double)number * 100.0 / (double)t->total[m] :
						     0.0);
	}
}

void rt_print_columns(const struct rt_report_table *t, const struct rt_line *l,
		      const unsigned int *widths, struct rt_text *out)
{
	const struct rt_columns *cols = &t->r->columns;
	char separator = t->r->opt->separator;
	bool first = true;
	size_t i;

	for (i = 0; i < cols->shown_count; i++) {
		const struct rt_column *c = &cols->list[cols->shown[i]];
		size_t start;

		if (rt_print_skips(t, c))
			continue;
		if (!separator)
			rt_text_lit(out, "  ");
		else if (!first)
			rt_text_char(out, separator);
		first = false;
		start = out->len;
		if (c->kind == RT_COL_KEY)
			c->key->type->text(t->r, c->key, &l->where, widths[i], out);
		else
			rt_print_number(t, l, c->kind, widths[i], out);
		if (i + 1 < cols->shown_count && out->len - start < widths[i])
			rt_text_fill(out, ' ', (int)(widths[i] - (out->len - start)));
	}
}

static int flush(struct rt_text *text, FILE *out)
{
	bool failed = text->failed || fwrite(text->base, 1, text->len, out) != text->len;

	rt_text_reset(text);
	return failed ? -EIO : 0;
}

bool rt_print_wants(const struct rt_report_table *t, const struct rt_line *l)
{
	return !l->filtered && (float)rt_line_percent(t, l) >= (float)t->r->opt->percent_limit;
}

static int put_lines(struct rt_report_table *t, const unsigned int *widths, struct rt_text *text,
		     FILE *out)
{
	const struct rt_report_options *opt = t->r->opt;
	struct rt_tree tree = { 0 };
	uint32_t i;
	int ret = 0;

	for (i = 0; !ret && i < t->count; i++) {
		const struct rt_line *l = t->lines[i];

		if (!rt_print_wants(t, l))
			continue;
		rt_print_columns(t, l, widths, text);
		rt_text_char(text, '\n');
		if (opt->stacks && rt_graph_shows(t, l)) {
			rt_tree_make(&tree, t, l);
			if (tree.count)
				rt_graph_print(&tree, t, l, text);
		}
		if (text->len >= FLUSH_AT)
			ret = flush(text, out);
	}
	if (!ret && tree.failed)
		ret = -ENOMEM;
	rt_tree_free(&tree);
	return ret;
}

int rt_print_table(struct rt_report_table *t, struct rt_text *text, FILE *out)
{
	unsigned int widths[RT_COLUMNS_MAX];

	rt_print_widths(t, widths);
	rt_print_fix_widths(t, widths);
	if (!t->r->opt->quiet)
		put_heading(t, widths, text);
	return put_lines(t, widths, text, out);
}
