// SPDX-License-Identifier: GPL-2.0
#include "report/diff_print.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/diff_table.h"
#include "report/key_text.h"

#define COLUMNS_MAX 256
#define CELL_MAX    128

enum kind {
	BASELINE,
	BASE_PERIOD,
	COMPUTED,
	FORMULA,
	PERIOD,
};

struct column {
	enum kind kind;
	size_t file;
	char name[40];
	unsigned int width;
};

struct columns {
	struct column list[COLUMNS_MAX];
	size_t count;
	unsigned int key_widths[RT_COLUMNS_MAX];
};

/* ---- columns -------------------------------------------------------------------------- */

static void add(struct columns *c, const struct rt_diff_table *t, enum kind kind, size_t file)
{
	static const struct {
		const char *name;
		unsigned int width;
	} computed[] = {
		[RT_DIFF_DELTA_ABS] = { "Delta Abs", 7 },
		[RT_DIFF_DELTA] = { "Delta", 7 },
		[RT_DIFF_RATIO] = { "Ratio", 14 },
		[RT_DIFF_WEIGHTED] = { "Weighted diff", 14 },
	}, others[] = {
		[BASELINE] = { "Baseline", 8 }, [BASE_PERIOD] = { "Base period", 14 },
		[FORMULA] = { "Formula", 70 },	[PERIOD] = { "Period", 14 },
	};
	const char *name = kind == COMPUTED ? computed[t->opt->compute].name : others[kind].name;
	struct column *col = &c->list[c->count];

	if (c->count == COLUMNS_MAX)
		return;
	c->count++;
	col->kind = kind;
	col->file = file;
	col->width = kind == COMPUTED ? computed[t->opt->compute].width : others[kind].width;
	if (t->count > 2)
		snprintf(col->name, sizeof(col->name), "%s/%zu", name, file);
	else
		snprintf(col->name, sizeof(col->name), "%s", name);
	if (col->width < strlen(col->name))
		col->width = (unsigned int)strlen(col->name);
}

static void make_columns(struct columns *c, const struct rt_diff_table *t)
{
	const struct rt_columns *keys = &t->files[0].report.columns;
	size_t i, k;
	uint32_t n;

	c->count = 0;
	add(c, t, BASELINE, 0);
	if (t->opt->show_period)
		add(c, t, BASE_PERIOD, 0);
	for (i = 1; i < t->count; i++) {
		add(c, t, COMPUTED, i);
		if (t->opt->show_formula)
			add(c, t, FORMULA, i);
		if (t->opt->show_period)
			add(c, t, PERIOD, i);
	}
	for (k = 0; k < keys->key_count; k++) {
		const struct rt_key *key = keys->keys[k];
		struct rt_report *r;
		unsigned int width;

		c->key_widths[k] = (unsigned int)strlen(key->header);
		if (c->key_widths[k] < key->type->min_width)
			c->key_widths[k] = key->type->min_width;
		for (n = 0; key->type->width && n < t->line_count; n++) {
			if (t->lines[n]->line->filtered)
				continue;
			r = &t->files[t->lines[n]->file].report;
			width = key->type->width(r, r->columns.keys[k], &t->lines[n]->line->where);

			if (c->key_widths[k] < width)
				c->key_widths[k] = width;
		}
	}
}

/* ---- cells ------------------------------------------------------------------------------ */

static void formula(const struct rt_diff_table *t, const struct rt_diff_line *l, size_t file,
		    char *out)
{
	uint64_t new = l->cell[file].period, old = l->cell[0].period;

	switch (t->opt->compute) {
	case RT_DIFF_RATIO:
		snprintf(out, CELL_MAX, "%.0F / %.0F", (double)new, (double)old);
		break;
	case RT_DIFF_WEIGHTED:
		snprintf(out, CELL_MAX, "(%.0F * %" PRId64 ") - (%.0F * %" PRId64 ")", (double)new,
			 t->opt->weight_new, (double)old, t->opt->weight_old);
		break;
	default:
		snprintf(out, CELL_MAX,
			 "(%" PRIu64 " * 100 / %" PRIu64 ") - (%" PRIu64 " * 100 / %" PRIu64 ")",
			 new, t->total[file], old, t->total[0]);
	}
}

static void computed(const struct rt_diff_table *t, const struct rt_diff_line *l, size_t file,
		     char *out)
{
	double value = l->cell[file].value;

	if (t->opt->compute == RT_DIFF_DELTA || t->opt->compute == RT_DIFF_DELTA_ABS)
		snprintf(out, CELL_MAX, "%+4.2F%%", value);
	else if (!l->cell[0].present)
		snprintf(out, CELL_MAX, "N/A");
	else if (t->opt->compute == RT_DIFF_RATIO && value > 0)
		snprintf(out, CELL_MAX, "%14.6F", value);
	else if (t->opt->compute == RT_DIFF_WEIGHTED)
		snprintf(out, CELL_MAX, "%14.0f", value);
}

static void cell(const struct rt_diff_table *t, const struct rt_diff_line *l,
		 const struct column *c, char *out)
{
	bool separator = t->files[0].report.opt->separator;
	double percent;

	*out = '\0';
	if (c->kind > BASE_PERIOD && !l->cell[c->file].present)
		return;
	switch (c->kind) {
	case BASELINE:
		percent = rt_diff_percent(t, l, 0);
		if (percent > 0)
			snprintf(out, CELL_MAX, separator ? "%.2f" : "%5.2f%%", percent);
		break;
	case BASE_PERIOD:
	case PERIOD:
		snprintf(out, CELL_MAX, "%" PRIu64, l->cell[c->file].period);
		break;
	case COMPUTED:
		computed(t, l, c->file, out);
		break;
	case FORMULA:
		formula(t, l, c->file, out);
		break;
	}
}

/* ---- text --------------------------------------------------------------------------------- */

/* Begin a column; `first` is cleared. */
static void put_separator(char separator, bool *first, bool heading, struct rt_text *out)
{
	if (!separator) {
		if (!*first || !heading)
			rt_text_lit(out, "  ");
	} else if (!*first) {
		rt_text_char(out, separator);
	}
	*first = false;
}

static void put_heading(const struct rt_diff_table *t, const struct columns *c, struct rt_text *out)
{
	const struct rt_columns *keys = &t->files[0].report.columns;
	char separator = t->files[0].report.opt->separator;
	bool first = true;
	size_t i;

	rt_text_lit(out, "# ");
	for (i = 0; i < c->count; i++) {
		put_separator(separator, &first, true, out);
		rt_text_str_width(out, c->list[i].name, (int)c->list[i].width);
	}
	for (i = 0; i < keys->key_count; i++)
		if (!keys->keys[i]->elided) {
			put_separator(separator, &first, true, out);
			rt_text_str_width(out, keys->keys[i]->header, -(int)c->key_widths[i]);
		}
	rt_text_char(out, '\n');
	if (separator)
		return;
	rt_text_lit(out, "# ");
	for (first = true, i = 0; i < c->count; i++) {
		put_separator(0, &first, true, out);
		rt_text_fill(out, '.', (int)c->list[i].width);
	}
	for (i = 0; i < keys->key_count; i++)
		if (!keys->keys[i]->elided) {
			put_separator(0, &first, true, out);
			rt_text_fill(out, '.', (int)c->key_widths[i]);
		}
	rt_text_lit(out, "\n#\n");
}

static void put_line(const struct rt_diff_table *t, const struct columns *c,
		     const struct rt_diff_line *l, struct rt_text *out)
{
	struct rt_report *r = &t->files[l->file].report;
	bool first = true;
	char text[CELL_MAX];
	size_t i, start;

	for (i = 0; i < c->count; i++) {
		put_separator(r->opt->separator, &first, false, out);
		cell(t, l, &c->list[i], text);
		if (r->opt->separator)
			rt_text_str_width(out, text + strspn(text, " "), -(int)c->list[i].width);
		else
			rt_text_str_width(out, text, (int)c->list[i].width);
	}
	for (i = 0; i < r->columns.key_count; i++) {
		const struct rt_key *key = r->columns.keys[i];

		if (key->elided)
			continue;
		put_separator(r->opt->separator, &first, false, out);
		start = out->len;
		key->type->text(r, key, &l->line->where, c->key_widths[i], out);
		if (i + 1 < r->columns.key_count && out->len - start < c->key_widths[i])
			rt_text_fill(out, ' ', (int)(c->key_widths[i] - (out->len - start)));
	}
	rt_text_char(out, '\n');
}

/* Whether there was a line. */
static bool put_table(const struct rt_diff_table *t, const char *event, struct rt_text *out)
{
	struct columns c;
	bool shown = false;
	uint32_t i;
	size_t k;

	make_columns(&c, t);
	if (!t->opt->quiet) {
		rt_text_lit(out, "# Event '");
		rt_key_put_all(&t->files[0].report, event, out);
		rt_text_lit(out, "'\n#\n");
		if (t->count > 2) {
			rt_text_lit(out, "# Data files:\n");
			for (k = 0; k < t->count; k++)
				rt_text_printf(out, "#  [%zu] %s %s\n", k, t->files[k].name,
					       k ? "" : "(Baseline)");
			rt_text_lit(out, "#\n");
		}
		put_heading(t, &c, out);
	}
	for (i = 0; i < t->line_count; i++) {
		if (t->lines[i]->line->filtered)
			continue;
		put_line(t, &c, t->lines[i], out);
		shown = true;
	}
	return shown;
}

/* ---- events -------------------------------------------------------------------------------- */

/* The event of the same name, or else of the same kind. */
static const struct rt_perf_event *find_event(const struct rt_reader *reader,
					      const struct rt_perf_event *like)
{
	const struct rt_perf_events *events = rt_reader_events(reader);
	const struct rt_perf_event *named = rt_perf_events_find(events, rt_perf_event_name(like));
	size_t i;

	if (named)
		return named;
	for (i = 0; i < events->count; i++)
		if (events->list[i]->attr.type == like->attr.type &&
		    events->list[i]->attr.config == like->attr.config)
			return events->list[i];
	return NULL;
}

int rt_diff_print(const struct rt_diff_options *opt, struct rt_diff_file *files, size_t count,
		  FILE *out, struct rt_err *err)
{
	const struct rt_perf_events *events = rt_reader_events(files[0].report.reader);
	const struct rt_perf_event **list = calloc(count, sizeof(*list));
	struct rt_diff_table table;
	struct rt_text text;
	bool first = true;
	size_t i, k;
	int ret = 0;

	if (!list)
		return rt_err_set(err, ENOMEM, "out of memory");
	rt_text_init(&text);
	for (i = 0; !ret && i < events->count; i++) {
		list[0] = events->list[i];
		for (k = 1; k < count; k++) {
			list[k] = find_event(files[k].report.reader, list[0]);
			files[k].matched |= list[k] != NULL;
		}
		if (!first)
			rt_text_char(&text, '\n');
		first = false;
		ret = rt_diff_table_make(&table, opt, files, list, count, err);
		if (!ret)
			files[0].shown |= put_table(&table, rt_perf_event_name(list[0]), &text);
		rt_diff_table_free(&table);
	}
	if (!ret && (text.failed || fwrite(text.base, 1, text.len, out) != text.len))
		ret = rt_err_set(err, EIO, "cannot write the output");
	rt_text_free(&text);
	free(list);
	return ret;
}
