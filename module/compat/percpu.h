/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RT_COMPAT_PERCPU_H
#define RT_COMPAT_PERCPU_H

#include <linux/percpu.h>

/* 3.15 to 3.18: names of their own for accesses that preemption may disturb. */
#ifndef raw_cpu_read
#define raw_cpu_read  __this_cpu_read
#define raw_cpu_write __this_cpu_write
#endif
#ifndef raw_cpu_ptr
#define raw_cpu_ptr __this_cpu_ptr
#endif

#endif
