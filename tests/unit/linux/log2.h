/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel's header of this name: see bitops.h. */
#ifndef RT_TEST_LOG2_H
#define RT_TEST_LOG2_H

#define ilog2(n) (63 - __builtin_clzll(n))

#endif
