// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "program/program.h"
#include "abi/refusal.h"
#include "events/layout.h"

struct layout {
	struct rt_event_spec *spec;
	uint32_t end; /* end of the fixed part so far */
	int faults;   /* fault bits allocated */
	struct rt_insn code[RT_PROGRAM_CODE_MAX];
	unsigned int count;
	bool full;
};

static void emit(struct layout *l, const struct rt_insn *insn)
{
	if (l->count == RT_PROGRAM_CODE_MAX)
		l->full = true;
	else
		l->code[l->count++] = *insn;
}

static void emit_op(struct layout *l, uint8_t op, uint8_t size, uint16_t arg, int32_t offset,
		    uint64_t imm)
{
	struct rt_insn insn = { op, size, arg, offset, imm };

	emit(l, &insn);
}

static uint32_t align_up(uint32_t n, uint32_t align)
{
	return (n + align - 1) / align * align;
}

static const char *c_type(enum rt_field_show show, uint8_t size, bool is_signed)
{
	switch (size) {
	case 1:
		return show == RT_SHOW_CHAR ? "char" : is_signed ? "s8" : "u8";
	case 2:
		return is_signed ? "s16" : "u16";
	case 4:
		return show == RT_SHOW_FLOAT ? "float" : is_signed ? "s32" : "u32";
	default:
		if (show == RT_SHOW_FLOAT)
			return "double";
		return is_signed ? "s64" : "u64";
	}
}

/* Append a field of COUNT elements (0: a single value) of SIZE bytes. */
static struct rt_field *add_field(struct layout *l, const char *name, const char *type,
				  uint32_t size, uint32_t count, uint32_t align)
{
	struct rt_field *field = &l->spec->fields.fields[l->spec->fields.count++];

	l->end = align_up(l->end, align);
	field->name = strdup(name);
	field->type = strdup(type);
	field->offset = l->end;
	field->size = size * (count ? count : 1);
	field->count = count;
	field->fault_bit = -1;
	l->end += field->size;
	return field->name && field->type ? field : NULL;
}

/* Whether fetching ARG reads memory and can therefore fault. */
static bool can_fault(const struct rt_arg *arg)
{
	int i;

	for (i = 0; i < arg->count; i++)
		if (arg->code[i].op == RT_OP_READ || arg->code[i].op == RT_OP_READ_USER)
			return true;
	return arg->memory;
}

static struct rt_field *add_arg(struct layout *l, const struct rt_arg *arg)
{
	const struct rt_arg_type *type = &arg->type;
	struct rt_field *field;

	if (arg->comm)
		field = add_field(l, arg->name, "char", 1, RT_COMM_LEN, 1);
	else if (type->is_string)
		field = add_field(l, arg->name, "char", 4, 0, 4);
	else
		field = add_field(l, arg->name, c_type(type->show, type->size, type->is_signed),
				  type->size, type->count, type->size);
	if (!field)
		return NULL;
	field->is_signed = type->is_signed;
	field->is_string = type->is_string;
	field->dynamic = type->is_string && !arg->comm;
	field->show = type->show;
	if (can_fault(arg))
		field->fault_bit = l->faults++;
	return field;
}

/* Compute the address of a value in memory into V. */
static void emit_address(struct layout *l, const struct rt_arg *arg)
{
	int i;

	for (i = 0; i < arg->count; i++)
		emit(l, &arg->code[i]);
	if (arg->offset)
		emit_op(l, RT_OP_ADD, 0, 0, 0, (int64_t)arg->offset);
}

static void emit_string(struct layout *l, const struct rt_arg *arg, const struct rt_field *field)
{
	emit_address(l, arg);
	emit_op(l, arg->user || arg->type.user ? RT_OP_STRING_USER : RT_OP_STRING, 0,
		field->fault_bit + 1, field->offset,
		arg->type.length ? arg->type.length + 1U : RT_PROGRAM_STRING_MAX);
}

static void emit_array(struct layout *l, const struct rt_arg *arg, const struct rt_field *field)
{
	emit_address(l, arg);
	emit_op(l, arg->user ? RT_OP_ARRAY_USER : RT_OP_ARRAY, 0, field->fault_bit + 1,
		field->offset, field->size);
}

static void emit_number(struct layout *l, const struct rt_arg *arg, struct rt_field *field)
{
	const struct rt_arg_type *type = &arg->type;
	uint8_t sign = type->is_signed ? RT_SIGNED : 0;
	int i;

	field->value_first = l->count;
	for (i = 0; i < arg->count; i++)
		emit(l, &arg->code[i]);
	if (arg->memory)
		emit_op(l, arg->user ? RT_OP_READ_USER : RT_OP_READ, type->size | sign, 0,
			arg->offset, 0);
	if (type->bits)
		emit_op(l, RT_OP_BITS, sign, type->bits, type->first_bit, 0);
	field->value_count = l->count - field->value_first;
	emit_op(l, RT_OP_STORE, type->size, field->fault_bit + 1, field->offset, 0);
}

static int add_given(struct layout *l, const struct rt_layout_given *given)
{
	struct rt_field *field = add_field(l, given->name, c_type(RT_SHOW_HEX, given->size, false),
					   given->size, 0, given->size);

	if (!field)
		return -ENOMEM;
	field->hidden = given->hidden;
	field->show = given->show;
	field->value_first = l->count;
	field->value_count = 1;
	if (given->constant)
		emit_op(l, RT_OP_IMMEDIATE, 0, 0, 0, given->value);
	else
		emit_op(l, RT_OP_CONTEXT, 0, given->context, 0, 0);
	emit_op(l, RT_OP_STORE, given->size, 0, field->offset, 0);
	return 0;
}

static int add_faults(struct layout *l)
{
	uint8_t size = l->faults <= 8 ? 1 : l->faults <= 16 ? 2 : l->faults <= 32 ? 4 : 8;
	struct rt_field *field =
		add_field(l, "__probe_faults", c_type(RT_SHOW_HEX, size, false), size, 0, size);

	if (!field)
		return -ENOMEM;
	field->hidden = true;
	l->spec->faults = field;
	return 0;
}

/*
 * Emit strings first.  The pass that measures them before the reserve then ends after the last
 * string and fetches nothing else twice.
 */
static void emit_args(struct layout *l, const struct rt_arg *args, size_t count,
		      struct rt_field *fields)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (fields[i].dynamic)
			emit_string(l, &args[i], &fields[i]);
	for (i = 0; i < count; i++) {
		if (fields[i].dynamic)
			continue;
		if (args[i].comm)
			emit_op(l, RT_OP_COMM, 0, 0, fields[i].offset, 0);
		else if (args[i].type.count)
			emit_array(l, &args[i], &fields[i]);
		else
			emit_number(l, &args[i], &fields[i]);
	}
}

/* The module checks the program again; here the error message can name the argument. */
static int check(struct layout *l, struct rt_err *err)
{
	struct rt_program_limits limits = { RT_REGISTERS_ARM64, ~0U, 0, RT_SAVED_ARM64 };
	struct rt_program_error error;
	struct rt_code code;

	if (l->full)
		return rt_err_set(err, E2BIG,
				  "'%.80s' needs more than %d instructions; record fewer values",
				  l->spec->text, RT_PROGRAM_CODE_MAX);
	if (l->faults > RT_PROGRAM_FAULTS_MAX)
		return rt_err_set(err, E2BIG, "'%.80s' reads memory for more than %d values",
				  l->spec->text, RT_PROGRAM_FAULTS_MAX);
	if (l->end > RT_PROGRAM_FIXED_MAX)
		return rt_err_set(
			err, E2BIG,
			"the values of '%.80s' take %u bytes, more than the %d of a record",
			l->spec->text, l->end, RT_PROGRAM_FIXED_MAX);
	if (rt_program_check(RT_PROGRAM_FETCH, l->code, l->count, 0, &limits, &code, &error))
		return rt_err_set(err, rt_program_errno(error.reason),
				  "'%.80s' makes a program that is refused: %s", l->spec->text,
				  rt_program_reason(error.reason));
	return 0;
}

/* Divide the room of a record among its strings. */
static void limit_strings(struct layout *l, size_t strings)
{
	uint64_t share = strings ? (RT_PROGRAM_RECORD_MAX - RT_PROGRAM_FIXED_MAX) / strings : 0;
	unsigned int i;

	for (i = 0; i < l->count; i++)
		if (l->code[i].op == RT_OP_STRING || l->code[i].op == RT_OP_STRING_USER)
			l->code[i].imm = share < l->code[i].imm ? share : l->code[i].imm;
}

static int make(struct layout *l, const struct rt_layout_given *given, size_t given_count,
		const struct rt_arg *args, size_t arg_count)
{
	struct rt_field *fields = l->spec->fields.fields + given_count;
	size_t i, strings = 0;

	for (i = 0; i < arg_count; i++)
		strings += args[i].type.is_string && !args[i].comm;
	for (i = 0; i < given_count; i++)
		if (add_given(l, &given[i]))
			return -ENOMEM;
	for (i = 0; i < arg_count; i++)
		if (!add_arg(l, &args[i]))
			return -ENOMEM;
	if (l->faults && add_faults(l))
		return -ENOMEM;
	emit_args(l, args, arg_count, fields);
	if (l->spec->faults)
		emit_op(l, RT_OP_FAULTS, l->spec->faults->size, 0, l->spec->faults->offset, 0);
	emit_op(l, RT_OP_RETURN, 0, 0, 0, 0);
	limit_strings(l, strings);
	l->spec->fields.fixed = l->end;
	return 0;
}

int rt_layout_make(struct rt_event_spec *spec, const struct rt_layout_given *given,
		   size_t given_count, const struct rt_arg *args, size_t arg_count,
		   struct rt_err *err)
{
	struct layout *l = calloc(1, sizeof(*l));
	int ret = -ENOMEM;

	if (!l)
		return rt_err_set(err, ENOMEM, "out of memory");
	l->spec = spec;
	l->end = RT_FIELD_BASE;
	spec->fields.fields = calloc(given_count + arg_count + 1, sizeof(struct rt_field));
	if (spec->fields.fields)
		ret = make(l, given, given_count, args, arg_count);
	if (!ret)
		ret = check(l, err);
	else
		rt_err_set(err, ENOMEM, "out of memory");
	if (!ret) {
		spec->fetch.slots = malloc(l->count * sizeof(struct rt_insn));
		if (spec->fetch.slots) {
			memcpy(spec->fetch.slots, l->code, l->count * sizeof(struct rt_insn));
			spec->fetch.code = l->count;
		} else {
			ret = rt_err_set(err, ENOMEM, "out of memory");
		}
	}
	free(l);
	return ret;
}
