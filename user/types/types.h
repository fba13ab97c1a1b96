/* SPDX-License-Identifier: GPL-2.0 */
/*
 * types.h - functions, parameters, variables and types of a program or a kernel, whatever describes
 * them.
 *
 * BTF (btf.h) and DWARF (debuginfo.h) fill the same interface.  A type is a number that only its source
 * understands; rt_types_get() follows typedefs and qualifiers.  Names belong to the source and live as
 * long as it does.  Several threads may make any call on one source at once, except rt_types_close(): BTF
 * does not change after it was opened, and DWARF has a lock for each file.
 *
 * This folder: types from BTF and DWARF.  May use: base, host, arch, symbols; libelf, libdw.
 */
#ifndef RT_TYPES_TYPES_H
#define RT_TYPES_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/nearest.h"

typedef uint64_t rt_type_id;

#define RT_TYPE_NONE ((rt_type_id)0) /* void */

enum rt_type_kind {
	RT_TYPE_VOID,
	RT_TYPE_INT, /* also bool and char */
	RT_TYPE_FLOAT,
	RT_TYPE_POINTER,
	RT_TYPE_ARRAY,
	RT_TYPE_STRUCT,
	RT_TYPE_UNION,
	RT_TYPE_ENUM,
	RT_TYPE_FUNCTION,
	RT_TYPE_DECLARED, /* a struct, union or enum of which only the name is known */
};

struct rt_type {
	enum rt_type_kind kind;
	rt_type_id id;	  /* without typedefs and qualifiers */
	const char *name; /* NULL: none; "struct" and "enum" are not part of it */
	uint64_t size;	  /* in bytes */
	bool is_signed;
	bool is_bool;
	bool is_char;	   /* a char of any sign, also u8 and __u8 if the source says so */
	bool is_union;	   /* RT_TYPE_DECLARED */
	rt_type_id target; /* of a pointer, the element of an array, what a function returns */
	uint32_t count;	   /* elements, members, enumerators or parameters */
};

struct rt_member {
	const char *name; /* NULL: an anonymous struct or union, or a parameter without a name */
	rt_type_id type;
	uint64_t bit;  /* from the start of the struct; 0 for a parameter */
	uint32_t bits; /* width of a bitfield; 0: not one */
};

struct rt_enumerator {
	const char *name;
	uint64_t value;
};

struct rt_types;

/* What a source implements; each returns 0 or a negative errno. */
struct rt_types_ops {
	int (*get)(struct rt_types *t, rt_type_id id, struct rt_type *out);
	/* The name as written, before typedefs are followed: "size_t", "const struct sock *". */
	const char *(*alias)(struct rt_types *t, rt_type_id id);
	int (*member)(struct rt_types *t, rt_type_id id, uint32_t n, struct rt_member *out);
	int (*enumerator)(struct rt_types *t, rt_type_id id, uint32_t n, struct rt_enumerator *out);
	int (*function)(struct rt_types *t, const char *name, rt_type_id *out);
	int (*variable)(struct rt_types *t, const char *name, rt_type_id *out);
	void (*close)(struct rt_types *t);
};

struct rt_types {
	const struct rt_types_ops *ops;
};

static inline void rt_types_close(struct rt_types *t)
{
	if (t)
		t->ops->close(t);
}

/* Describe a type; -EINVAL if the source is damaged there. */
static inline int rt_types_get(struct rt_types *t, rt_type_id id, struct rt_type *out)
{
	return t->ops->get(t, id, out);
}

/* Member N of a struct or union, or parameter N of a function, from 0. */
static inline int rt_types_member(struct rt_types *t, rt_type_id id, uint32_t n,
				  struct rt_member *out)
{
	return t->ops->member(t, id, n, out);
}

static inline int rt_types_enumerator(struct rt_types *t, rt_type_id id, uint32_t n,
				      struct rt_enumerator *out)
{
	return t->ops->enumerator(t, id, n, out);
}

/*
 * The type of the function NAME.  -ENOENT: the source does not describe it.  -ENOTUNIQ: it describes
 * several with different parameters.
 */
static inline int rt_types_function(struct rt_types *t, const char *name, rt_type_id *out)
{
	return t->ops->function(t, name, out);
}

/* The type of the global variable NAME; -ENOENT, -ENOTUNIQ. */
static inline int rt_types_variable(struct rt_types *t, const char *name, rt_type_id *out)
{
	return t->ops->variable(t, name, out);
}

/*
 * Find the member NAME, also inside anonymous structs and unions; out->bit counts from the start of
 * the outer one.  -ENOENT; then NEAR, if it is not NULL, has been offered the members that there are.
 */
int rt_types_find_member(struct rt_types *t, rt_type_id id, const char *name, struct rt_member *out,
			 struct rt_nearest *near);

/* The same for the parameters of a function; *INDEX counts from 0. */
int rt_types_find_parameter(struct rt_types *t, rt_type_id function, const char *name,
			    uint32_t *index, struct rt_member *out, struct rt_nearest *near);

/* Write a declaration as C has it: "struct sock *sk", "char comm[16]"; returns OUT. */
const char *rt_types_declare(struct rt_types *t, rt_type_id id, const char *name, char *out,
			     size_t size);

#endif
