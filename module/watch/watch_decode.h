/* SPDX-License-Identifier: GPL-2.0 */
/*
 * watch_decode.h - the instruction of an access: where it begins (x86), and what it does to
 * memory (arm64).
 */
#ifndef RT_WATCH_DECODE_H
#define RT_WATCH_DECODE_H

#include <linux/types.h>

struct pt_regs;
struct rt_access;
struct rt_watch;

#ifdef CONFIG_X86
/* Once, at load, and at unload. */
int rt_watch_decode_open(void);
void rt_watch_decode_exit(void);

/* Code may have changed since the last recording. */
void rt_watch_decode_forget(void);

/*
 * Replace access->ip, the address of the next instruction, with that of the instruction that made the
 * access, and describe it in access->insn.  False: it was not found, and access->ip is unchanged.
 */
bool rt_watch_decode_start(const struct rt_watch *watch, struct pt_regs *regs,
			   struct rt_access *access);

/*
 * Set access->new to what the instruction has written, or read, if it and the registers tell: whatever
 * is in memory by now.  False if they do not tell.
 */
bool rt_watch_decode_after(const struct rt_watch *watch, struct pt_regs *regs,
			   struct rt_access *access);

/* Compute access->old from access->insn, the registers and the new value; false if they do not tell. */
bool rt_watch_decode_before(const struct rt_watch *watch, struct pt_regs *regs,
			    struct rt_access *access);
#else
void rt_watch_decode_init(void);
void rt_watch_decode_forget(void);

static inline int rt_watch_decode_open(void)
{
	rt_watch_decode_init();
	return 0;
}

static inline void rt_watch_decode_exit(void)
{
}

/* The bytes that INSN is about to touch; false if it is not a known access. */
bool rt_watch_decode_range(u32 insn, const struct pt_regs *regs, u64 *from, u32 *bytes);

/* Like rt_watch_decode(), for the instruction INSN, which the kernel executes. */
void rt_watch_decode_insn(const struct rt_watch *watch, struct pt_regs *regs, u32 insn,
			  struct rt_access *access);

/* The trap comes before the access: its address is that of the instruction. */
static inline bool rt_watch_decode_start(const struct rt_watch *watch, struct pt_regs *regs,
					 struct rt_access *access)
{
	return true;
}
#endif

/* Before the access: describe it and, unless access->leave is set, perform it. */
void rt_watch_decode(const struct rt_watch *watch, struct pt_regs *regs, struct rt_access *access);

#endif
