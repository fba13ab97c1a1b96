// SPDX-License-Identifier: GPL-2.0
/* export.c - write what the list shows into a file. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "browse/menu.h"
#include "browse/view.h"
#include "report/hierarchy.h"
#include "report/print.h"

#define NAMES_MAX 1000

/* A name that no file has. */
static void suggest(char *path, size_t size)
{
	int i;

	for (i = 1; i < NAMES_MAX; i++) {
		snprintf(path, size, "report-%d.txt", i);
		if (!rt_file_exists(path))
			return;
	}
}

static void put_all(struct rt_view *v, struct rt_text *out)
{
	uint32_t i;

	rt_text_lit(out, "# ");
	rt_print_totals(&v->table, out);
	if (v->zooms.count || *v->only) {
		rt_text_lit(out, "\n# ");
		if (*v->only)
			rt_text_printf(out, "Only '%s'. ", v->only);
		rt_zooms_text(&v->zooms, out);
	}
	rt_text_lit(out, "\n#\n# ");
	if (v->table.levels)
		rt_hierarchy_names(&v->table, v->widths, out);
	else
		rt_print_names(&v->table, v->widths, out);
	rt_text_lit(out, "\n#\n");
	for (i = 0; i < v->rows.count; i++) {
		rt_row_text(&v->rows, &v->rows.list[i], v->widths, out);
		rt_text_char(out, '\n');
	}
}

void rt_view_export(struct rt_view *v)
{
	char path[RT_VIEW_WORDS];
	struct rt_text text;
	int ret;

	if (!v->made)
		return;
	suggest(path, sizeof(path));
	if (!rt_menu_ask("Write to the file: ", path, sizeof(path)) || !*path)
		return;
	if (rt_file_exists(path)) {
		rt_view_say(v, "%s exists; P again, with another name", path);
		return;
	}
	rt_text_init(&text);
	put_all(v, &text);
	ret = text.failed ? -ENOMEM : rt_file_write(path, text.base, text.len);
	if (ret)
		rt_view_say(v, "cannot write %s: %s", path, strerror(-ret));
	else
		rt_view_say(v, "wrote %u rows into %s", v->rows.count, path);
	rt_text_free(&text);
}
