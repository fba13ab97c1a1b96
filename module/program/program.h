/* SPDX-License-Identifier: GPL-2.0 */
/*
 * program.h - fetch and filter programs: checked once, then run at every hit.
 *
 * uapi/ringtail_program.h defines the instruction set, and docs/programs.md explains it.  Nothing
 * here sleeps, locks, allocates or faults, so programs run in any context, NMI included.  The same
 * source is built for the host, where program_port.h calls hooks instead of the kernel.
 *
 * At every hit:
 *
 *	if (filter is early && !rt_filter_run(filter, context, NULL, 0))
 *		filtered;
 *	size = rt_fetch_size(fetch, context);
 *	reserve size bytes;
 *	rt_fetch_run(fetch, context, bytes, size);
 *	if (filter is not early && !rt_filter_run(filter, context, bytes, size))
 *		cancel the record, filtered;
 *	commit;
 */
#ifndef RT_PROGRAM_H
#define RT_PROGRAM_H

#include "program_port.h"

/* What a program can read of the hit, besides the current task. */
struct rt_program_context {
	const void *regs; /* 8-byte slots; may be NULL if rt_program_limits.registers was 0 */
	u64 ip;
	/* Only needed if the bit RT_CONTEXT_* is set in rt_code.contexts. */
	u64 caller;
	u64 old_value;
	u64 new_value;
	u64 addr;
	u64 rw;
	u64 watch;	  /* RT_WATCH_* */
	const u64 *saved; /* rt_program_limits.saved of them */
	u32 level;
};

enum rt_program_kind { RT_PROGRAM_FETCH, RT_PROGRAM_FILTER };

/* What the event offers to its programs. */
struct rt_program_limits {
	u32 registers; /* their number: RT_PORT_REGISTERS, or 0 */
	u32 contexts;  /* 1 << RT_CONTEXT_*, those that the event has */
	u32 fixed; /* filter: the record offset where the record's fixed fields end; 0: no record */
	u32 saved; /* argument registers that can be saved when a function is entered */
};

/* A program that passed the check.  The caller keeps the slots. */
struct rt_code {
	const struct rt_insn *insns; /* code, then text */
	u16 code;
	u16 text;
	u64 registers; /* 1 << number, those that it uses */
	u32 contexts;  /* 1 << RT_CONTEXT_*, those that it uses */
	bool early;    /* filter: needs no record, so run it before the reserve */
	bool plain;    /* fetch: only registers, the probe's address and stores; no holes */
	bool holes;    /* fetch: some bytes of the fixed part belong to no field */
	u16 measure;   /* fetch: instructions up to the last string; 0: the size is fixed */
	u32 fixed;     /* record offset where the fixed fields (filter: those it uses) end */
	u32 max;       /* fetch: record offset where the longest record ends */
	u32 cost;      /* of one run in the worst case, at most RT_PROGRAM_COST_MAX */
};

struct rt_program_error {
	u32 reason; /* RT_REFUSED_* */
	u32 index;  /* of the instruction */
};

/*
 * Check CODE + TEXT slots at INSNS and describe them in *OUT.  Returns 0, or -EINVAL and fills
 * *ERROR.  The slots must not change afterwards, so copy them first if they are in user memory.
 */
int rt_program_check(enum rt_program_kind kind, const struct rt_insn *insns, u32 code, u32 text,
		     const struct rt_program_limits *limits, struct rt_code *out,
		     struct rt_program_error *error);

/* How many bytes the fields of the record would take now. */
u32 rt_fetch_size(const struct rt_code *fetch, const struct rt_program_context *context);

/*
 * Write the fields; returns how many bytes they take.  It writes all SIZE bytes even if memory has
 * changed since rt_fetch_size(): it cuts a string that grew, and fills the rest with zeros.  SIZE
 * is at least what rt_fetch_size() returned, and exactly that for a program without strings.
 */
u32 rt_fetch_run(const struct rt_code *fetch, const struct rt_program_context *context,
		 void *fields, u32 size);

/* Whether to keep the hit.  FIELDS is NULL and SIZE 0 for an early filter. */
bool rt_filter_run(const struct rt_code *filter, const struct rt_program_context *context,
		   const void *fields, u32 size);

#endif
