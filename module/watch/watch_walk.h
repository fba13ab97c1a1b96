/* SPDX-License-Identifier: GPL-2.0 */
/*
 * watch_walk.h - x86: find the instruction before an address.
 */
#ifndef RT_WATCH_WALK_H
#define RT_WATCH_WALK_H

#include <linux/types.h>

struct pt_regs;

#define RT_WALK_BYTES 16

/* Once, at load. */
void rt_walk_init(void);

/*
 * The length of the instruction before IP, whose bytes and those after it go to CODE; 0: not found.  It
 * is user code if REGS are user registers.
 */
u32 rt_walk_back(struct pt_regs *regs, unsigned long ip, u8 code[RT_WALK_BYTES]);

/* The length of the instruction of the kernel that CODE, RT_WALK_BYTES bytes, begins with; 0: none. */
u32 rt_walk_length(const u8 *code);

/* Read the bytes at IP; those that cannot be read are 0. */
bool rt_walk_read(struct pt_regs *regs, unsigned long ip, u8 *code, u32 bytes);

/* Whether a function of the kernel begins at IP. */
bool rt_walk_is_entry(unsigned long ip);

#endif
