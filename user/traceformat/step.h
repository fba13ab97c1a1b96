/* SPDX-License-Identifier: GPL-2.0 */
/*
 * step.h - the compiled print format: shared by the part that makes it (compile.c) and the part
 * that runs it (run.c).
 */
#ifndef RT_TRACEFORMAT_STEP_H
#define RT_TRACEFORMAT_STEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "traceformat/format.h"

#define RAW_MAX	  65536 /* no event is larger */
#define SPEC_MAX  32	/* "%-08llx" and a little more */
#define DEPTH_MAX 64	/* of an expression */

/* ---- numbers: what eval_num_arg() of libtraceevent computes -------------- */

enum node_kind {
	NODE_CONST,
	NODE_FIELD, /* value at offset */
	NODE_INDEX, /* element `left` of the array at offset */
	NODE_CAST,
	NODE_LENGTH, /* of a dynamic array */
	NODE_CHOOSE, /* left ? right : other */
	NODE_OP,
};

enum op_kind {
	OP_NOT,
	OP_INVERT,
	OP_OR,
	OP_BITOR,
	OP_AND,
	OP_BITAND,
	OP_LT,
	OP_LE,
	OP_SHL,
	OP_GT,
	OP_GE,
	OP_SHR,
	OP_EQ,
	OP_NE,
	OP_SUB,
	OP_ADD,
	OP_DIV,
	OP_MOD,
	OP_MUL,
};

struct node {
	enum node_kind kind;
	enum op_kind op;
	uint64_t value;
	unsigned int offset, size;
	struct node *left, *right, *other;
};

/* ---- strings: what print_str_arg() prints -------------------------------- */

enum string_kind {
	STRING_TEXT,	/* constant */
	STRING_FIELD,	/* an array of char */
	STRING_DYNAMIC, /* __get_str() */
	STRING_FLAGS,
	STRING_SYMBOL,
	STRING_HEX,
	STRING_NUMBERS, /* __print_array() */
	STRING_BITMASK,
	STRING_POINTER, /* to a text of the kernel, which the recording may contain */
	STRING_CHOOSE,
};

struct flag {
	int64_t value; /* negative: a name without meaning here */
	const char *text;
};

struct string {
	enum string_kind kind;
	const char *text; /* constant, or the separator */
	unsigned int offset, size;
	bool dynamic, relative;
	bool as_list; /* a bitmask: 0-3,5 */
	struct node *number, *count, *element;
	struct flag *flags;
	unsigned int flag_count;
	struct string *yes, *no;
};

/* ---- steps ---------------------------------------------------------------- */

enum step_kind {
	STEP_TEXT,
	STEP_NUMBER,
	STEP_FIELD, /* a number from a field, printed without flags or width */
	STEP_HEX,   /* such a field of 8 bytes in our byte order, in hexadecimal, unpadded */
	STEP_STRING,
	STEP_POINTER,
	STEP_FUNCTION,
	STEP_FLOAT, /* a number that is a float or double, whatever the conversion */
	STEP_BYTES, /* %pM, %pI4, %pU, … */
};

#define HOW_MAX 8 /* the letters behind %p in STEP_BYTES */

struct step {
	enum step_kind kind;
	unsigned int offset, size; /* of STEP_FIELD */
	char *text;		   /* printed first; has at least RT_BUFFER_BLOCK bytes; or NULL */
	size_t len;
	struct node *number;
	struct node *given; /* the width or precision from an argument (%*d, %.*s) */
	struct string *string;
	bool dynamic, relative; /* how to follow STEP_BYTES' offset */
	char how[HOW_MAX];
	char spec[SPEC_MAX]; /* the conversion for printf, if it is not simple */
	bool simple;
	bool hash, with_offset;
	char conv, pad;
	int width;
	unsigned int bytes; /* of the integer to print */
};

/*
 * The first steps of a format if they are only short texts and plain numbers, as in many formats:
 * all that is needed of them, close together.
 */
struct quick {
	char text[RT_BUFFER_BLOCK]; /* printed first */
	uint8_t len, size, bytes;
	char conv; /* 0: no number */
	uint32_t offset;
};

/* Everything that a format owns, in one chain, to free it simply. */
struct owned {
	struct owned *next;
};

struct rt_tracefmt {
	struct owned *owned;
	struct step *steps;
	unsigned int count, room;
	struct quick *quick; /* NULL: none */
	unsigned int quick_count;
	size_t quick_end; /* they read no further */
	const struct tep_event *event;
	unsigned int long_size;
	bool swapped;	/* the data has the other byte order */
	bool by_fields; /* print field by field: the print format is not understood */
};

struct run;

/* quick.c: find the quick steps; print these, and return their number. */
void rt_tracequick_find(struct rt_tracefmt *f);
unsigned int rt_tracequick_put(const struct rt_tracefmt *f, const struct run *r);

/* bytes.c */
void rt_tracebytes_put(struct rt_text *out, const char *how, const uint8_t *at, size_t size);

/* fields.c */
void rt_tracefields_put(const struct run *r, const struct rt_tracefmt *f);

/* ---- the event at hand (run.c) ---------------------------------------- */

struct run {
	const uint8_t *raw;
	size_t size;
	struct rt_text *out;
	const struct rt_trace_names *names;
	bool swapped;
};

static inline uint64_t trace_number(const struct run *r, uint64_t offset, unsigned int size)
{
	uint16_t v16;
	uint32_t v32;
	uint64_t v64;

	if (offset >= r->size || size > r->size - offset)
		return 0;
	switch (size) {
	case 1:
		return r->raw[offset];
	case 2:
		memcpy(&v16, r->raw + offset, 2);
		return r->swapped ? __builtin_bswap16(v16) : v16;
	case 4:
		memcpy(&v32, r->raw + offset, 4);
		return r->swapped ? __builtin_bswap32(v32) : v32;
	case 8:
		memcpy(&v64, r->raw + offset, 8);
		return r->swapped ? __builtin_bswap64(v64) : v64;
	default:
		return 0;
	}
}

static inline uint64_t trace_cast(uint64_t v, unsigned int size, bool is_signed)
{
	switch (size) {
	case 1:
		return is_signed ? (uint64_t)(int64_t)(int8_t)v : (uint8_t)v;
	case 2:
		return is_signed ? (uint64_t)(int64_t)(int16_t)v : (uint16_t)v;
	case 4:
		return is_signed ? (uint64_t)(int64_t)(int32_t)v : (uint32_t)v;
	default:
		return v;
	}
}

uint64_t rt_tracerun_number(const struct run *r, uint64_t offset, unsigned int size);

#endif
