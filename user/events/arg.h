/* SPDX-License-Identifier: GPL-2.0 */
/* arg.h - compile one argument of a probe, `[name=]VALUE[:type]`, to instructions. */
#ifndef RT_EVENTS_ARG_H
#define RT_EVENTS_ARG_H

#include "events/scan.h"
#include "events/spec.h"

/* A base value needs at most two instructions, and each dereference needs one. */
#define RT_ARG_DEPTH_MAX 16
#define RT_ARG_CODE_MAX	 (RT_ARG_DEPTH_MAX + 4)

struct rt_arg_type {
	enum rt_field_show show;
	uint8_t size; /* of one element */
	bool is_signed;
	bool is_string;
	bool user;	    /* ustring: always read it from user memory */
	uint16_t bits;	    /* width of a bitfield; 0: not one */
	uint16_t first_bit; /* its lowest bit */
	uint16_t count;	    /* elements of an array; 0: not one */
	uint16_t length;    /* of a string: at most so many characters; 0: no such limit */
};

struct rt_arg {
	char *name;
	struct rt_arg_type type;
	/*
	 * Instructions that compute the value; if memory is set, they compute V: the value is at V
	 * + offset.
	 */
	struct rt_insn code[RT_ARG_CODE_MAX];
	int count;
	bool memory;
	bool user;
	int32_t offset;
	bool comm; /* only the task's name */
};

/* Parse the N'th argument (from 1) of an event of KIND at the cursor, up to a blank. */
int rt_arg_parse(struct rt_scan *scan, const struct rt_event_env *env, enum rt_event_kind kind,
		 int n, struct rt_arg *arg);
void rt_arg_free(struct rt_arg *arg);

#endif
