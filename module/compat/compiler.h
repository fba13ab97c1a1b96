/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RT_COMPAT_COMPILER_H
#define RT_COMPAT_COMPILER_H

#include <linux/compiler.h>

/* 5.8: marks an intended data race for the kernel's checker; without a checker it does nothing. */
#ifndef data_race
#define data_race(expression) (expression)
#endif

/* 3.19, for reads and writes of scalars. */
#ifndef READ_ONCE
#define READ_ONCE(place) ACCESS_ONCE(place)
#endif
#ifndef WRITE_ONCE
#define WRITE_ONCE(place, value) ((void)(ACCESS_ONCE(place) = (value)))
#endif

/* 4.2: a read that KASAN does not check. */
#ifndef READ_ONCE_NOCHECK
#define READ_ONCE_NOCHECK(place) READ_ONCE(place)
#endif

/*
 * The compiler forgets where VALUE comes from.  So it keeps VALUE in a register instead of what VALUE was
 * computed from, and computes anew what it derives from it.
 */
#define rt_hide(value) asm("" : "+r"(value))

#endif
