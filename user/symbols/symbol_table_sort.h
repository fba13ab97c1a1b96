/* SPDX-License-Identifier: GPL-2.0 */
/* symbol_table_sort.h - sort a table's entries without comparisons. */
#ifndef RT_SYMBOLS_SYMBOL_TABLE_SORT_H
#define RT_SYMBOLS_SYMBOL_TABLE_SORT_H

#include <stdint.h>

#include "symbols/symbol_table_entry.h"

/*
 * Return a new array of the entries sorted by start, the older first; the caller frees it.  NULL:
 * not sorted, because there are few or memory is short.
 */
struct rt_symbol_table_entry *rt_symbol_table_sort(const struct rt_symbol_table_entry *entry,
						   uint32_t count);

#endif
