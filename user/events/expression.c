// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "events/filter_parser.h"

/* --- the tree ------------------------------------------------------------------------- */

struct rt_node *rt_filter_node(struct rt_filter_parser *p, enum rt_node_kind kind, int *index)
{
	struct rt_node *node;

	if (p->out->count == RT_EXPRESSION_NODES_MAX) {
		rt_scan_fail(p->scan, p->scan->at, "the filter is too long");
		return NULL;
	}
	*index = p->out->count++;
	node = &p->out->nodes[*index];
	memset(node, 0, sizeof(*node));
	node->kind = kind;
	return node;
}

int rt_filter_join(struct rt_filter_parser *p, enum rt_node_kind kind, int left, int right,
		   int *out)
{
	struct rt_node *node = rt_filter_node(p, kind, out);

	if (!node)
		return -EINVAL;
	node->left = left;
	node->right = right;
	return 0;
}

int rt_filter_invert(struct rt_filter_parser *p, int *index)
{
	return rt_filter_join(p, RT_NODE_NOT, *index, 0, index);
}

void rt_expression_free(struct rt_expression *expression)
{
	int i;

	for (i = 0; i < expression->count; i++)
		free(expression->nodes[i].literal);
	expression->count = 0;
}

/* --- the grammar ---------------------------------------------------------------------- */

static int parse_or(struct rt_filter_parser *p, int *out);

static int parse_not(struct rt_filter_parser *p, int *out)
{
	const char *at;
	int ret;

	rt_scan_blanks(p->scan);
	at = p->scan->at;
	if (p->depth == RT_EXPRESSION_DEPTH_MAX)
		return rt_scan_fail(p->scan, at, "this is nested too deeply");
	p->depth++;
	if (rt_scan_take(p->scan, '!')) {
		ret = parse_not(p, out);
		if (!ret)
			ret = rt_filter_invert(p, out);
	} else if (rt_scan_take(p->scan, '(')) {
		ret = parse_or(p, out);
		if (!ret && !rt_scan_take(p->scan, ')'))
			ret = rt_scan_fail(p->scan, p->scan->at,
					   "')' is missing for the '(' of column %d",
					   (int)(at - p->scan->text) + 1);
	} else {
		ret = rt_condition_parse(p, out);
	}
	p->depth--;
	rt_scan_blanks(p->scan);
	return ret;
}

static int parse_and(struct rt_filter_parser *p, int *out)
{
	int right, ret = parse_not(p, out);

	while (!ret && rt_scan_word(p->scan, "&&")) {
		ret = parse_not(p, &right);
		if (!ret)
			ret = rt_filter_join(p, RT_NODE_AND, *out, right, out);
	}
	return ret;
}

static int parse_or(struct rt_filter_parser *p, int *out)
{
	int right, ret = parse_and(p, out);

	while (!ret && rt_scan_word(p->scan, "||")) {
		ret = parse_and(p, &right);
		if (!ret)
			ret = rt_filter_join(p, RT_NODE_OR, *out, right, out);
	}
	return ret;
}

int rt_expression_parse(struct rt_expression *out, const char *text,
			const struct rt_field_list *fields, const struct rt_event_spec *spec,
			const struct rt_event_env *env, struct rt_err *err)
{
	struct rt_scan scan;
	struct rt_filter_parser p = { &scan, out, fields, spec, env, 0 };
	int ret;

	out->count = 0;
	rt_scan_begin(&scan, text, err);
	ret = parse_or(&p, &out->root);
	if (!ret && scan.at != scan.end)
		ret = rt_scan_fail(&scan, scan.at, "&& or || is expected here, or the end");
	return ret;
}
