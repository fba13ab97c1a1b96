// SPDX-License-Identifier: GPL-2.0
/* fit.c - make columns narrower than their texts, so that the symbols are on the screen. */
#include <string.h>

#include "browse/screen.h"
#include "browse/view.h"
#include "report/key_list.h"
#include "report/print.h"

#define SYMBOL_CELLS 30 /* that the column of symbols has at least, if others can give them */
#define LEAST_CELLS  4	/* of a column that gave some */

/* The shown column with the symbols, or the number of all. */
static size_t symbol_column(const struct rt_view *v)
{
	const struct rt_columns *cols = &v->report.columns;
	size_t i;

	for (i = 0; i < cols->shown_count; i++) {
		const struct rt_column *c = &cols->list[cols->shown[i]];

		if (c->kind == RT_COL_KEY &&
		    (c->key->type == &rt_key_symbol || c->key->type == &rt_key_from_symbol))
			break;
	}
	return i;
}

void rt_view_fit(struct rt_view *v)
{
	const struct rt_columns *cols = &v->report.columns;
	size_t symbol = symbol_column(v), i, widest;
	unsigned int used = 0;
	int rows, columns;

	memcpy(v->fitted, v->widths, sizeof(v->fitted));
	/* Who asks for more of long lines, or for a width, gets it. */
	if (v->shift || v->table.levels || v->how.widths || symbol == cols->shown_count)
		return;
	rt_screen_size(&rows, &columns);
	for (i = 0; i < symbol; i++)
		if (!rt_print_skips(&v->table, &cols->list[cols->shown[i]]))
			used += v->fitted[i] + 2;
	for (used += 2; used + SYMBOL_CELLS > (unsigned int)columns; used--) {
		for (i = 0, widest = symbol; i < symbol; i++) {
			const struct rt_column *c = &cols->list[cols->shown[i]];

			if (c->kind == RT_COL_KEY && !rt_print_skips(&v->table, c) &&
			    v->fitted[i] > LEAST_CELLS &&
			    (widest == symbol || v->fitted[i] > v->fitted[widest]))
				widest = i;
		}
		if (widest == symbol)
			return;
		v->fitted[widest]--;
	}
}
