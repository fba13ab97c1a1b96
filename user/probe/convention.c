// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel passes integers and pointers, so the rules are short.  x86_64 (System V): six registers,
 * structs of at most 16 bytes in one or two of them, larger ones on the stack behind the return
 * address.  arm64 (AAPCS64): eight registers, larger structs by the address of a copy, the stack
 * begins at sp.
 */
#include "probe/convention.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "arch/register_names.h"

enum {
	FLOAT_REGISTERS = 8, /* both architectures */
	DEPTH_MAX = 8,	     /* structs in structs */
};

struct state {
	enum rt_arch arch;
	unsigned int used;   /* registers */
	unsigned int floats; /* registers for floating point */
	unsigned int stack;  /* bytes of arguments on the stack */
};

static unsigned int register_count(enum rt_arch arch)
{
	return arch == RT_ARCH_ARM64 ? 8 : 6;
}

static void name_register(enum rt_arch arch, unsigned int n, char *out, size_t size)
{
	int slot = rt_register_argument(arch, n);

	snprintf(out, size, "%%%s", slot < 0 ? "?" : rt_register_name(arch, slot));
}

/* A struct with members off their alignment travels in memory on x86_64: it is not placed here. */
static bool is_packed(struct rt_types *types, const struct rt_type *type, int depth)
{
	struct rt_member member;
	struct rt_type inner;
	uint32_t i;

	for (i = 0; i < type->count; i++) {
		if (rt_types_member(types, type->id, i, &member) ||
		    rt_types_get(types, member.type, &inner) || inner.kind == RT_TYPE_FLOAT)
			return true;
		if ((inner.kind == RT_TYPE_STRUCT || inner.kind == RT_TYPE_UNION) &&
		    (depth == DEPTH_MAX || is_packed(types, &inner, depth + 1)))
			return true;
		if (!member.bits && (inner.kind == RT_TYPE_INT || inner.kind == RT_TYPE_POINTER) &&
		    inner.size && member.bit % (8 * inner.size))
			return true;
	}
	return false;
}

/* Assign the place of one parameter and step over it; 1: it is in a register for floating point. */
static int step(struct state *s, struct rt_types *types, rt_type_id id, struct rt_typed *out)
{
	bool wide = false, by_address = false;
	unsigned int words;
	struct rt_type type;

	if (rt_types_get(types, id, &type))
		return -EINVAL;
	switch (type.kind) {
	case RT_TYPE_INT:
		wide = type.size == 16;
		/* fall through */
	case RT_TYPE_ENUM:
	case RT_TYPE_POINTER:
		break;
	case RT_TYPE_FLOAT:
		if (type.size > 8 || s->floats == FLOAT_REGISTERS)
			return -EINVAL;
		s->floats++;
		return 1;
	case RT_TYPE_STRUCT:
	case RT_TYPE_UNION:
		by_address = s->arch == RT_ARCH_ARM64 && type.size > 16;
		if (type.size <= 16 && is_packed(types, &type, 0))
			return -EINVAL;
		break;
	default:
		return -EINVAL;
	}
	words = by_address ? 1 : (type.size + 7) / 8;
	if (wide && s->arch == RT_ARCH_ARM64)
		s->used += s->used & 1;
	memset(out, 0, sizeof(*out));
	out->types = types;
	out->type = id;
	if (words <= 2 && s->used + words <= register_count(s->arch)) {
		name_register(s->arch, s->used + 1, out->base, sizeof(out->base));
		if (words == 2)
			name_register(s->arch, s->used + 2, out->second, sizeof(out->second));
		out->in = by_address ? RT_TYPED_MEMORY : RT_TYPED_REGISTER;
		s->used += words;
		return 0;
	}
	/* arm64 uses no further register after the first parameter on the stack. */
	if (s->arch == RT_ARCH_ARM64)
		s->used = register_count(s->arch);
	if (wide)
		s->stack = (s->stack + 15) / 16 * 16;
	snprintf(out->base, sizeof(out->base), "%%sp");
	out->in = RT_TYPED_MEMORY;
	out->offset = s->stack + (s->arch == RT_ARCH_X86_64 ? 8 : 0);
	s->stack += 8 * words;
	if (by_address) {
		snprintf(out->base, sizeof(out->base), "%+lld(%%sp)", (long long)out->offset);
		out->offset = 0;
	}
	return 0;
}

int rt_convention_place(enum rt_arch arch, struct rt_types *types, rt_type_id function,
			uint32_t index, struct rt_typed *out, struct rt_err *err)
{
	struct state s = { .arch = arch };
	struct rt_member member;
	struct rt_type type;
	char declared[128];
	uint32_t i;
	int ret = 0;

	if (rt_types_get(types, function, &type))
		return rt_err_set(err, EINVAL, "the types are damaged");
	/* A struct that does not fit into registers is returned through a hidden first parameter. */
	if (arch == RT_ARCH_X86_64 && rt_typed_size(types, type.target) > 16)
		s.used = 1;
	for (i = 0; i <= index; i++) {
		if (rt_types_member(types, type.id, i, &member))
			return rt_err_set(err, EINVAL, "the types are damaged");
		ret = step(&s, types, member.type, out);
		if (ret < 0)
			return rt_err_set(err, EINVAL,
					  "the calling convention does not say where '%s' is: '%s' "
					  "is before or at it; use registers or debug information",
					  member.name ? member.name : "…",
					  rt_types_declare(types, member.type, member.name,
							   declared, sizeof(declared)));
	}
	if (ret)
		return rt_err_set(err, EINVAL,
				  "'%s' is in a floating-point register, which the kernel does not "
				  "give to probes; record it where it is in memory",
				  member.name ? member.name : "…");
	return 0;
}

int rt_convention_return(enum rt_arch arch, struct rt_types *types, rt_type_id function,
			 struct rt_typed *out, struct rt_err *err)
{
	struct rt_type type, result;

	memset(out, 0, sizeof(*out));
	if (rt_types_get(types, function, &type) || rt_types_get(types, type.target, &result))
		return rt_err_set(err, EINVAL, "the types are damaged");
	if (result.kind == RT_TYPE_VOID)
		return rt_err_set(err, EINVAL, "the function returns nothing: leave $retval out");
	if (result.kind == RT_TYPE_FLOAT ||
	    ((result.kind == RT_TYPE_STRUCT || result.kind == RT_TYPE_UNION) &&
	     is_packed(types, &result, 0)))
		return rt_err_set(
			err, EINVAL,
			"the function returns a number in a floating-point register, which "
			"the kernel does not give to probes: leave $retval out");
	if (result.size > 8)
		return rt_err_set(
			err, EINVAL,
			"the function returns %llu bytes; only 8 are in one register: use "
			"the registers",
			(unsigned long long)result.size);
	out->types = types;
	out->type = type.target;
	out->in = RT_TYPED_REGISTER;
	strcpy(out->base, "$retval");
	return 0;
}
