/* SPDX-License-Identifier: GPL-2.0 */
/*
 * filter_parser.h - shared by the parts of the filter parser: expression.c has the grammar and the
 * tree, condition.c parses one comparison, operand.c parses the operands.
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

/* Nodes of the tree are addressed by index.  Return NULL or an error if there are too many. */
struct rt_node *rt_filter_node(struct rt_filter_parser *p, enum rt_node_kind kind, int *index);
int rt_filter_join(struct rt_filter_parser *p, enum rt_node_kind kind, int left, int right,
		   int *out);
int rt_filter_invert(struct rt_filter_parser *p, int *index);

/* Compare OPERAND with a number. */
int rt_filter_test(struct rt_filter_parser *p, const struct rt_operand *operand, uint8_t condition,
		   uint64_t value, int *out);

/* Parse what follows caller == or, if INVERTED, caller != */
int rt_caller_parse(struct rt_filter_parser *p, const struct rt_operand *operand, bool inverted,
		    int *out);

/* Parse one comparison at the cursor. */
int rt_condition_parse(struct rt_filter_parser *p, int *out);

bool rt_filter_word_is(const char *word, size_t size, const char *name);

/* Return the field of that name, or NULL. */
const struct rt_field *rt_operand_field(const struct rt_filter_parser *p, const char *word,
					size_t size);

/* Parse a numeric field or context at the cursor; -ENOENT if there is no such name. */
int rt_operand_number(struct rt_filter_parser *p, struct rt_operand *operand);

/* Report an unknown name and list the known ones. */
int rt_operand_unknown(const struct rt_filter_parser *p, const char *at, size_t size);

#endif
