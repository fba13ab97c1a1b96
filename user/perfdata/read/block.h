/* SPDX-License-Identifier: GPL-2.0 */
/*
 * block.h - reference-counted memory for records that cannot be read in place from the mapped file.
 */
#ifndef RT_PERFDATA_READ_BLOCK_H
#define RT_PERFDATA_READ_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rt_block {
	int refs;    /* atomic: formatting threads drop references */
	size_t runs; /* runs of the sorting queue in it; used by the reading thread only */
	size_t size;
	size_t used;
	uint8_t data[] __attribute__((aligned(8)));
};

/* Returned with one reference; NULL if there is no memory. */
struct rt_block *rt_block_new(size_t size);
/* All of these accept NULL. */
struct rt_block *rt_block_get(struct rt_block *block);
void rt_block_put(struct rt_block *block);
/* Whether nobody else holds a reference, so that the block may be refilled. */
bool rt_block_alone(const struct rt_block *block);

#endif
