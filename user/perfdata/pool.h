/* SPDX-License-Identifier: GPL-2.0 */
/*
 * pool.h - memory that is given back all at once.
 */
#ifndef RT_PERFDATA_POOL_H
#define RT_PERFDATA_POOL_H

#include <stddef.h>

struct rt_pool_chunk;

struct rt_pool { /* all zero: empty */
	struct rt_pool_chunk *chunks;
};

/* Zeroed, aligned to 16; NULL when there is no memory. */
void *rt_pool_alloc(struct rt_pool *pool, size_t size);
/* The same for count things of this size; NULL too when that overflows. */
void *rt_pool_array(struct rt_pool *pool, size_t count, size_t size);
/* At most len bytes of s, and a NUL. */
char *rt_pool_string(struct rt_pool *pool, const char *s, size_t len);
void rt_pool_free(struct rt_pool *pool);

#endif
