/* SPDX-License-Identifier: GPL-2.0 */
/* The clock that stamps records.  Which one it is depends on the kernel: RT_CLOCK_KIND. */
#ifndef RT_CLOCK_H
#define RT_CLOCK_H

#include <linux/types.h>

/* From any context, NMI included. */
static __always_inline u64 rt_clock_read(void)
{
	return rt_compat_clock();
}

/* Record time minus the time dmesg prints, in nanoseconds. */
s64 rt_clock_to_dmesg(void);

#endif
