/* SPDX-License-Identifier: GPL-2.0 */
/* spread.h - memory for hash tables, which are used everywhere and in no order. */
#ifndef RT_BASE_SPREAD_H
#define RT_BASE_SPREAD_H

#include <stddef.h>

/*
 * COUNT elements of SIZE bytes, zeroed, aligned to lines of the cache, for free(); NULL when out of memory or on overflow.  Pages are
 * huge where the system has such, and all of them are there at once: a page of calloc()'s that is read
 * first and written later costs two faults.
 */
void *rt_spread_alloc(size_t count, size_t size);

#endif
