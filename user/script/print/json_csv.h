/* SPDX-License-Identifier: GPL-2.0 */
/*
 * json_csv.h - samples for programs to read: JSON, one object per line, and CSV.
 *
 * Both print the fields that -F selects, under perf's names.  Addresses are complete virtual
 * addresses of the recorded machine.
 */
#ifndef RT_SCRIPT_PRINT_JSON_CSV_H
#define RT_SCRIPT_PRINT_JSON_CSV_H

#include "script/print/line.h"

void rt_json_print(const struct rt_line_tools *t, const struct rt_item *item, struct rt_text *out);

/* The columns that any event of the file has. */
uint64_t rt_csv_fields(const struct rt_script *script);

/* Print the column names: every field that any event of the file has. */
void rt_csv_head(const struct rt_script *script, struct rt_text *out);
void rt_csv_print(const struct rt_line_tools *t, const struct rt_item *item, struct rt_text *out);

#endif
