// SPDX-License-Identifier: GPL-2.0
/*
 * symbol_table_sort.c - see symbol_table_sort.h
 *
 * Only keys are sorted, and each entry moves once.
 */
#include "symbols/symbol_table_sort.h"

#include <stdlib.h>
#include <string.h>

#include "base/sort_keys.h"

#define SMALL 64

/* Few entries share a start, and they are mostly in order. */
static void sort_ages(struct rt_symbol_table_entry *entry, uint32_t count)
{
	uint32_t i, to;

	for (i = 1; i < count; i++) {
		struct rt_symbol_table_entry e = entry[i];

		for (to = i;
		     to && entry[to - 1].sym.start == e.sym.start && entry[to - 1].seq > e.seq;
		     to--)
			entry[to] = entry[to - 1];
		if (to != i)
			entry[to] = e;
	}
}

static struct rt_symbol_table_entry *in_order(const struct rt_symbol_table_entry *entry,
					      uint32_t count, struct rt_sort_key *keys)
{
	struct rt_symbol_table_entry *sorted = malloc((size_t)count * sizeof(*sorted));
	uint32_t i;

	if (!sorted)
		return NULL;
	for (i = 0; i < count; i++)
		keys[i] = (struct rt_sort_key){ entry[i].sym.start, i };
	keys = rt_sort_keys(keys, keys + count, count);
	for (i = 0; i < count; i++)
		sorted[i] = entry[keys[i].at];
	sort_ages(sorted, count);
	return sorted;
}

struct rt_symbol_table_entry *rt_symbol_table_sort(const struct rt_symbol_table_entry *entry,
						   uint32_t count)
{
	struct rt_symbol_table_entry *sorted = NULL;
	struct rt_sort_key *keys;

	if (count < SMALL)
		return NULL;
	keys = malloc(2 * (size_t)count * sizeof(*keys));
	if (keys)
		sorted = in_order(entry, count, keys);
	free(keys);
	return sorted;
}
