// SPDX-License-Identifier: GPL-2.0
/* Follow members and elements from a typed value. */
#include "probe/typed.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int too_long(struct rt_err *err, const char *what)
{
	return rt_err_set(err, E2BIG, "'%.80s' goes through too many pointers", what);
}

int rt_typed_text(const struct rt_typed *value, char *out, size_t size)
{
	long long offset = value->offset;
	int length;

	if (value->in == RT_TYPED_REGISTER)
		length = snprintf(out, size, "%s", value->base);
	else if (value->in == RT_TYPED_SYMBOL)
		length = snprintf(out, size, "@%s%+lld", value->base, offset);
	else
		length = snprintf(out, size, "%+lld(%s)", offset, value->base);
	return length < (int)size ? 0 : -E2BIG;
}

/* From now on the value is OFFSET bytes behind what the pointer points to. */
static int dereference(struct rt_typed *value, int64_t offset)
{
	char text[RT_TYPED_TEXT];

	if (rt_typed_text(value, text, sizeof(text)))
		return -E2BIG;
	strcpy(value->base, text);
	value->in = RT_TYPED_MEMORY;
	value->offset = offset;
	value->second[0] = 0;
	return 0;
}

/* The size of a type in bytes, also of arrays; 0 if it is not known. */
static uint64_t size_of(struct rt_types *t, rt_type_id id, int depth)
{
	struct rt_type type;

	if (depth == 8 || rt_types_get(t, id, &type))
		return 0;
	if (type.kind == RT_TYPE_ARRAY)
		return type.count * size_of(t, type.target, depth + 1);
	return type.size;
}

uint64_t rt_typed_size(struct rt_types *t, rt_type_id id)
{
	return size_of(t, id, 0);
}

/* A struct that is passed in registers: choose the register, and the bits in it. */
static int pick_register(struct rt_typed *value, const struct rt_member *member)
{
	uint64_t bit = value->bit + member->bit,
		 size = 8 * rt_typed_size(value->types, member->type);

	if (bit >= 64) {
		if (!value->second[0])
			return -EINVAL;
		strcpy(value->base, value->second);
		value->second[0] = 0;
		bit -= 64;
	} else if (member->bits || bit + size <= 64) {
		value->second[0] = 0;
	}
	value->bit = bit;
	value->bits = member->bits ? member->bits : bit ? size : 0;
	return 0;
}

static int take_member(struct rt_typed *value, const char *what, const char *name, bool arrow,
		       struct rt_err *err)
{
	struct rt_nearest near;
	struct rt_member member;
	struct rt_type type;
	char declared[128], text[160];

	rt_nearest_begin(&near, name);
	rt_types_declare(value->types, value->type, NULL, declared, sizeof(declared));
	if (rt_types_get(value->types, value->type, &type))
		return rt_err_set(err, EINVAL, "the type of '%.80s' is damaged", what);
	if (arrow) {
		if (type.kind == RT_TYPE_STRUCT || type.kind == RT_TYPE_UNION)
			return rt_err_set(err, EINVAL,
					  "'%.80s' is %s, not a pointer: write %.80s.%s", what,
					  declared, what, name);
		if (type.kind == RT_TYPE_ARRAY)
			return rt_err_set(err, EINVAL,
					  "'%.80s' is %s, not a pointer: write %.80s[0].%s", what,
					  declared, what, name);
		if (type.kind != RT_TYPE_POINTER)
			return rt_err_set(err, EINVAL,
					  "'%.80s' is %s, not a pointer, and has no members", what,
					  declared);
		if (dereference(value, 0))
			return too_long(err, what);
		value->type = type.target;
		if (rt_types_get(value->types, value->type, &type))
			return rt_err_set(err, EINVAL, "the type of '%.80s' is damaged", what);
	} else if (type.kind == RT_TYPE_POINTER) {
		return rt_err_set(err, EINVAL, "'%.80s' is a pointer, %s: write %.80s->%s", what,
				  declared, what, name);
	}
	if (type.kind == RT_TYPE_DECLARED)
		return rt_err_set(err, ENOENT,
				  "only the name of %s is known here, not its members; use "
				  "+OFFSET(…) instead",
				  declared);
	if (type.kind != RT_TYPE_STRUCT && type.kind != RT_TYPE_UNION)
		return rt_err_set(err, EINVAL, "'%.80s' is %s and has no members", what, declared);
	if (rt_types_find_member(value->types, type.id, name, &member, &near))
		return rt_err_set(err, ENOENT, "%s has no member '%s'%s",
				  rt_types_declare(value->types, type.id, NULL, declared,
						   sizeof(declared)),
				  name, rt_nearest_text(&near, text, sizeof(text)));
	value->type = member.type;
	if (value->in == RT_TYPED_REGISTER)
		return pick_register(value, &member) ?
			       rt_err_set(err, EINVAL, "'%.80s' is not in registers", what) :
			       0;
	value->offset += member.bit / 8;
	value->bit = member.bit % 8;
	value->bits = member.bits;
	return 0;
}

static int take_element(struct rt_typed *value, const char *what, uint64_t n, struct rt_err *err)
{
	char declared[128];
	struct rt_type type;
	uint64_t size;

	rt_types_declare(value->types, value->type, NULL, declared, sizeof(declared));
	if (rt_types_get(value->types, value->type, &type))
		return rt_err_set(err, EINVAL, "the type of '%.80s' is damaged", what);
	if (type.kind != RT_TYPE_ARRAY && type.kind != RT_TYPE_POINTER)
		return rt_err_set(err, EINVAL, "'%.80s' is %s, neither an array nor a pointer",
				  what, declared);
	size = rt_typed_size(value->types, type.target);
	if (!size || n > INT32_MAX / size)
		return rt_err_set(err, EINVAL, "'%.80s' has no element %llu", what,
				  (unsigned long long)n);
	/* An array without a length is the end of a struct. */
	if (type.kind == RT_TYPE_ARRAY && type.count && n >= type.count)
		return rt_err_set(err, ERANGE, "'%.80s' has %u elements, the last is [%u]", what,
				  type.count, type.count - 1);
	if (type.kind == RT_TYPE_POINTER) {
		if (dereference(value, n * size))
			return too_long(err, what);
	} else if (value->in == RT_TYPED_REGISTER) {
		return rt_err_set(err, EINVAL,
				  "'%.80s' is passed in registers; its elements cannot be chosen",
				  what);
	} else {
		value->offset += n * size;
	}
	value->type = type.target;
	value->bit = value->bits = 0;
	return 0;
}

int rt_typed_follow(struct rt_typed *value, const char *what, const char *path, struct rt_err *err)
{
	char before[RT_TYPED_TEXT], name[128];
	const char *begin = path, *at = path;
	char *end;
	size_t size;
	uint64_t n;
	bool arrow;
	int ret = 0;

	while (!ret && *at) {
		snprintf(before, sizeof(before), "%s%.*s", what, (int)(at - begin), begin);
		if (*at == '[') {
			errno = 0;
			n = strtoull(at + 1, &end, 0);
			if (!isdigit((unsigned char)at[1]) || *end != ']' || errno)
				return rt_err_set(err, EINVAL,
						  "an element is [NUMBER], not '%.40s'", at);
			at = end + 1;
			ret = take_element(value, before, n, err);
			continue;
		}
		arrow = !strncmp(at, "->", 2);
		if (!arrow && *at != '.')
			return rt_err_set(err, EINVAL,
					  "'%.40s' is not understood; after a variable come "
					  "->member, .member or [number]",
					  at);
		at += arrow ? 2 : 1;
		for (size = 0; isalnum((unsigned char)at[size]) || at[size] == '_';)
			size++;
		if (!size || size >= sizeof(name))
			return rt_err_set(err, EINVAL, "a member is expected where '%.40s' begins",
					  at);
		memcpy(name, at, size);
		name[size] = 0;
		at += size;
		ret = take_member(value, before, name, arrow, err);
	}
	return ret;
}
