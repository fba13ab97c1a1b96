// SPDX-License-Identifier: GPL-2.0
#include "browse/levels.h"

#include <stdlib.h>
#include <string.h>

void rt_levels_free(struct rt_levels *l)
{
	free(l->opened);
	free(l->open);
	memset(l, 0, sizeof(*l));
}

void rt_levels_forget(struct rt_levels *l)
{
	l->count = 0;
	if (l->lines)
		memset(l->open, 0, l->lines * sizeof(*l->open));
}

static int compare(const void *one, const void *two)
{
	uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)two;

	return (a > b) - (a < b);
}

void rt_levels_set(struct rt_levels *l, const struct rt_report_table *table)
{
	uint32_t i;

	free(l->open);
	l->lines = 0;
	l->open = calloc((size_t)table->count + 1, sizeof(*l->open));
	if (!l->open) {
		l->failed = true;
		return;
	}
	l->lines = table->count;
	if (!l->count)
		return;
	qsort(l->opened, l->count, sizeof(*l->opened), compare);
	for (i = 0; i < table->count; i++) {
		uint64_t identity = rt_line_identity(table, table->lines[i]);

		l->open[i] = bsearch(&identity, l->opened, l->count, sizeof(identity), compare);
	}
}

static void forget_one(struct rt_levels *l, uint64_t identity)
{
	size_t i;

	for (i = 0; i < l->count; i++)
		if (l->opened[i] == identity) {
			l->opened[i] = l->opened[--l->count];
			return;
		}
}

void rt_levels_open(struct rt_levels *l, const struct rt_report_table *table, uint32_t line,
		    bool open)
{
	uint64_t identity = rt_line_identity(table, table->lines[line]);

	if (line >= l->lines || l->open[line] == open)
		return;
	l->open[line] = open;
	if (!open) {
		forget_one(l, identity);
		return;
	}
	if (l->count == l->room) {
		size_t room = l->room ? 2 * l->room : 64;
		void *opened = realloc(l->opened, room * sizeof(*l->opened));

		if (!opened) {
			l->failed = true;
			return;
		}
		l->opened = opened;
		l->room = room;
	}
	l->opened[l->count++] = identity;
}
