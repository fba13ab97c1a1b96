/* SPDX-License-Identifier: GPL-2.0 */
/* btf_format.h - the records of BTF; internal to the reader: btf.c opens it, btf_types.c answers. */
#ifndef RT_TYPES_BTF_FORMAT_H
#define RT_TYPES_BTF_FORMAT_H

#include <string.h>

#include "base/hash.h"
#include "types/types.h"

enum {
	BTF_MAGIC = 0xeb9f,
	BTF_MAGIC_SWAPPED = 0x9feb,
};

struct btf_header {
	uint16_t magic;
	uint8_t version, flags;
	uint32_t header_size;
	uint32_t types_at, types_size; /* from the end of the header */
	uint32_t strings_at, strings_size;
};

struct btf_type {
	uint32_t name, info, size; /* size, or the type that it refers to */
};

enum btf_kind {
	BTF_INT = 1,
	BTF_POINTER,
	BTF_ARRAY,
	BTF_STRUCT,
	BTF_UNION,
	BTF_ENUM,
	BTF_FORWARD,
	BTF_TYPEDEF,
	BTF_VOLATILE,
	BTF_CONST,
	BTF_RESTRICT,
	BTF_FUNCTION,
	BTF_PROTOTYPE,
	BTF_VARIABLE,
	BTF_SECTION,
	BTF_FLOAT,
	BTF_DECL_TAG,
	BTF_TYPE_TAG,
	BTF_ENUM64,
	BTF_KINDS,
};

enum { INT_SIGNED = 1, INT_CHAR = 2, INT_BOOL = 4 };

struct btf {
	struct rt_types types;
	struct btf *base;
	char *data;
	const char *strings;
	uint32_t strings_size, strings_first; /* the base has those before */
	uint32_t *offset;		      /* of each type in data */
	uint32_t count, first;		      /* the base has types before `first` */
	struct rt_index names;		      /* of functions and variables */
};

static inline enum btf_kind rt_btf_kind(const struct btf_type *type)
{
	return (type->info >> 24) & 0x1f;
}

static inline uint32_t rt_btf_count(const struct btf_type *type)
{
	return type->info & 0xffff;
}

static inline bool rt_btf_flag(const struct btf_type *type)
{
	return type->info >> 31;
}

/* A record of the data; every offset was checked when the types were counted. */
static inline uint32_t rt_btf_word(const struct btf *b, uint32_t at)
{
	uint32_t value;

	memcpy(&value, b->data + at, sizeof(value));
	return value;
}

/*
 * Find a type and where its extra bytes are; *B becomes the part, module or kernel, that has it.
 * -EINVAL if there is no such number.
 */
int rt_btf_type(struct btf **b, uint32_t id, struct btf_type *type, uint32_t *extra_at);

/* NULL: no name. */
const char *rt_btf_name(const struct btf *b, uint32_t at);

/* Names of one table are told apart by what they name; 0: not in a table. */
uint32_t rt_btf_table(enum btf_kind kind);
uint64_t rt_btf_hash(uint32_t table, const char *name);

void rt_btf_close(struct rt_types *t);

extern const struct rt_types_ops rt_btf_ops;

#endif
