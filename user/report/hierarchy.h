/* SPDX-License-Identifier: GPL-2.0 */
/* hierarchy.h - `report --hierarchy`: the values of each sort key below those of the one before. */
#ifndef RT_REPORT_HIERARCHY_H
#define RT_REPORT_HIERARCHY_H

#include "report/table.h"

/* Append column names and lines to the text; 0 or a negative errno. */
int rt_hierarchy_print(struct rt_report_table *t, struct rt_text *out);

#endif
