// SPDX-License-Identifier: GPL-2.0
/* What every source of types can do: search members, write declarations. */
#include "types/types.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/*
 * Anonymous structs inside structs, pointers to pointers: a damaged source may have a cycle, or lead to
 * the same struct again and again.  The largest structs of kernels have some hundred members.
 */
enum { DEPTH_MAX = 16, MEMBERS_MAX = 1 << 14 };

struct search {
	struct rt_types *types;
	const char *name;
	struct rt_nearest *near;
	uint32_t left; /* members to look at before the search is given up */
};

static int find_member(struct search *s, rt_type_id id, struct rt_member *out, int depth)
{
	struct rt_type type, inner;
	uint64_t bit;
	uint32_t i;
	int ret = rt_types_get(s->types, id, &type);

	if (ret)
		return ret;
	if (depth == DEPTH_MAX || (type.kind != RT_TYPE_STRUCT && type.kind != RT_TYPE_UNION))
		return -ENOENT;
	for (i = 0; i < type.count; i++) {
		ret = s->left ? rt_types_member(s->types, type.id, i, out) : -ELOOP;
		if (ret)
			return ret;
		s->left--;
		if (out->name && !strcmp(out->name, s->name))
			return 0;
		if (out->name && s->near)
			rt_nearest_offer(s->near, out->name);
		if (out->name || rt_types_get(s->types, out->type, &inner))
			continue;
		bit = out->bit;
		ret = find_member(s, inner.id, out, depth + 1);
		out->bit += bit;
		if (ret != -ENOENT)
			return ret;
	}
	return -ENOENT;
}

int rt_types_find_member(struct rt_types *t, rt_type_id id, const char *name, struct rt_member *out,
			 struct rt_nearest *near)
{
	struct search search = { t, name, near, MEMBERS_MAX };

	return find_member(&search, id, out, 0);
}

int rt_types_find_parameter(struct rt_types *t, rt_type_id function, const char *name,
			    uint32_t *index, struct rt_member *out, struct rt_nearest *near)
{
	struct rt_type type;
	uint32_t i;
	int ret = rt_types_get(t, function, &type);

	if (!ret && type.kind != RT_TYPE_FUNCTION)
		ret = -EINVAL;
	for (i = 0; !ret && i < type.count; i++) {
		ret = rt_types_member(t, type.id, i, out);
		if (ret || !out->name)
			continue;
		*index = i;
		if (!strcmp(out->name, name))
			return 0;
		if (near)
			rt_nearest_offer(near, out->name);
	}
	return ret ? ret : -ENOENT;
}

/* --- declarations ----------------------------------------------------------------- */

static const char *tag(const struct rt_type *type)
{
	switch (type->kind) {
	case RT_TYPE_STRUCT:
		return "struct ";
	case RT_TYPE_UNION:
		return "union ";
	case RT_TYPE_ENUM:
		return "enum ";
	case RT_TYPE_DECLARED:
		return type->is_union ? "union " : "struct ";
	default:
		return "";
	}
}

/* BASE grows to the right, the brackets and stars around the name stay in DECLARATOR. */
static void declare(struct rt_types *t, rt_type_id id, const char *declarator, char *out,
		    size_t size, int depth)
{
	const char *alias = t->ops->alias(t, id), *space = *declarator ? " " : "";
	char inner[256];
	struct rt_type type;

	if (alias) {
		snprintf(out, size, "%s%s%s", alias, space, declarator);
		return;
	}
	if (depth == DEPTH_MAX || rt_types_get(t, id, &type)) {
		snprintf(out, size, "?%s%s", space, declarator);
		return;
	}
	switch (type.kind) {
	case RT_TYPE_VOID:
		snprintf(out, size, "void%s%s", space, declarator);
		return;
	case RT_TYPE_POINTER:
		snprintf(inner, sizeof(inner), "*%s", declarator);
		declare(t, type.target, inner, out, size, depth + 1);
		return;
	case RT_TYPE_ARRAY:
		snprintf(inner, sizeof(inner), *declarator == '*' ? "(%s)[%u]" : "%s[%u]",
			 declarator, type.count);
		declare(t, type.target, inner, out, size, depth + 1);
		return;
	case RT_TYPE_FUNCTION:
		snprintf(inner, sizeof(inner), *declarator == '*' ? "(%s)()" : "%s()", declarator);
		declare(t, type.target, inner, out, size, depth + 1);
		return;
	default:
		snprintf(out, size, "%s%s%s%s", tag(&type), type.name ? type.name : "{…}", space,
			 declarator);
	}
}

const char *rt_types_declare(struct rt_types *t, rt_type_id id, const char *name, char *out,
			     size_t size)
{
	declare(t, id, name ? name : "", out, size, 0);
	return out;
}
