/* SPDX-License-Identifier: GPL-2.0 */
/*
 * watch_touch.h - x86: whether the instruction that was just executed has touched the watched bytes.
 */
#ifndef RT_WATCH_TOUCH_H
#define RT_WATCH_TOUCH_H

#include <linux/types.h>

#include "watch.h"
#include "x86_insn.h"

struct pt_regs;

/* A string operation may be several elements further when the trap comes. */
#define RT_STRING_SLACK 64

/* Beside RT_ACCESS_READ and RT_ACCESS_WRITE; 0: it has not. */
#define RT_TOUCH_UNSURE RT_ACCESS_EXECUTE

static __always_inline bool rt_touches(const struct rt_watch *watch, u64 from, u64 bytes)
{
	return from < watch->address + watch->length && from + bytes > watch->address;
}

/* Whether code and addresses are 64-bit. */
bool rt_touch_is_wide(struct pt_regs *regs);

/* The address of the operand of INSN, the instruction before NEXT; false: not known. */
bool rt_touch_operand(const struct rt_x86_insn *insn, struct pt_regs *regs, u64 next, u64 *address);

/* How the last SLACK bytes of a string operation touch the watch. */
u32 rt_touch_string(const struct rt_watch *watch, struct pt_regs *regs,
		    const struct rt_x86_insn *insn, u32 slack);

/* How INSN, the instruction before NEXT, has touched the watch. */
u32 rt_touch_by(const struct rt_watch *watch, struct pt_regs *regs, const struct rt_x86_insn *insn,
		u64 next);

#endif
