// SPDX-License-Identifier: GPL-2.0
#include "events/syscall.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool is_named(const struct rt_event_spec *spec, const char *prefix)
{
	return spec->kind == RT_SPEC_TRACEPOINT && !strcmp(spec->system, "syscalls") &&
	       !strncmp(spec->name, prefix, strlen(prefix));
}

bool rt_syscall_is_enter(const struct rt_event_spec *spec)
{
	return is_named(spec, "sys_enter_");
}

bool rt_syscall_is_exit(const struct rt_event_spec *spec)
{
	return is_named(spec, "sys_exit_");
}

/* --- the program ----------------------------------------------------------------- */

struct layout {
	struct rt_event_spec *spec;
	enum rt_arch arch;
	struct rt_insn *code;
	unsigned int count;
};

static void emit(struct layout *l, uint8_t op, uint8_t size, uint16_t arg, int32_t offset,
		 uint64_t imm)
{
	l->code[l->count++] = (struct rt_insn){ op, size, arg, offset, imm };
}

/* The register slot of argument N, from 0; -ENOENT if there is no such argument. */
static int argument_slot(enum rt_arch arch, unsigned int n)
{
	struct rt_register_slot r10;

	if (n > 5)
		return -ENOENT;
	/* The SYSCALL instruction overwrites cx with the return address. */
	if (arch == RT_ARCH_X86_64 && n == 3)
		return rt_register_find(arch, "r10", &r10) ? -ENOENT : r10.slot;
	return rt_register_argument(arch, n + 1);
}

static bool is_number(const struct rt_field *field)
{
	return !strcmp(field->name, "__syscall_nr") || !strcmp(field->name, "nr");
}

/* The register that holds FIELD.  Arguments come in order, before the fields that they point to. */
static int slot_of(const struct layout *l, const struct rt_field *field)
{
	const struct rt_field *f = l->spec->fields.fields;
	unsigned int n = 0;

	if (rt_syscall_is_exit(l->spec))
		return rt_register_return(l->arch);
	for (; f != field; f++)
		n += !f->dynamic && !is_number(f);
	return argument_slot(l->arch, n);
}

/*
 * For what argument NAME points to, newer kernels add the field __NAME_val; return that argument.
 */
static const struct rt_field *pointer_of(const struct layout *l, const struct rt_field *field)
{
	size_t size = strlen(field->name), i;

	if (size <= 6 || strncmp(field->name, "__", 2) || strcmp(field->name + size - 4, "_val"))
		return NULL;
	for (i = 0; i < l->spec->fields.count; i++) {
		const struct rt_field *f = &l->spec->fields.fields[i];

		if (!f->dynamic && strlen(f->name) == size - 6 &&
		    !strncmp(f->name, field->name + 2, size - 6))
			return f;
	}
	return NULL;
}

static int emit_string(struct layout *l, const struct rt_field *field, uint64_t limit)
{
	const struct rt_field *pointer = pointer_of(l, field);
	int slot = pointer ? slot_of(l, pointer) : -ENOENT;

	if (slot < 0)
		return slot;
	emit(l, RT_OP_REGISTER, 0, slot, 0, 0);
	emit(l, RT_OP_STRING_USER, 0, 0, field->offset, limit);
	return 0;
}

/* The first field also fills the gap behind it, because the number is never negative. */
static uint8_t size_of(const struct rt_field_list *fields, const struct rt_field *field)
{
	return field == fields->fields && field->size == 4 &&
			       (fields->count == 1 || field[1].offset == field->offset + 8) ?
		       8 :
		       field->size;
}

static int emit_number(struct layout *l, struct rt_field *field)
{
	int slot = is_number(field) ? 0 : slot_of(l, field);

	if (slot < 0 || field->count || (field->size != 4 && field->size != 8))
		return -ENOENT;
	field->value_first = l->count;
	field->value_count = 1;
	if (is_number(field))
		emit(l, RT_OP_CONTEXT, 0, RT_CONTEXT_IP, 0, 0);
	else
		emit(l, RT_OP_REGISTER, 0, slot, 0, 0);
	emit(l, RT_OP_STORE, size_of(&l->spec->fields, field), 0, field->offset, 0);
	return 0;
}

/* Emit strings first, for the reason that layout.c gives. */
static int emit_all(struct layout *l)
{
	struct rt_field_list *fields = &l->spec->fields;
	size_t i, strings = 0;
	int ret = 0;

	for (i = 0; i < fields->count; i++)
		strings += fields->fields[i].dynamic && fields->fields[i].is_string;
	for (i = 0; i < fields->count && !ret; i++)
		if (fields->fields[i].dynamic && fields->fields[i].is_string)
			ret = emit_string(l, &fields->fields[i], RT_PROGRAM_STRING_MAX / strings);
	for (i = 0; i < fields->count && !ret; i++)
		if (!fields->fields[i].dynamic)
			ret = emit_number(l, &fields->fields[i]);
	/* Other bytes that an argument points to are not recorded; store an empty range. */
	for (i = 0; i < fields->count && !ret; i++) {
		if (!fields->fields[i].dynamic || fields->fields[i].is_string)
			continue;
		emit(l, RT_OP_IMMEDIATE, 0, 0, 0, fields->fixed);
		emit(l, RT_OP_STORE, 4, 0, fields->fields[i].offset, 0);
	}
	emit(l, RT_OP_RETURN, 0, 0, 0, 0);
	return ret;
}

int rt_syscall_lay_out(struct rt_event_spec *spec, const char *format, enum rt_arch arch,
		       struct rt_err *err)
{
	struct layout l = { .spec = spec, .arch = arch };
	int ret;

	ret = rt_field_list_parse(&spec->fields, format, err);
	if (ret)
		return ret;
	l.code = calloc(2 * spec->fields.count + 1, sizeof(*l.code));
	if (!l.code)
		return rt_err_set(err, ENOMEM, "out of memory");
	ret = emit_all(&l);
	spec->fetch.slots = l.code;
	spec->fetch.code = l.count;
	return ret ? rt_err_set(err, EOPNOTSUPP,
				"'%s': its format has a field that is no register of the call",
				spec->name) :
		     0;
}
