// SPDX-License-Identifier: GPL-2.0
#include "report/sums.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/large.h"

#define CHAIN_MAX 16 /* sums of a stack that are found without the index */

void rt_sums_free(struct rt_sums *s)
{
	free(s->list);
	free(s->extra);
	free(s->by_stack);
	rt_index_free(&s->index);
}

static uint64_t hash_of(const struct rt_sums *s, const struct rt_sum *k, const uint64_t *extra)
{
	uint64_t h = rt_hash_mix((uint64_t)k->func << 32 | k->stack, (uintptr_t)k->comm);
	size_t i;

	h = rt_hash_mix(h, (uint64_t)k->event << 16 | k->filtered << 8 | k->cpumode);
	if (s->by_address)
		h = rt_hash_mix(h, k->address);
	if (s->by_thread)
		h = rt_hash_mix(h, (uint64_t)k->tid);
	for (i = 0; i < s->extra_count; i++)
		h = rt_hash_mix(h, extra[i]);
	return h;
}

static bool same(const struct rt_sums *s, uint32_t i, const struct rt_sum *k, const uint64_t *extra)
{
	const struct rt_sum *old = &s->list[i];

	return old->func == k->func && old->stack == k->stack && old->comm == k->comm &&
	       old->event == k->event && old->filtered == k->filtered &&
	       old->cpumode == k->cpumode && (!s->by_address || old->address == k->address) &&
	       (!s->by_thread || old->tid == k->tid) &&
	       (!s->extra_count ||
		!memcmp(&s->extra[i * s->extra_count], extra, s->extra_count * sizeof(*extra)));
}

static bool make_room(struct rt_sums *s)
{
	uint32_t room = s->room ? 2 * s->room : 256;
	void *list, *extra;

	if (s->count < s->room)
		return true;
	list = rt_large_list(s->list, room, sizeof(*s->list));
	if (!list)
		return false;
	s->list = list;
	if (s->extra_count) {
		extra = rt_large_list(s->extra, room * s->extra_count, sizeof(*s->extra));
		if (!extra)
			return false;
		s->extra = extra;
	}
	s->room = room;
	return true;
}

static int add_sum(struct rt_sums *s, const struct rt_sum *sample, const uint64_t *extra)
{
	if (!make_room(s))
		return -ENOMEM;
	s->list[s->count] = *sample;
	s->list[s->count].count = s->list[s->count].period = 0;
	if (s->extra_count)
		memcpy(&s->extra[s->count * s->extra_count], extra,
		       s->extra_count * sizeof(*extra));
	s->last = s->count++;
	return 0;
}

static bool make_stack_room(struct rt_sums *s, uint32_t stack)
{
	size_t room = s->stack_room ? s->stack_room : 4096;
	uint32_t *list;

	if (stack < s->stack_room)
		return true;
	while (room <= stack)
		room *= 2;
	list = rt_large_list(s->by_stack, room, sizeof(*list));
	if (!list)
		return false;
	memset(list + s->stack_room, 0, (room - s->stack_room) * sizeof(*list));
	s->by_stack = list;
	s->stack_room = (uint32_t)room;
	return true;
}

/* Find the sum among those with the same stack, or make it; -ENOENT: the index has it, or will. */
static int find_by_stack(struct rt_sums *s, const struct rt_sum *sample, const uint64_t *extra)
{
	uint32_t i, length = 0;
	int ret;

	if (!make_stack_room(s, sample->stack))
		return -ENOMEM;
	for (i = s->by_stack[sample->stack]; i; i = s->list[i - 1].next, length++)
		if (same(s, i - 1, sample, extra)) {
			s->last = i - 1;
			return 0;
		}
	/* Thousands of tasks with names of their own may have one stack. */
	if (length == CHAIN_MAX)
		return -ENOENT;
	ret = add_sum(s, sample, extra);
	if (ret)
		return ret;
	s->list[s->last].next = s->by_stack[sample->stack];
	s->by_stack[sample->stack] = s->last + 1;
	return 0;
}

int rt_sums_find(struct rt_sums *s, const struct rt_sum *sample, const uint64_t *extra)
{
	struct rt_index_probe probe;
	int ret = -ENOENT;
	uint64_t hash;
	uint32_t i;

	if (sample->stack && !s->extra_count && !s->by_address && !s->by_thread)
		ret = find_by_stack(s, sample, extra);
	if (ret != -ENOENT)
		return ret;
	hash = hash_of(s, sample, extra);
	for (i = rt_index_first(&s->index, hash, &probe); i; i = rt_index_next(&s->index, &probe))
		if (same(s, i - 1, sample, extra)) {
			s->last = i - 1;
			return 0;
		}
	if (!rt_index_add(&s->index, hash, s->count + 1))
		return -ENOMEM;
	return add_sum(s, sample, extra);
}

int rt_sums_add(struct rt_sums *s, const struct rt_sum *sample, const uint64_t *extra)
{
	struct rt_sums_recent *recent =
		rt_sums_recent(s, sample->event, sample->func, sample->stack, sample->comm);

	if (recent->sum && same(s, recent->sum - 1, sample, extra))
		s->last = recent->sum - 1;
	else if (rt_sums_find(s, sample, extra))
		return -ENOMEM;
	recent->sum = s->last + 1;
	s->list[s->last].count += sample->count;
	s->list[s->last].period += sample->period;
	return 0;
}
