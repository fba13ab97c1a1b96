/* SPDX-License-Identifier: GPL-2.0 */
/* order.h - the order of the lines of a table. */
#ifndef RT_REPORT_ORDER_H
#define RT_REPORT_ORDER_H

#include "report/table.h"

void rt_table_sort(struct rt_report_table *t);
/* Put only the first ROWS lines into their order; the others follow in any. */
void rt_table_sort_first(struct rt_report_table *t, uint32_t rows);

/* The number that a column shows of one event of the table; keys have none. */
uint64_t rt_line_number(const struct rt_report_table *t, const struct rt_line *l,
			enum rt_column_kind kind, size_t member);

#endif
