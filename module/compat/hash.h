/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RT_COMPAT_HASH_H
#define RT_COMPAT_HASH_H

#include <linux/hash.h>

/* 4.7: 2^64 divided by the golden ratio squared, an odd number. */
#ifndef GOLDEN_RATIO_64
#define GOLDEN_RATIO_64 0x61C8864680B583EBULL
#endif

#endif
