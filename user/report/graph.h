/* SPDX-License-Identifier: GPL-2.0 */
/* graph.h - a call tree as text, in one of perf's styles. */
#ifndef RT_REPORT_GRAPH_H
#define RT_REPORT_GRAPH_H

#include "report/tree.h"

/* Whether the graph of a line can have anything to print; if not, its tree need not be made. */
bool rt_graph_shows(const struct rt_report_table *t, const struct rt_line *l);

/* What percentages are of. */
uint64_t rt_graph_total(const struct rt_report_table *t);
/* The hits below which the callers or callees of a node are left out. */
uint64_t rt_graph_least(const struct rt_report_table *t, const struct rt_tree_node *node);
/* The name of a node's function. */
void rt_graph_name(struct rt_report *r, const struct rt_tree_node *node, struct rt_text *out);
/* The value of a branch: a percentage of `total`, a period or a count. */
void rt_graph_value(const struct rt_graph_options *opt, uint64_t hit, uint64_t count,
		    uint64_t total, struct rt_text *out);

void rt_graph_print(struct rt_tree *tree, struct rt_report_table *t, const struct rt_line *l,
		    struct rt_text *out);

#endif
