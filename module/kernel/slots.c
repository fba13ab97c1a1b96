// SPDX-License-Identifier: GPL-2.0
#include <linux/hw_breakpoint.h>
#include <linux/kernel.h>

#include "slots.h"

#if !defined(CONFIG_HAVE_HW_BREAKPOINT)
#define WATCH_SLOTS  0
#define BREAK_SLOTS  0
#define SLOTS_SHARED false
#elif defined(CONFIG_ARM64)
#include <asm/hw_breakpoint.h>
#define WATCH_SLOTS  get_num_wrps()
#define BREAK_SLOTS  get_num_brps()
#define SLOTS_SHARED false
#else
#define WATCH_SLOTS  HBP_NUM
#define BREAK_SLOTS  HBP_NUM
#define SLOTS_SHARED true
#endif

struct rt_slots rt_slots_count(void)
{
	struct rt_slots slots = {
		.watch = WATCH_SLOTS,
		.brk = BREAK_SLOTS,
		.shared = SLOTS_SHARED,
	};

	return slots;
}
