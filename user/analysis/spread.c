// SPDX-License-Identifier: GPL-2.0
#include "analysis/spread.h"

void rt_spread_range(const struct rt_spread *s, unsigned int *first, unsigned int *last)
{
	*first = 0;
	*last = RT_SPREAD_BUCKETS - 1;
	while (*first < *last && !s->buckets[*first])
		(*first)++;
	while (*last > *first && !s->buckets[*last])
		(*last)--;
}

uint64_t rt_spread_quantile(const struct rt_spread *s, double part)
{
	uint64_t seen = 0, end;
	unsigned int i;

	for (i = 0; i < RT_SPREAD_BUCKETS; i++) {
		seen += s->buckets[i];
		if ((double)seen >= part * (double)s->count)
			break;
	}
	if (i >= 64)
		return s->max;
	end = i ? (1ULL << i) - 1 : 0;
	return end < s->max ? end : s->max;
}
