/* SPDX-License-Identifier: GPL-2.0 */
/*
 * program.h - fetch and filter programs: checked once, then run at every event.
 *
 * The instruction set is in uapi/ringtail.h, its explanation in docs/programs.md.
 * Nothing here sleeps, locks, allocates or faults, so programs run in any
 * context, NMI included.  The same source is built for the host, where
 * program_port.h stands on hooks instead of the kernel.
 *
 * The way of an event:
 *
 *	if (filter is early && !rt_filter_run(filter, context, NULL, 0))
 *		filtered;
 *	size = rt_fetch_size(fetch, context);
 *	reserve size bytes;
 *	rt_fetch_run(fetch, context, bytes, size);
 *	if (filter is not early && !rt_filter_run(filter, context, bytes, size))
 *		discard, filtered;
 *	commit;
 */
#ifndef RT_PROGRAM_H
#define RT_PROGRAM_H

#include "program_port.h"

/* What a program can see of the event besides the task it runs in. */
struct rt_program_context {
	const void *regs; /* 8-byte slots; may be NULL if the limits said registers = 0 */
	u64 ip;
	/* Only needed if the bit RT_CONTEXT_* is set in rt_code.contexts. */
	u64 caller;
	u64 old_value;
	u64 new_value;
	u64 addr;
	u64 rw;
	u64 watch; /* RT_WATCH_* */
	u32 level;
};

enum rt_program_kind { RT_PROGRAM_FETCH, RT_PROGRAM_FILTER };

/* What the event at hand allows. */
struct rt_program_limits {
	u32 registers; /* how many there are: RT_PORT_REGISTERS, or 0 */
	u32 contexts;  /* 1 << RT_CONTEXT_*, those that can be had */
	u32 fixed;     /* filter: the record offset where its fixed fields end; 0: no record */
};

/* A program that passed the check.  The slots stay the caller's. */
struct rt_code {
	const struct rt_insn *insns; /* code, then text */
	u16 code;
	u16 text;
	u32 contexts; /* 1 << RT_CONTEXT_*, those it looks at */
	bool early;   /* filter: needs no record, so run it before the reserve */
	bool plain;   /* fetch: registers, the probe's address and stores; no holes */
	bool holes;   /* fetch: some bytes of the fixed part belong to no field */
	u16 measure;  /* fetch: instructions up to the last string; 0: the size is fixed */
	u32 fixed;    /* the record offset where the fixed fields (filter: those looked at) end */
	u32 max;      /* fetch: the record offset beyond which no record ends */
};

struct rt_program_error {
	u32 reason; /* RT_REFUSED_* */
	u32 index;  /* of the instruction */
};

/*
 * Check CODE + TEXT slots at INSNS and describe them in *OUT.  Returns 0, or
 * -EINVAL with *ERROR filled.  The slots must not change afterwards: a caller
 * who took them from user memory passes its own copy.
 */
int rt_program_check(enum rt_program_kind kind, const struct rt_insn *insns, u32 code, u32 text,
		     const struct rt_program_limits *limits, struct rt_code *out,
		     struct rt_program_error *error);

/* How many bytes of fields the record will have, if fetched now. */
u32 rt_fetch_size(const struct rt_code *fetch, const struct rt_program_context *context);

/*
 * Write the fields.  All SIZE bytes are written, whatever memory does in the
 * meantime: a string that grew is cut, what is left over is zero.  SIZE is at
 * least what rt_fetch_size() said or, for a program without strings, exactly.
 * Returns how many bytes the fields take.
 */
u32 rt_fetch_run(const struct rt_code *fetch, const struct rt_program_context *context,
		 void *fields, u32 size);

/* Whether to keep the event.  FIELDS is NULL and SIZE 0 for an early filter. */
bool rt_filter_run(const struct rt_code *filter, const struct rt_program_context *context,
		   const void *fields, u32 size);

#endif
