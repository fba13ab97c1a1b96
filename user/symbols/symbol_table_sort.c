// SPDX-License-Identifier: GPL-2.0
/*
 * symbol_table_sort.c - see symbol_table_sort.h
 *
 * Tables have thousands of entries whose starts lie within a few megabytes.  Two or three rounds of
 * a radix sort over keys are enough, and each entry moves only once.
 */
#include "symbols/symbol_table_sort.h"

#include <stdlib.h>
#include <string.h>

#define SMALL	   64
#define DIGIT_BITS 11
#define DIGITS	   (1u << DIGIT_BITS)

struct key {
	uint64_t start; /* relative to the lowest */
	uint32_t at;
};

/* One round; stable. */
static void sort_digit(const struct key *from, struct key *to, uint32_t count, unsigned int shift)
{
	uint32_t place[DIGITS] = { 0 }, i, sum = 0;

	for (i = 0; i < count; i++)
		place[from[i].start >> shift & (DIGITS - 1)]++;
	for (i = 0; i < DIGITS; i++) {
		uint32_t n = place[i];

		place[i] = sum;
		sum += n;
	}
	for (i = 0; i < count; i++)
		to[place[from[i].start >> shift & (DIGITS - 1)]++] = from[i];
}

/* Few entries share a start, and they are mostly in order. */
static void sort_ages(struct rt_symbol_table_entry *entry, uint32_t count)
{
	uint32_t i, to;

	for (i = 1; i < count; i++) {
		struct rt_symbol_table_entry e = entry[i];

		for (to = i;
		     to && entry[to - 1].sym.start == e.sym.start && entry[to - 1].seq > e.seq;
		     to--)
			entry[to] = entry[to - 1];
		if (to != i)
			entry[to] = e;
	}
}

static struct rt_symbol_table_entry *in_order(const struct rt_symbol_table_entry *entry,
					      uint32_t count, struct key *a, struct key *b)
{
	struct rt_symbol_table_entry *sorted = malloc((size_t)count * sizeof(*sorted));
	uint64_t low = UINT64_MAX, reach = 0;
	unsigned int shift;
	uint32_t i;

	if (!sorted)
		return NULL;
	for (i = 0; i < count; i++)
		if (entry[i].sym.start < low)
			low = entry[i].sym.start;
	for (i = 0; i < count; i++) {
		a[i] = (struct key){ entry[i].sym.start - low, i };
		reach |= a[i].start;
	}
	for (shift = 0; shift < 64 && reach >> shift; shift += DIGIT_BITS) {
		struct key *swap = a;

		sort_digit(a, b, count, shift);
		a = b;
		b = swap;
	}
	for (i = 0; i < count; i++)
		sorted[i] = entry[a[i].at];
	sort_ages(sorted, count);
	return sorted;
}

struct rt_symbol_table_entry *rt_symbol_table_sort(const struct rt_symbol_table_entry *entry,
						   uint32_t count)
{
	struct rt_symbol_table_entry *sorted = NULL;
	struct key *keys;

	if (count < SMALL)
		return NULL;
	keys = malloc(2 * (size_t)count * sizeof(*keys));
	if (keys)
		sorted = in_order(entry, count, keys, keys + count);
	free(keys);
	return sorted;
}
