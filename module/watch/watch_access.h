/* SPDX-License-Identifier: GPL-2.0 */
/*
 * watch_access.h - what an access did: the instruction, the old and the new value.
 *
 * x86 traps after the access: the new value is in memory, the old one is the last value seen, and the
 * trap gives the address of the next instruction.  arm64 traps before the access: the old value is in
 * memory, and the new one follows from the instruction, which the handler performs if it can.
 */
#ifndef RT_WATCH_ACCESS_H
#define RT_WATCH_ACCESS_H

#include <linux/types.h>

struct pt_regs;
struct rt_watch;
struct rt_x86_insn;

struct rt_access {
	/* x86: what the instruction did. */
	const struct rt_x86_insn *insn;
	u64 ip;	   /* of the instruction */
	u64 addr;  /* address of the access */
	u32 rw;	   /* RT_ACCESS_* */
	u32 flags; /* RT_WATCH_* */
	u64 old;
	u64 new;
	u32 turn;   /* rt_watch.turn of this access */
	bool same;  /* not a new access: it traps again, or is an exclusive store that failed */
	bool whole; /* the handler has performed it: it will not trap again */
	bool exact; /* no other CPU can have written in between; x86: the new value is the instruction's own */
	bool stuck; /* it would trap forever */
	bool leave; /* the kernel steps over it in any case */
	bool step;  /* the kernel must step over it */
	bool held;  /* arm64: the trap uses this memory, too (watch_held.h) */
	u64 from;   /* arm64: all bytes that it touches */
	u32 bytes;  /* 0: not known */
};

/* Before a watch is armed: read its first value. */
void rt_watch_access_start(struct rt_watch *watch);

#endif
