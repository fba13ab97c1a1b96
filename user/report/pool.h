/* SPDX-License-Identifier: GPL-2.0 */
/* pool.h - texts and other values, each kept once: equal values have equal numbers. */
#ifndef RT_REPORT_POOL_H
#define RT_REPORT_POOL_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/hash.h"

struct rt_pool { /* all zero: empty */
	struct rt_arena arena;
	struct rt_pool_value {
		uint64_t hash;
		const char *bytes; /* with a NUL behind */
		size_t len;
	} * list;
	uint32_t count, room;
	struct rt_index index;
};

void rt_pool_free(struct rt_pool *p);

/* The number of a value, from 1 up; 0 if there is no memory. */
uint32_t rt_pool_bytes(struct rt_pool *p, const void *bytes, size_t len);
uint32_t rt_pool_text(struct rt_pool *p, const char *text);

/* "" for 0. */
const char *rt_pool_get(const struct rt_pool *p, uint32_t number);

#endif
