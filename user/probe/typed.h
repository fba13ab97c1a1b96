/* SPDX-License-Identifier: GPL-2.0 */
/*
 * typed.h - a typed value and where it is: a variable, its members and elements, $retval.
 *
 * It becomes one or several values of an event in the syntax of -e, whose widths and signs are those
 * of the type.
 */
#ifndef RT_PROBE_TYPED_H
#define RT_PROBE_TYPED_H

#include "base/error.h"
#include "base/text.h"
#include "events/spec.h"
#include "types/types.h"

#define RT_TYPED_TEXT 512

struct rt_typed {
	struct rt_types *types;
	rt_type_id type;
	enum {
		RT_TYPED_REGISTER, /* base is the value itself; a struct may have a second one */
		RT_TYPED_MEMORY,   /* the value is at base + offset */
		RT_TYPED_SYMBOL,   /* the value is at the symbol `base` + offset */
	} in;
	char base[RT_TYPED_TEXT]; /* in the syntax of -e: "%di", "+16(%di)", "init_net" */
	char second[16];	  /* the register with the bytes from 8 on */
	int64_t offset;
	uint32_t bit;  /* of a bitfield: its lowest bit, from offset */
	uint32_t bits; /* 0: not a bitfield */
};

/*
 * Follow PATH (->member, .member, [n], any number of them) from VALUE.  WHAT is the text before it,
 * for errors.
 */
int rt_typed_follow(struct rt_typed *value, const char *what, const char *path, struct rt_err *err);

/* Write where the value is in the syntax of -e: "%di", "+16(%di)", "@init_net+8"; -E2BIG. */
int rt_typed_text(const struct rt_typed *value, char *out, size_t size);

/* The size of a type in bytes, also of an array; 0 if it is not known. */
uint64_t rt_typed_size(struct rt_types *t, rt_type_id id);

/*
 * Append " NAME=VALUE:TYPE" to OUT, or several if it is a struct, and the names of enumerators to
 * LABELS.
 */
int rt_typed_write(const struct rt_typed *value, const char *name, const char *what,
		   struct rt_text *out, struct rt_value_labels *labels, struct rt_err *err);

/* Append what a user's own type asks for: " NAME=VALUE:TYPE". */
int rt_typed_write_as(const struct rt_typed *value, const char *name, const char *type,
		      struct rt_text *out, struct rt_err *err);

#endif
