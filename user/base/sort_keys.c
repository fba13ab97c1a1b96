// SPDX-License-Identifier: GPL-2.0
/*
 * sort_keys.c - see sort_keys.h
 *
 * Thousands of addresses lie within a few megabytes: two or three rounds of a radix sort are enough.
 */
#include "base/sort_keys.h"

#define DIGIT_BITS 11
#define DIGITS	   (1u << DIGIT_BITS)

/* One round; stable. */
static void sort_digit(const struct rt_sort_key *from, struct rt_sort_key *to, uint32_t count,
		       unsigned int shift)
{
	uint32_t place[DIGITS] = { 0 }, i, sum = 0;

	for (i = 0; i < count; i++)
		place[from[i].key >> shift & (DIGITS - 1)]++;
	for (i = 0; i < DIGITS; i++) {
		uint32_t n = place[i];

		place[i] = sum;
		sum += n;
	}
	for (i = 0; i < count; i++)
		to[place[from[i].key >> shift & (DIGITS - 1)]++] = from[i];
}

struct rt_sort_key *rt_sort_keys(struct rt_sort_key *keys, struct rt_sort_key *spare,
				 uint32_t count)
{
	uint64_t low = UINT64_MAX, reach = 0;
	struct rt_sort_key *swap;
	unsigned int shift;
	uint32_t i;

	for (i = 0; i < count; i++)
		if (keys[i].key < low)
			low = keys[i].key;
	for (i = 0; i < count; i++) {
		keys[i].key -= low;
		reach |= keys[i].key;
	}
	for (shift = 0; shift < 64 && reach >> shift; shift += DIGIT_BITS) {
		sort_digit(keys, spare, count, shift);
		swap = keys;
		keys = spare;
		spare = swap;
	}
	return keys;
}
