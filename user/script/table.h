/* SPDX-License-Identifier: GPL-2.0 */
/*
 * table.h - samples for programs to read: JSON, one object a line, and CSV.
 *
 * Both print the fields that -F selects, under perf's names.  Addresses are the ones
 * the machine used, in full.
 */
#ifndef RT_SCRIPT_TABLE_H
#define RT_SCRIPT_TABLE_H

#include "script/line.h"

void rt_json_print(const struct rt_line_tools *t, const struct rt_item *item, struct rt_text *out);

/* The names of the columns: those that any event of the file has. */
void rt_csv_head(const struct rt_script *script, struct rt_text *out);
void rt_csv_print(const struct rt_line_tools *t, const struct rt_item *item, struct rt_text *out);

#endif
