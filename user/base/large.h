/* SPDX-License-Identifier: GPL-2.0 */
/* large.h - memory in megabytes: in huge pages where the system has such, for fewer faults. */
#ifndef RT_BASE_LARGE_H
#define RT_BASE_LARGE_H

#include <stddef.h>

/*
 * A table that is used everywhere and in no order: COUNT elements of SIZE bytes, zeroed, aligned to
 * lines of the cache, for free(); NULL when out of memory or on overflow.  All pages are there at once:
 * a page of calloc()'s that is read first and written later costs two faults.
 */
void *rt_large_table(size_t count, size_t size);

/* realloc() for a list that may grow large. */
void *rt_large_list(void *list, size_t count, size_t size);

#endif
