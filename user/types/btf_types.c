// SPDX-License-Identifier: GPL-2.0
/* Answers about types from BTF. */
#include <errno.h>

#include "types/btf_format.h"

enum { STRIP_MAX = 64 }; /* typedefs and qualifiers on the way to a type */

static bool is_qualifier(enum btf_kind kind)
{
	return kind == BTF_VOLATILE || kind == BTF_CONST || kind == BTF_RESTRICT ||
	       kind == BTF_TYPE_TAG;
}

/* Follow qualifiers and, unless TYPEDEFS is false, typedefs. */
static int strip(struct btf **b, uint32_t *id, bool typedefs, struct btf_type *type, uint32_t *at)
{
	struct btf *top = *b;
	int i, ret;

	for (i = 0; *id && i < STRIP_MAX; i++) {
		*b = top;
		ret = rt_btf_type(b, *id, type, at);
		if (ret)
			return ret;
		if (!is_qualifier(rt_btf_kind(type)) &&
		    (!typedefs || rt_btf_kind(type) != BTF_TYPEDEF))
			return 0;
		*id = type->size;
	}
	return *id ? -EINVAL : 0;
}

static void describe_int(const struct btf *b, uint32_t at, struct rt_type *out)
{
	uint32_t encoding = (rt_btf_word(b, at) >> 24) & 0xf;
	const char *name = out->name ? out->name : "";

	out->kind = RT_TYPE_INT;
	out->is_signed = encoding & INT_SIGNED;
	out->is_bool = encoding & INT_BOOL;
	/* Compilers for BTF leave INT_CHAR out. */
	out->is_char = out->size == 1 && ((encoding & INT_CHAR) || !strcmp(name, "char"));
}

static int btf_get(struct rt_types *t, rt_type_id id, struct rt_type *out)
{
	struct btf *b = (struct btf *)t;
	struct btf_type type;
	uint32_t number = id, at;
	int ret;

	memset(out, 0, sizeof(*out));
	ret = strip(&b, &number, true, &type, &at);
	if (ret || !number)
		return ret;
	out->id = number;
	out->name = rt_btf_name(b, type.name);
	out->size = type.size;
	out->count = rt_btf_count(&type);
	switch (rt_btf_kind(&type)) {
	case BTF_INT:
		describe_int(b, at, out);
		return 0;
	case BTF_FLOAT:
		out->kind = RT_TYPE_FLOAT;
		return 0;
	case BTF_POINTER:
		out->kind = RT_TYPE_POINTER;
		out->size = 8;
		out->target = type.size;
		return 0;
	case BTF_ARRAY:
		out->kind = RT_TYPE_ARRAY;
		out->target = rt_btf_word(b, at);
		out->count = rt_btf_word(b, at + 8);
		out->size = 0;
		return 0;
	case BTF_STRUCT:
	case BTF_UNION:
		out->kind = rt_btf_kind(&type) == BTF_STRUCT ? RT_TYPE_STRUCT : RT_TYPE_UNION;
		return 0;
	case BTF_ENUM:
	case BTF_ENUM64:
		out->kind = out->size ? RT_TYPE_ENUM : RT_TYPE_DECLARED;
		out->is_signed = rt_btf_flag(&type);
		return 0;
	case BTF_FORWARD:
		out->kind = RT_TYPE_DECLARED;
		out->is_union = rt_btf_flag(&type);
		out->size = 0;
		return 0;
	case BTF_PROTOTYPE:
		out->kind = RT_TYPE_FUNCTION;
		out->target = type.size;
		out->size = 0;
		return 0;
	default:
		return -EINVAL;
	}
}

static const char *btf_alias(struct rt_types *t, rt_type_id id)
{
	struct btf *b = (struct btf *)t;
	struct btf_type type;
	uint32_t number = id, at;

	if (strip(&b, &number, false, &type, &at) || !number || rt_btf_kind(&type) != BTF_TYPEDEF)
		return NULL;
	return rt_btf_name(b, type.name);
}

/* An integer of fewer bits than its bytes is how BTF described bitfields at first. */
static void old_bitfield(struct btf *b, struct rt_member *out)
{
	struct btf_type type;
	uint32_t number = out->type, at;

	if (strip(&b, &number, true, &type, &at) || !number || rt_btf_kind(&type) != BTF_INT)
		return;
	if ((rt_btf_word(b, at) & 0xff) == 8 * type.size)
		return;
	out->bits = rt_btf_word(b, at) & 0xff;
	out->bit += (rt_btf_word(b, at) >> 16) & 0xff;
}

static int btf_member(struct rt_types *t, rt_type_id id, uint32_t n, struct rt_member *out)
{
	struct btf *top = (struct btf *)t, *b = top;
	struct btf_type type;
	uint32_t at;
	int ret = rt_btf_type(&b, id, &type, &at);

	memset(out, 0, sizeof(*out));
	if (ret)
		return ret;
	if (n >= rt_btf_count(&type))
		return -EINVAL;
	switch (rt_btf_kind(&type)) {
	case BTF_PROTOTYPE:
		out->name = rt_btf_name(b, rt_btf_word(b, at + 8 * n));
		out->type = rt_btf_word(b, at + 8 * n + 4);
		return 0;
	case BTF_STRUCT:
	case BTF_UNION:
		out->name = rt_btf_name(b, rt_btf_word(b, at + 12 * n));
		out->type = rt_btf_word(b, at + 12 * n + 4);
		out->bit = rt_btf_word(b, at + 12 * n + 8);
		if (rt_btf_flag(&type)) {
			out->bits = out->bit >> 24;
			out->bit &= 0xffffff;
		} else {
			old_bitfield(top, out);
		}
		return 0;
	default:
		return -EINVAL;
	}
}

static int btf_enumerator(struct rt_types *t, rt_type_id id, uint32_t n, struct rt_enumerator *out)
{
	struct btf *b = (struct btf *)t;
	struct btf_type type;
	uint32_t at;
	int ret = rt_btf_type(&b, id, &type, &at);

	if (ret)
		return ret;
	if (n >= rt_btf_count(&type))
		return -EINVAL;
	if (rt_btf_kind(&type) == BTF_ENUM) {
		out->name = rt_btf_name(b, rt_btf_word(b, at + 8 * n));
		out->value = rt_btf_word(b, at + 8 * n + 4);
		return 0;
	}
	if (rt_btf_kind(&type) != BTF_ENUM64)
		return -EINVAL;
	out->name = rt_btf_name(b, rt_btf_word(b, at + 12 * n));
	out->value = rt_btf_word(b, at + 12 * n + 4) | (uint64_t)rt_btf_word(b, at + 12 * n + 8)
							       << 32;
	return 0;
}

/* Whether two prototypes have the same parameters, by name and type. */
static bool same_prototype(struct rt_types *t, rt_type_id a, rt_type_id b)
{
	struct rt_member ma, mb;
	struct rt_type ta, tb;
	uint32_t i;

	if (a == b)
		return true;
	if (rt_types_get(t, a, &ta) || rt_types_get(t, b, &tb) || ta.count != tb.count ||
	    ta.target != tb.target)
		return false;
	for (i = 0; i < ta.count; i++)
		if (btf_member(t, ta.id, i, &ma) || btf_member(t, tb.id, i, &mb) ||
		    ma.type != mb.type || !ma.name != !mb.name ||
		    (ma.name && strcmp(ma.name, mb.name)))
			return false;
	return true;
}

/* Find what the function or variable NAME refers to: a prototype or a type. */
static int find_name(struct rt_types *t, uint32_t table, const char *name, rt_type_id *out)
{
	struct btf *b = (struct btf *)t;
	struct rt_index_probe probe;
	struct btf_type type;
	const char *called;
	uint32_t number, at;
	bool any = false;

	for (number = rt_index_first(&b->names, rt_btf_hash(table, name), &probe); number;
	     number = rt_index_next(&b->names, &probe)) {
		struct btf *of = b;

		if (rt_btf_type(&of, b->first + number - 1, &type, &at))
			continue;
		called = rt_btf_name(of, type.name);
		if (rt_btf_table(rt_btf_kind(&type)) != table || !called || strcmp(called, name))
			continue;
		if (any && !same_prototype(t, *out, type.size))
			return -ENOTUNIQ;
		*out = type.size;
		any = true;
	}
	if (!any && b->base)
		return find_name(&b->base->types, table, name, out);
	return any ? 0 : -ENOENT;
}

static int btf_function(struct rt_types *t, const char *name, rt_type_id *out)
{
	return find_name(t, BTF_FUNCTION, name, out);
}

static int btf_variable(struct rt_types *t, const char *name, rt_type_id *out)
{
	return find_name(t, BTF_VARIABLE, name, out);
}

const struct rt_types_ops rt_btf_ops = {
	.get = btf_get,
	.alias = btf_alias,
	.member = btf_member,
	.enumerator = btf_enumerator,
	.function = btf_function,
	.variable = btf_variable,
	.close = rt_btf_close,
};
