// SPDX-License-Identifier: GPL-2.0
/* draw.c - the screen: a title, the names of the columns, the rows, and what is going on. */
#include <inttypes.h>
#include <string.h>

#include "browse/screen.h"
#include "browse/view.h"
#include "report/hierarchy.h"
#include "report/key_text.h"
#include "report/print.h"

#define ABOVE 2 /* rows above the list */
#define BELOW 1

/* Percentages that deserve attention; perf colours them too. */
#define HIGH   5.0
#define MIDDLE 0.5

int rt_view_height(void)
{
	int rows, columns;

	rt_screen_size(&rows, &columns);
	return rows > ABOVE + BELOW ? rows - ABOVE - BELOW : 1;
}

/* What is shown comes first, since the terminal may be narrow. */
static void put_what(const struct rt_view *v, struct rt_text *out)
{
	size_t shown, tables = rt_view_tables(v, &shown);

	if (tables > 1)
		rt_text_printf(out, "Event %zu of %zu. ", shown, tables);
	if (*v->only)
		rt_text_printf(out, "Only '%s'. ", v->only);
	rt_zooms_text(&v->zooms, out);
}

/* One line: the two lines of the head of `report --stdio`. */
static void put_title(const struct rt_view *v, struct rt_text *out)
{
	size_t start;

	if (!v->made) {
		rt_text_str(out, v->reading ? "No samples yet" : "The recording has no samples");
		return;
	}
	put_what(v, out);
	start = out->len;
	rt_print_totals(&v->table, out);
	for (; start + 2 < out->len; start++)
		if (!memcmp(out->base + start, "\n# ", 3)) {
			memmove(out->base + start, ", ", 2);
			memmove(out->base + start + 2, out->base + start + 3, out->len - start - 3);
			out->len--;
		}
}

/* The columns of numbers at the left, with the blanks in front of each. */
static size_t number_width(const struct rt_view *v)
{
	const struct rt_columns *cols = &v->report.columns;
	size_t i, width = 0;

	for (i = 0; i < cols->shown_count; i++) {
		if (cols->list[cols->shown[i]].kind == RT_COL_KEY)
			break;
		width += v->fitted[i] + 2;
	}
	return width;
}

static void draw_row(struct rt_view *v, int at, const struct rt_row *row, bool selected,
		     struct rt_text *text)
{
	double percent = rt_line_percent(&v->table, v->table.lines[row->line]);
	enum rt_screen_style style = percent >= HIGH   ? RT_STYLE_HIGH :
				     percent >= MIDDLE ? RT_STYLE_MIDDLE :
							 RT_STYLE_PLAIN;
	size_t coloured;
	char *sign;

	rt_text_reset(text);
	rt_row_text(&v->rows, row, v->fitted, text);
	if (!text->len)
		return;
	/* The sign takes the place of a blank that every row has. */
	sign = text->base;
	if (row->node)
		sign += strspn(text->base, " ") - 2;
	else if (v->table.levels)
		sign += rt_hierarchy_indent(v->table.lines[row->line]);
	if (rt_row_has_more(&v->rows, row))
		*sign = rt_row_is_open(&v->rows, row) ? '-' : '+';
	rt_screen_line(at, selected ? RT_STYLE_SELECTED : RT_STYLE_PLAIN, text->base, text->len,
		       v->shift);
	coloured = row->node ? 0 : (size_t)(sign - text->base) + number_width(v);
	if (!selected && style != RT_STYLE_PLAIN && coloured <= text->len)
		rt_screen_put(at, 0, style, text->base, coloured, v->shift);
}

static void draw_status(struct rt_view *v, int at, struct rt_text *text)
{
	const struct rt_reader_stats *stats = rt_reader_stats(v->report.reader);

	rt_text_reset(text);
	if (*v->message) {
		rt_text_str(text, v->message);
	} else if (v->reading) {
		rt_text_lit(text, "Reading");
		if (stats->bytes_total)
			rt_text_printf(text, " %3.0f%%",
				       (double)stats->bytes_read * 100.0 /
					       (double)stats->bytes_total);
		rt_text_printf(text, ", %" PRIu64 " records; q quits, ? helps", stats->records);
	} else {
		rt_text_printf(text, "row %u of %u", v->rows.count ? v->selected + 1 : 0,
			       v->rows.count);
		if (v->damage)
			rt_text_printf(text, "; %s", v->damage_text.text);
		else
			rt_text_lit(text, "; ? helps, + opens, Enter offers more, q quits");
		if (stats->lost + stats->lost_samples)
			rt_text_printf(text, "; %" PRIu64 " events were lost",
				       stats->lost + stats->lost_samples);
	}
	rt_screen_line(at, RT_STYLE_TITLE, text->base, text->len, 0);
}

void rt_view_draw(struct rt_view *v)
{
	int rows, columns, i, height = rt_view_height();
	struct rt_text text;

	rt_screen_size(&rows, &columns);
	rt_view_select(v, v->selected);
	if (v->made)
		rt_view_fit(v);
	rt_text_init(&text);
	rt_screen_clear();
	put_title(v, &text);
	rt_screen_line(0, RT_STYLE_TITLE, text.base, text.len, 0);
	if (v->made && rows > ABOVE) {
		rt_text_reset(&text);
		rt_text_lit(&text, "  ");
		if (v->table.levels)
			rt_hierarchy_names(&v->table, v->fitted, &text);
		else
			rt_print_names(&v->table, v->fitted, &text);
		rt_screen_line(1, RT_STYLE_TITLE, text.base, text.len, v->shift);
	}
	for (i = 0; v->made && i < height && ABOVE + i < rows - BELOW; i++) {
		uint32_t at = v->top + (uint32_t)i;

		if (at >= v->rows.count)
			break;
		draw_row(v, ABOVE + i, &v->rows.list[at], at == v->selected, &text);
	}
	draw_status(v, rows - 1, &text);
	rt_screen_show(-1);
	rt_text_free(&text);
}
