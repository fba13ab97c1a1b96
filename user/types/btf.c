// SPDX-License-Identifier: GPL-2.0
#include "types/btf.h"

#include <errno.h>
#include <stdlib.h>

#include "types/btf_format.h"

enum {
	TYPES_MAX = 1 << 24,
	EACH_NAME = 48, /* bytes of types for each function and variable; a kernel has a few more */
};

/* Bytes that follow a type: a fixed part, and one for each of its `count`. */
static const struct {
	uint8_t fixed, each;
} extra[BTF_KINDS] = {
	[BTF_INT] = { 4, 0 },	   [BTF_ARRAY] = { 12, 0 },   [BTF_STRUCT] = { 0, 12 },
	[BTF_UNION] = { 0, 12 },   [BTF_ENUM] = { 0, 8 },     [BTF_PROTOTYPE] = { 0, 8 },
	[BTF_VARIABLE] = { 4, 0 }, [BTF_SECTION] = { 0, 12 }, [BTF_DECL_TAG] = { 4, 0 },
	[BTF_ENUM64] = { 0, 12 },
};

int rt_btf_type(struct btf **b, uint32_t id, struct btf_type *type, uint32_t *extra_at)
{
	struct btf *of = *b;

	while (of->base && id < of->first)
		of = of->base;
	if (id < of->first || id - of->first >= of->count)
		return -EINVAL;
	memcpy(type, of->data + of->offset[id - of->first], sizeof(*type));
	*extra_at = of->offset[id - of->first] + sizeof(*type);
	*b = of;
	return 0;
}

const char *rt_btf_name(const struct btf *b, uint32_t at)
{
	while (b->base && at < b->strings_first)
		b = b->base;
	at -= b->strings_first;
	if (at >= b->strings_size || !b->strings[at])
		return NULL;
	return b->strings + at;
}

uint64_t rt_btf_hash(uint32_t table, const char *name)
{
	return rt_hash_name(table, name);
}

uint32_t rt_btf_table(enum btf_kind kind)
{
	return kind == BTF_FUNCTION || kind == BTF_VARIABLE ? kind : 0;
}

/* Find where each type begins.  The last one must end where the types end. */
static int index_types(struct btf *b, uint32_t at, uint32_t end, struct rt_err *err)
{
	struct btf_type type;
	uint32_t room = 0, *grown, size;
	const char *name;
	enum btf_kind kind;

	if (!rt_index_reserve(&b->names, at < end ? (end - at) / EACH_NAME : 0))
		return rt_err_set(err, ENOMEM, "out of memory");
	for (; at < end; at += size) {
		if (end - at < sizeof(type))
			return rt_err_set(err, EINVAL, "its last type is cut");
		memcpy(&type, b->data + at, sizeof(type));
		kind = rt_btf_kind(&type);
		if (!kind || kind >= BTF_KINDS)
			return rt_err_set(
				err, EINVAL,
				"type %u is of kind %u, which this version of ringtail does "
				"not know",
				b->first + b->count, kind);
		size = sizeof(type) + extra[kind].fixed + extra[kind].each * rt_btf_count(&type);
		if (end - at < size)
			return rt_err_set(err, EINVAL, "its last type is cut");
		if (b->count == room) {
			room = room ? 2 * room : 1024;
			grown = room > TYPES_MAX ? NULL : realloc(b->offset, room * sizeof(*grown));
			if (!grown)
				return rt_err_set(err, ENOMEM, "out of memory");
			b->offset = grown;
		}
		b->offset[b->count] = at;
		name = rt_btf_table(kind) ? rt_btf_name(b, type.name) : NULL;
		if (name &&
		    !rt_index_add(&b->names, rt_btf_hash(rt_btf_table(kind), name), b->count + 1))
			return rt_err_set(err, ENOMEM, "out of memory");
		b->count++;
	}
	return 0;
}

static int parse(struct btf *b, size_t size, struct rt_err *err)
{
	struct btf_header h;
	uint64_t types_end, strings_end;

	if (size < sizeof(h))
		return rt_err_set(err, EINVAL, "it has %zu bytes, less than a header", size);
	memcpy(&h, b->data, sizeof(h));
	if (h.magic == BTF_MAGIC_SWAPPED)
		return rt_err_set(err, EINVAL, "it is of a machine with the other byte order");
	if (h.magic != BTF_MAGIC || h.version != 1)
		return rt_err_set(err, EINVAL, "it does not begin as BTF of version 1 does");
	types_end = (uint64_t)h.header_size + h.types_at + h.types_size;
	strings_end = (uint64_t)h.header_size + h.strings_at + h.strings_size;
	if (h.header_size < sizeof(h) || types_end > size || strings_end > size)
		return rt_err_set(err, EINVAL, "it is cut: its header describes more than it has");
	b->strings = b->data + h.header_size + h.strings_at;
	b->strings_size = h.strings_size;
	if (!h.strings_size || b->strings[h.strings_size - 1])
		return rt_err_set(err, EINVAL, "its strings do not end");
	return index_types(b, h.header_size + h.types_at, types_end, err);
}

void rt_btf_close(struct rt_types *t)
{
	struct btf *b = (struct btf *)t;

	free(b->data);
	free(b->offset);
	rt_index_free(&b->names);
	free(b);
}

int rt_btf_open_bytes(struct rt_types **out, char *data, size_t size, struct rt_types *base,
		      struct rt_err *err)
{
	struct btf *b = calloc(1, sizeof(*b));
	int ret;

	if (!b) {
		free(data);
		return rt_err_set(err, ENOMEM, "out of memory");
	}
	b->types.ops = &rt_btf_ops;
	b->first = 1;
	if (base) {
		b->base = (struct btf *)base;
		b->first = b->base->first + b->base->count;
		b->strings_first = b->base->strings_first + b->base->strings_size;
	}
	b->data = data;
	ret = parse(b, size, err);
	if (ret)
		rt_btf_close(&b->types);
	else
		*out = &b->types;
	return ret;
}

int rt_btf_open_memory(struct rt_types **out, const void *data, size_t size, struct rt_types *base,
		       struct rt_err *err)
{
	char *copy = malloc(size + 1);

	if (!copy)
		return rt_err_set(err, ENOMEM, "out of memory");
	memcpy(copy, data, size);
	return rt_btf_open_bytes(out, copy, size, base, err);
}
