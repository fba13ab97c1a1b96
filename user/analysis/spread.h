/* SPDX-License-Identifier: GPL-2.0 */
/* spread.h - how a stream of numbers is spread: extremes, mean, and a count for each power of two. */
#ifndef RT_ANALYSIS_SPREAD_H
#define RT_ANALYSIS_SPREAD_H

#include <stdint.h>

#define RT_SPREAD_BUCKETS 65 /* 0; then from 2^(i-1) to below 2^i */

struct rt_spread { /* all zero: empty */
	uint64_t count;
	uint64_t min, max;
	double sum;
	uint64_t buckets[RT_SPREAD_BUCKETS];
};

static inline void rt_spread_add(struct rt_spread *s, uint64_t value)
{
	if (!s->count || value < s->min)
		s->min = value;
	if (value > s->max)
		s->max = value;
	s->count++;
	s->sum += (double)value;
	s->buckets[value ? 64 - __builtin_clzll(value) : 0]++;
}

/* The first and the last bucket with something in it. */
void rt_spread_range(const struct rt_spread *s, unsigned int *first, unsigned int *last);

/* The smallest value of a bucket. */
static inline uint64_t rt_spread_floor(unsigned int bucket)
{
	return bucket ? 1ULL << (bucket - 1) : 0;
}

/* An upper bound of the value below which this part of all values lies: the end of its bucket. */
uint64_t rt_spread_quantile(const struct rt_spread *s, double part);

#endif
