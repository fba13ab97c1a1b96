// SPDX-License-Identifier: GPL-2.0
#include <linux/hw_breakpoint.h>
#include <linux/kernel.h>

#include "slots.h"

#if !defined(CONFIG_HAVE_HW_BREAKPOINT)
#define WATCH_SLOTS  0
#define BREAK_SLOTS  0
#define SLOTS_SHARED false
#elif defined(CONFIG_ARM64)
#include "compat/slots.h"
#define WATCH_SLOTS  rt_compat_watch_slots()
#define BREAK_SLOTS  rt_compat_break_slots()
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
