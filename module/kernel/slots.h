/* SPDX-License-Identifier: GPL-2.0 */
/* The debug registers: how many a CPU has for data watches and execution breaks. */
#ifndef RT_SLOTS_H
#define RT_SLOTS_H

#include <linux/types.h>

struct rt_slots {
	u32 watch;
	u32 brk;
	bool shared; /* one pool for both */
};

/* All zero if the kernel has no breakpoint interface. */
struct rt_slots rt_slots_count(void);

#endif
