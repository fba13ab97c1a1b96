// SPDX-License-Identifier: GPL-2.0
/* keys.c - what the keys of the list do. */
#include "browse/menu.h"
#include "browse/screen.h"
#include "browse/view.h"

#define SHIFT 8 /* columns */

static void select_row(struct rt_view *v, int64_t row)
{
	rt_view_select(v, row);
	v->moved = v->selected != 0;
}

static void open_row(struct rt_view *v, bool all)
{
	const struct rt_row *row = rt_view_row(v);

	if (!row)
		return;
	if (!row->node && !rt_row_has_more(&v->rows, row)) {
		rt_view_say(v, "%s",
			    v->report.opt->stacks ?
				    "this line has no call graph" :
				    "the recording has no stacks, or -g none leaves them out");
		return;
	}
	v->moved = true;
	rt_row_open(&v->rows, row, !rt_row_is_open(&v->rows, row), all);
	rt_view_list(v);
}

static void open_all(struct rt_view *v, bool open)
{
	const struct rt_row *row = rt_view_row(v);
	uint32_t line = row ? row->line : 0, i;

	if (!open) {
		rt_rows_close(&v->rows);
		/* Of a hierarchy, only the first level stays. */
		while (v->table.levels && v->made && v->table.count && v->table.lines[line]->parent)
			line = v->table.lines[line]->parent->number;
	} else {
		/* Each line once; the list does not change meanwhile. */
		for (i = 0; i < v->rows.count; i++)
			if (!v->rows.list[i].node)
				rt_row_open(&v->rows, &v->rows.list[i], true, true);
	}
	rt_view_list(v);
	for (i = 0; i < v->rows.count && v->rows.list[i].line != line; i++)
		;
	rt_view_select(v, i);
}

/* Everything that can be done with the selected row. */
static int menu(struct rt_view *v, struct rt_err *err)
{
	static const struct {
		const char *text;
		int key;
	} choices[] = {
		{ "Open or close what is below the row          +", '+' },
		{ "Show only this thread                        t", 't' },
		{ "Show only this object                        d", 'd' },
		{ "Undo the last zoom or filter                 Esc", RT_KEY_ESCAPE },
		{ "Choose an event                              v", 'v' },
		{ "Sort by                                      s", 's' },
		{ "Show only lines with a text                  /", '/' },
		{ "Find a text                                  f", 'f' },
		{ "Show the events from the first sample on     r", 'r' },
		{ "Write what is shown into a file              P", 'P' },
		{ "Header of the recording                      i", 'i' },
		{ "Help                                         ?", '?' },
		{ "Quit                                         q", 'q' },
	};
	const char *items[sizeof(choices) / sizeof(choices[0])];
	int n = (int)(sizeof(choices) / sizeof(choices[0])), i;

	for (i = 0; i < n; i++)
		items[i] = choices[i].text;
	i = rt_menu_choose("What to do with the selected row", items, n, 0);
	return i < 0 ? 0 : rt_view_key(v, choices[i].key, err);
}

/* Keys that move; whether the key was one. */
static bool move(struct rt_view *v, int key)
{
	int64_t at = v->selected, height = rt_view_height();

	switch (key) {
	case RT_KEY_UP:
		select_row(v, at - 1);
		return true;
	case RT_KEY_DOWN:
		select_row(v, at + 1);
		return true;
	case RT_KEY_PAGE_UP:
		select_row(v, at - height);
		return true;
	case RT_KEY_PAGE_DOWN:
	case ' ':
		select_row(v, at + height);
		return true;
	case RT_KEY_HOME:
		select_row(v, 0);
		return true;
	case RT_KEY_END:
		select_row(v, v->rows.count);
		return true;
	case RT_KEY_RIGHT:
		v->shift += SHIFT;
		return true;
	default:
		return false;
	}
}

/* Keys after which only the rows change, or nothing. */
static bool look(struct rt_view *v, int key)
{
	switch (key) {
	case '+':
		open_row(v, false);
		return true;
	case 'e':
		open_row(v, true);
		return true;
	case 'E':
	case 'C':
		open_all(v, key == 'E');
		return true;
	case '/':
		rt_view_only(v);
		return true;
	case 'f':
	case 'n':
	case 'N':
		rt_view_find(v, key == 'N' ? -1 : 1, key == 'f');
		return true;
	case 'P':
		rt_view_export(v);
		return true;
	case 'r':
		rt_view_script(v);
		return true;
	case 'i':
		rt_view_header(v);
		return true;
	case '?':
	case 'h':
	case RT_KEY_HELP:
		rt_view_help(v);
		return true;
	default:
		return false;
	}
}

int rt_view_key(struct rt_view *v, int key, struct rt_err *err)
{
	const struct rt_row *row = rt_view_row(v);

	if (key != RT_KEY_NONE && key != RT_KEY_RESIZE)
		v->message[0] = '\0';
	if (move(v, key) || look(v, key))
		return 0;
	switch (key) {
	case 'q':
	case RT_KEY_GONE:
		v->quit = true;
		return 0;
	case RT_KEY_LEFT:
		if (v->shift) {
			v->shift -= SHIFT;
			return 0;
		}
		return rt_view_back(v, err);
	case RT_KEY_ESCAPE:
		return rt_view_back(v, err);
	case RT_KEY_ENTER:
		if (row && row->node) {
			open_row(v, false);
			return 0;
		}
		return menu(v, err);
	case 'm':
		return menu(v, err);
	case 't':
		return rt_view_zoom(v, RT_ZOOM_THREAD, err);
	case 'd':
		return rt_view_zoom(v, RT_ZOOM_OBJECT, err);
	case 'k':
		return rt_view_zoom_kernel(v, err);
	case 'F':
		v->how.relative = !v->how.relative;
		return rt_view_make(v, err);
	case 's':
		return rt_view_sort(v, err);
	case 'v':
		return rt_view_choose_event(v, err);
	case RT_KEY_TAB:
		return rt_view_event(v, 1, err);
	case RT_KEY_BACKTAB:
		return rt_view_event(v, -1, err);
	default:
		return 0;
	}
}
