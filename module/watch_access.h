/* SPDX-License-Identifier: GPL-2.0 */
/*
 * watch_access.h - what an access did: by which instruction, from what value to what.
 *
 * x86 traps after the access: the new value is in memory, the old one is what was seen
 * last, and the instruction has to be found before the address at hand.  arm64 traps
 * before it: the old value is in memory, and the new one comes of the instruction.
 */
#ifndef RT_WATCH_ACCESS_H
#define RT_WATCH_ACCESS_H

#include <linux/types.h>

struct pt_regs;
struct rt_watch;

struct rt_access {
	u64 ip;	   /* of the instruction that made it */
	u64 addr;  /* what it touched */
	u32 rw;	   /* RT_ACCESS_* */
	u32 flags; /* RT_WATCH_* */
	u64 old;
	u64 new;
	u32 turn;   /* the watch's, when it was looked at */
	bool same;  /* no new access: one that was interrupted traps again */
	bool whole; /* we have done it ourselves: it will not trap again */
	bool stuck; /* it will trap for ever */
};

/* When a watch is about to be armed: the value it starts with. */
void rt_watch_access_start(struct rt_watch *watch);

#endif
