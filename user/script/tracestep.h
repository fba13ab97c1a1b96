/* SPDX-License-Identifier: GPL-2.0 */
/*
 * tracestep.h - what a print format is turned into: shared by the part that makes it
 * (tracefmt.c) and the part that runs it (tracerun.c).
 */
#ifndef RT_SCRIPT_TRACESTEP_H
#define RT_SCRIPT_TRACESTEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RAW_MAX	  65536 /* nothing lies beyond in an event */
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
	STRING_CHOOSE,
};

struct flag {
	int64_t value; /* negative: a name that means nothing here */
	const char *text;
};

struct string {
	enum string_kind kind;
	const char *text; /* constant, or what separates */
	unsigned int offset, size;
	bool dynamic, relative;
	struct node *number, *count, *element;
	struct flag *flags;
	unsigned int flag_count;
	struct string *yes, *no;
};

/* ---- steps ---------------------------------------------------------------- */

enum step_kind {
	STEP_TEXT,
	STEP_NUMBER,
	STEP_FIELD, /* a number that is a field, printed without frills */
	STEP_STRING,
	STEP_POINTER,
	STEP_FUNCTION,
};

struct step {
	enum step_kind kind;
	unsigned int offset, size; /* of STEP_FIELD */
	char *text;		   /* that comes first, in at least RT_TEXT_BLOCK bytes; or NULL */
	size_t len;
	struct node *number;
	struct string *string;
	char spec[SPEC_MAX]; /* the conversion for printf, when it is not simple */
	bool simple;
	bool hash, with_offset;
	char conv, pad;
	int width;
	unsigned int bytes; /* of the integer it prints */
};

/* Everything a format owns, in one chain, so that freeing is simple. */
struct owned {
	struct owned *next;
};

struct rt_tracefmt {
	struct owned *owned;
	struct step *steps;
	unsigned int count, room;
	const struct tep_event *event;
	unsigned int long_size;
};

#endif
