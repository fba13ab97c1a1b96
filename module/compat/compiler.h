/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RT_COMPAT_COMPILER_H
#define RT_COMPAT_COMPILER_H

#include <linux/compiler.h>

/* 5.8: what the checker of data races shall let pass; without a checker it is nothing. */
#ifndef data_race
#define data_race(expression) (expression)
#endif

#endif
