// SPDX-License-Identifier: GPL-2.0
/* Compile a filter's tree to a program of tests that jump forward. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "program/program.h"
#include "abi/refusal.h"
#include "events/expression.h"

#define SLOT	   sizeof(struct rt_insn)
#define LABELS_MAX (RT_EXPRESSION_NODES_MAX + 1)

struct compiler {
	const struct rt_expression *expression;
	const struct rt_event_spec *spec;
	struct rt_insn code[RT_PROGRAM_CODE_MAX + RT_PROGRAM_TEXT_MAX];
	unsigned int count;
	int label[RT_PROGRAM_CODE_MAX]; /* target label of each jump */
	unsigned int place[LABELS_MAX]; /* address of each label */
	int labels;
	char text[RT_PROGRAM_TEXT_MAX * SLOT];
	unsigned int text_slots;
	bool full;
};

static void emit(struct compiler *c, struct rt_insn insn)
{
	if (c->count == RT_PROGRAM_CODE_MAX)
		c->full = true;
	else
		c->code[c->count++] = insn;
}

/* Emit a jump; its distance is filled in later. */
static void emit_jump(struct compiler *c, struct rt_insn insn, int label)
{
	if (c->count < RT_PROGRAM_CODE_MAX)
		c->label[c->count] = label;
	emit(c, insn);
}

/*
 * Fetch a probe's value with the instructions of the fetch program, so that the filter can run
 * before the record exists.  Read anything else from the record.
 */
static void emit_operand(struct compiler *c, const struct rt_operand *operand)
{
	const struct rt_field *field = operand->field;
	uint8_t sign = operand->is_signed ? RT_SIGNED : 0;
	const struct rt_insn *value;
	uint32_t offset;
	unsigned int i;
	bool typed;

	if (operand->from == RT_FROM_CONTEXT) {
		emit(c, (struct rt_insn){ .op = RT_OP_CONTEXT, .arg = operand->context });
		return;
	}
	if (!c->spec || !field->value_count) {
		offset = field->offset;
		if (operand->index >= 0)
			offset += operand->index * operand->size;
		emit(c, (struct rt_insn){ .op = RT_OP_FIELD,
					  .size = operand->size | sign,
					  .offset = offset });
		return;
	}
	value = c->spec->fetch.slots + field->value_first;
	for (i = 0; i < field->value_count; i++)
		emit(c, value[i]);
	/* Cut the value to the size of the field, as the store does. */
	value += field->value_count - 1;
	typed = (value->op == RT_OP_READ || value->op == RT_OP_READ_USER) &&
		value->size == (operand->size | sign);
	if (operand->size < 8 && !typed)
		emit(c,
		     (struct rt_insn){ .op = RT_OP_BITS, .size = sign, .arg = 8 * operand->size });
}

static void emit_number(struct compiler *c, const struct rt_node *node, bool when, int label)
{
	uint8_t condition = node->condition | (when ? 0 : RT_IF_NOT);

	if (node->has_other) {
		emit_operand(c, &node->other);
		emit(c, (struct rt_insn){ .op = RT_OP_KEEP });
		condition |= RT_IF_KEPT;
	}
	emit_operand(c, &node->operand);
	emit_jump(c, (struct rt_insn){ .op = RT_OP_JUMP, .size = condition, .imm = node->value },
		  label);
}

static void emit_text(struct compiler *c, const struct rt_node *node, bool when, int label)
{
	const struct rt_field *field = node->field;
	struct rt_insn insn = { .op = RT_OP_JUMP_TEXT };
	unsigned int slots = (node->length + SLOT - 1) / SLOT, size = 0;

	if (c->text_slots + slots > RT_PROGRAM_TEXT_MAX) {
		c->full = true;
		return;
	}
	memcpy(c->text + c->text_slots * SLOT, node->literal, node->length);
	insn.size = (when ? 0 : RT_IF_NOT) | (node->glob ? RT_TEXT_GLOB : 0);
	if (!field) {
		insn.size |= RT_TEXT_COMM;
	} else if (field->dynamic) {
		insn.size |= RT_TEXT_DYNAMIC;
	} else {
		insn.size |= RT_TEXT_FIXED;
		size = field->size;
	}
	insn.offset = field ? field->offset : 0;
	insn.imm = RT_TEXT(c->text_slots, node->length, size);
	c->text_slots += slots;
	emit_jump(c, insn, label);
}

/* Jump to LABEL if node INDEX evaluates to WHEN; otherwise fall through. */
static void compile(struct compiler *c, int index, bool when, int label)
{
	const struct rt_node *node = &c->expression->nodes[index];
	int after;

	switch (node->kind) {
	case RT_NODE_NUMBER:
		emit_number(c, node, when, label);
		return;
	case RT_NODE_TEXT:
		emit_text(c, node, when, label);
		return;
	case RT_NODE_NOT:
		compile(c, node->left, !when, label);
		return;
	case RT_NODE_AND:
	case RT_NODE_OR:
		break;
	}
	/* One side alone decides: false for "and", true for "or". */
	if ((node->kind == RT_NODE_OR) == when) {
		compile(c, node->left, when, label);
		compile(c, node->right, when, label);
		return;
	}
	after = c->labels++;
	compile(c, node->left, !when, after);
	compile(c, node->right, when, label);
	c->place[after] = c->count;
}

static void resolve(struct compiler *c)
{
	unsigned int i;

	for (i = 0; i < c->count; i++)
		if (c->code[i].op == RT_OP_JUMP || c->code[i].op == RT_OP_JUMP_TEXT)
			c->code[i].arg = c->place[c->label[i]] - i - 1;
}

static int finish(struct compiler *c, const char *text, uint32_t fixed, struct rt_program_text *out,
		  struct rt_err *err)
{
	/*
	 * Allow every context here.  The module refuses those that the event lacks, such as the
	 * caller.
	 */
	struct rt_program_limits limits = { RT_REGISTERS_ARM64, ~0U, fixed, RT_SAVED_ARM64 };
	struct rt_program_error error;
	struct rt_code code;

	if (c->full)
		return rt_err_set(err, E2BIG,
				  "the filter '%.80s' is too long for the kernel's side", text);
	memcpy(c->code + c->count, c->text, c->text_slots * SLOT);
	if (rt_program_check(RT_PROGRAM_FILTER, c->code, c->count, c->text_slots, &limits, &code,
			     &error))
		return rt_err_set(err, rt_program_errno(error.reason),
				  "the filter '%.80s' makes a program that is refused: %s", text,
				  rt_program_reason(error.reason));
	out->slots = malloc((c->count + c->text_slots) * SLOT);
	if (!out->slots)
		return rt_err_set(err, ENOMEM, "out of memory");
	memcpy(out->slots, c->code, (c->count + c->text_slots) * SLOT);
	out->code = c->count;
	out->text = c->text_slots;
	return 0;
}

int rt_event_filter(const char *text, const struct rt_field_list *fields,
		    const struct rt_event_spec *spec, const struct rt_event_env *env,
		    struct rt_program_text *out, struct rt_err *err)
{
	struct rt_expression *expression = calloc(1, sizeof(*expression));
	struct compiler *c = calloc(1, sizeof(*c));
	int drop, ret;

	memset(out, 0, sizeof(*out));
	if (!expression || !c) {
		ret = rt_err_set(err, ENOMEM, "out of memory");
		goto out;
	}
	ret = rt_expression_parse(expression, text, fields, spec, env, err);
	if (ret)
		goto out;
	c->expression = expression;
	c->spec = spec;
	drop = c->labels++;
	compile(c, expression->root, false, drop);
	emit(c, (struct rt_insn){ .op = RT_OP_RETURN, .imm = 1 });
	c->place[drop] = c->count;
	emit(c, (struct rt_insn){ .op = RT_OP_RETURN, .imm = 0 });
	resolve(c);
	ret = finish(c, text, fields->fixed, out, err);
out:
	if (expression)
		rt_expression_free(expression);
	free(expression);
	free(c);
	return ret;
}
