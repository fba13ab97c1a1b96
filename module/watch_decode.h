/* SPDX-License-Identifier: GPL-2.0 */
/*
 * watch_decode.h - the instruction that made an access: where it begins (x86), and what
 * it does to memory (arm64).
 */
#ifndef RT_WATCH_DECODE_H
#define RT_WATCH_DECODE_H

#include <linux/types.h>

struct pt_regs;
struct rt_access;
struct rt_watch;

/* Once, at load. */
void rt_watch_decode_init(void);

/* Code may have changed since the last recording. */
void rt_watch_decode_forget(void);

/* *IP is where the CPU goes on; false if the instruction before it is not found. */
#ifdef CONFIG_X86
bool rt_watch_decode_start(const struct rt_watch *watch, struct pt_regs *regs, u64 *ip);
#else
/* The trap comes before the access: the address is the instruction's. */
static inline bool rt_watch_decode_start(const struct rt_watch *watch, struct pt_regs *regs,
					 u64 *ip)
{
	return true;
}
#endif

/* Before the access: fills in address, direction and, with the old value given, the new one. */
void rt_watch_decode(const struct rt_watch *watch, struct pt_regs *regs, struct rt_access *access);

#endif
