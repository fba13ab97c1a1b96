/* SPDX-License-Identifier: GPL-2.0 */
/*
 * watch_moved_x86.h - an instruction that the kernel executes in a copy, because a kprobe is on it.
 *
 * The trap then gives the address behind the copy.
 */
#ifndef RT_WATCH_MOVED_X86_H
#define RT_WATCH_MOVED_X86_H

#include <linux/types.h>

#include "watch_walk.h"

struct pt_regs;

/* Once, at load. */
void rt_moved_init(void);

/*
 * Like rt_walk_back() for a copy that ends at IP.  *BY gets what to add to an address in the copy for
 * that in the original code.
 */
u32 rt_moved_back(struct pt_regs *regs, unsigned long ip, u8 code[RT_WALK_BYTES], s64 *by);

#endif
