/* SPDX-License-Identifier: GPL-2.0 */
/* expression.h - parse a filter into a tree of simple tests. */
#ifndef RT_EVENTS_EXPRESSION_H
#define RT_EVENTS_EXPRESSION_H

#include "events/scan.h"
#include "events/spec.h"

#define RT_EXPRESSION_NODES_MAX 512
#define RT_EXPRESSION_DEPTH_MAX 64

/* The source of a number. */
struct rt_operand {
	enum { RT_FROM_FIELD, RT_FROM_CONTEXT } from;
	const struct rt_field *field;
	int index; /* into an array; -1: the field is not an array */
	uint16_t context;
	uint8_t size;
	bool is_signed;
};

enum rt_node_kind { RT_NODE_AND, RT_NODE_OR, RT_NODE_NOT, RT_NODE_NUMBER, RT_NODE_TEXT };

struct rt_node {
	enum rt_node_kind kind;
	int left, right; /* RT_NODE_AND, OR; NOT uses only left */
	/* RT_NODE_NUMBER: operand, RT_IF_*, and a constant or a second operand */
	struct rt_operand operand, other;
	uint8_t condition;
	bool has_other;
	uint64_t value;
	/* RT_NODE_TEXT: a field (NULL: the task's name) and the text to compare it with */
	const struct rt_field *field;
	bool glob;
	char *literal;
	size_t length;
};

struct rt_expression {
	struct rt_node nodes[RT_EXPRESSION_NODES_MAX];
	int count;
	int root;
};

/* Parse TEXT; free *OUT with rt_expression_free(), also after an error. */
int rt_expression_parse(struct rt_expression *out, const char *text,
			const struct rt_field_list *fields, const struct rt_event_spec *spec,
			const struct rt_event_env *env, struct rt_err *err);
void rt_expression_free(struct rt_expression *expression);

#endif
