/* SPDX-License-Identifier: GPL-2.0 */
/*
 * filter_parser.h - what the parts of the parser of filters share: expression.c has the grammar
 * and the tree, condition.c one comparison, operand.c what is compared.
 */
#ifndef RT_EVENTS_FILTER_PARSER_H
#define RT_EVENTS_FILTER_PARSER_H

#include "events/expression.h"

struct rt_filter_parser {
	struct rt_scan *scan;
	struct rt_expression *out;
	const struct rt_field_list *fields;
	const struct rt_event_spec *spec;
	const struct rt_event_env *env;
	int depth;
};

/* Nodes of the tree, each known by its index; NULL or an error when there are too many. */
struct rt_node *rt_filter_node(struct rt_filter_parser *p, enum rt_node_kind kind, int *index);
int rt_filter_join(struct rt_filter_parser *p, enum rt_node_kind kind, int left, int right,
		   int *out);
int rt_filter_invert(struct rt_filter_parser *p, int *index);

/* One comparison, under the cursor. */
int rt_condition_parse(struct rt_filter_parser *p, int *out);

bool rt_filter_word_is(const char *word, size_t size, const char *name);

/* The field of that name, or NULL. */
const struct rt_field *rt_operand_field(const struct rt_filter_parser *p, const char *word,
					size_t size);

/* A field or context that is a number, under the cursor; -ENOENT: no such name. */
int rt_operand_number(struct rt_filter_parser *p, struct rt_operand *operand);

/* The error that says which names there are. */
int rt_operand_unknown(const struct rt_filter_parser *p, const char *at, size_t size);

#endif
