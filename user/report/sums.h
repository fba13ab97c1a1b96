/* SPDX-License-Identifier: GPL-2.0 */
/*
 * sums.h - the samples of a recording, summed: samples with the same event, function, stack and
 * sort values are one entry, in the order of their first sample.
 */
#ifndef RT_REPORT_SUMS_H
#define RT_REPORT_SUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

#define RT_SUMS_RECENT 32768 /* a power of two */

#define RT_SUM_EXTRA 16 /* values of sort keys that samples may have */

struct rt_sum {
	uint32_t event;
	uint32_t func, stack; /* of the profile */
	uint8_t cpumode;
	bool filtered;
	uint64_t address; /* of the first sample, or of all if `by_address` */
	const char *comm; /* each name is stored once */
	/* Of the first sample, or of all if a sort key needs it: */
	int32_t tid;
	uint32_t next; /* another sum with this stack, plus 1; 0: none */

	uint64_t time; /* of the first sample; all ones: not recorded */
	uint64_t count, period;
};

/*
 * A sum to which samples were added lately, found by event, command, function and stack.  The hash
 * of these tells most other sums apart without a look at the sum.
 */
struct rt_sums_recent {
	uint32_t hash;
	uint32_t sum; /* plus 1; 0: none */
};

struct rt_sums { /* all zero: empty */
	struct rt_sum *list;
	uint64_t *extra; /* extra_count for each sum */
	size_t extra_count;
	bool by_address, by_thread;
	uint32_t count, room;
	uint32_t last; /* the sum to which a sample was added last */
	struct rt_sums_recent recent[RT_SUMS_RECENT];
	/*
	 * Stacks are numbered as they come, so the sums of a stack are found by its number in memory
	 * that is read and written in order.  The index has the sums without a stack, those of stacks
	 * with many sums, and all sums if sort keys tell apart many with the same stack.
	 */
	uint32_t *by_stack; /* the newest sum, plus 1; 0: none */
	uint32_t stack_room;
	struct rt_index index;
};

void rt_sums_free(struct rt_sums *s);

/* Add as many samples as `sample` counts; `extra` has extra_count values.  0 or -ENOMEM. */
int rt_sums_add(struct rt_sums *s, const struct rt_sum *sample, const uint64_t *extra);

/* Find the sum of such samples, or make one that counts none; `last` says which.  0 or -ENOMEM. */
int rt_sums_find(struct rt_sums *s, const struct rt_sum *sample, const uint64_t *extra);

/* Where the sum of such samples is found again; all zero if another one was there. */
static inline struct rt_sums_recent *rt_sums_recent(struct rt_sums *s, uint32_t event,
						    uint32_t func, uint32_t stack, const char *comm)
{
	uint32_t hash = stack * 0x9e3779b1u ^ func ^ event << 2;
	struct rt_sums_recent *r;

	hash ^= hash >> 16 ^ (uint32_t)((uintptr_t)comm >> 4);
	r = &s->recent[hash & (RT_SUMS_RECENT - 1)];
	if (r->hash != hash)
		*r = (struct rt_sums_recent){ hash, 0 };
	return r;
}

static inline uint64_t rt_sums_extra(const struct rt_sums *s, uint32_t sum, int slot)
{
	return s->extra[sum * s->extra_count + (size_t)slot];
}

#endif
