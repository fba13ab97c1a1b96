/* SPDX-License-Identifier: GPL-2.0 */
/*
 * block.h - reference-counted memory that records live in when they cannot be
 * read from the mapped file where they lie.
 */
#ifndef RT_PERFDATA_BLOCK_H
#define RT_PERFDATA_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rt_block {
	int refs;    /* atomic: formatting threads drop theirs */
	size_t runs; /* runs of the sorting queue inside; the reading thread only */
	size_t size;
	size_t used;
	uint8_t data[] __attribute__((aligned(8)));
};

/* With one reference; NULL when there is no memory. */
struct rt_block *rt_block_new(size_t size);
/* NULL is allowed in all of these. */
struct rt_block *rt_block_get(struct rt_block *block);
void rt_block_put(struct rt_block *block);
/* Nobody else has it: it may be filled anew. */
bool rt_block_alone(const struct rt_block *block);

#endif
