/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RT_COMPAT_BARRIER_H
#define RT_COMPAT_BARRIER_H

#include <linux/bitops.h>
#include <linux/compiler.h>
#include <asm/barrier.h>

#include "compiler.h"

/*
 * 3.14: 47933ad41a86 "arch: Introduce smp_load_acquire(), smp_store_release()".  64-bit x86 orders loads with
 * later accesses and stores with earlier ones itself.
 */
#ifdef CONFIG_X86_64
#define rt_compat_smp_order() barrier()
#else
#define rt_compat_smp_order() smp_mb()
#endif

#define rt_compat_smp_store_release(place, value) \
	do {                                      \
		rt_compat_smp_order();            \
		WRITE_ONCE(*(place), value);      \
	} while (0)

#define rt_compat_smp_load_acquire(place)                      \
	({                                                     \
		typeof(*(place)) ___now = READ_ONCE(*(place)); \
		rt_compat_smp_order();                         \
		___now;                                        \
	})

#ifndef smp_store_release
#define smp_store_release rt_compat_smp_store_release
#define smp_load_acquire  rt_compat_smp_load_acquire
#endif

/* 3.13 */
#ifndef GENMASK_ULL
#define GENMASK_ULL(high, low) ((~0ULL >> (63 - (high))) & (~0ULL << (low)))
#endif

#endif
