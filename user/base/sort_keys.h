/* SPDX-License-Identifier: GPL-2.0 */
/* sort_keys.h - sort many numbers that lie close together, such as addresses, without comparisons. */
#ifndef RT_BASE_SORT_KEYS_H
#define RT_BASE_SORT_KEYS_H

#include <stdint.h>

struct rt_sort_key {
	uint64_t key;
	uint32_t at; /* the caller's: where the rest is */
};

/*
 * Sort by key; those with the same key stay in their order.  SPARE has room for as many.  Returns KEYS or
 * SPARE, whichever has the result; its keys are relative to the lowest.
 */
struct rt_sort_key *rt_sort_keys(struct rt_sort_key *keys, struct rt_sort_key *spare,
				 uint32_t count);

#endif
