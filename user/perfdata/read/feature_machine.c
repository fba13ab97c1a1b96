// SPDX-License-Identifier: GPL-2.0
/*
 * feature_machine.c - the header features that describe the recorded machine.
 */
#include "perfdata/read/internal.h"

#include <errno.h>

static int read_strings(struct rt_reader *r, struct rt_cursor *c, uint32_t *count,
			const char ***out)
{
	uint32_t i, n = rt_cursor_count(c, 4);
	const char **list = rt_arena_array(&r->arena, n, sizeof(*list));

	if (!list)
		return -ENOMEM;
	for (i = 0; i < n; i++) {
		list[i] = rt_cursor_string(c, &r->arena);
		if (!list[i])
			return -EBADMSG;
	}
	*out = list;
	*count = n;
	return 0;
}

/* Old files end after the threads, newer ones after cores and sockets. */
int rt_feature_cpu_topology(struct rt_reader *r, struct rt_cursor *c)
{
	uint32_t i, cpus = r->env.cpus_avail;
	struct rt_env *env = &r->env;
	struct rt_cpu_topology *list;
	int ret;

	ret = read_strings(r, c, &env->sibling_cores_count, &env->sibling_cores);
	if (!ret)
		ret = read_strings(r, c, &env->sibling_threads_count, &env->sibling_threads);
	if (ret || c->pos == c->end)
		return ret;
	if (cpus > (size_t)(c->end - c->pos) / 8)
		return -EBADMSG;
	list = rt_arena_array(&r->arena, cpus, sizeof(*list));
	if (!list)
		return -ENOMEM;
	for (i = 0; i < cpus; i++) {
		list[i].core = (int32_t)rt_cursor_u32(c);
		list[i].socket = (int32_t)rt_cursor_u32(c);
		list[i].die = -1;
	}
	env->topology = list;
	env->topology_count = cpus;
	if (c->pos == c->end)
		return 0;
	ret = read_strings(r, c, &env->sibling_dies_count, &env->sibling_dies);
	for (i = 0; !ret && i < cpus; i++)
		list[i].die = (int32_t)rt_cursor_u32(c);
	env->has_dies = !ret && !c->failed;
	return ret;
}

int rt_feature_numa_topology(struct rt_reader *r, struct rt_cursor *c)
{
	uint32_t i, count = rt_cursor_count(c, 24);
	struct rt_numa_node *list = rt_arena_array(&r->arena, count, sizeof(*list));

	if (!list)
		return -ENOMEM;
	for (i = 0; i < count; i++) {
		list[i].node = rt_cursor_u32(c);
		list[i].mem_total = rt_cursor_u64(c);
		list[i].mem_free = rt_cursor_u64(c);
		list[i].cpus = rt_cursor_string(c, &r->arena);
		if (c->failed)
			return -EBADMSG;
	}
	r->env.numa = list;
	r->env.numa_count = count;
	return 0;
}

int rt_feature_cache(struct rt_reader *r, struct rt_cursor *c)
{
	struct rt_cpu_cache *list;
	uint32_t i, count;

	if (rt_cursor_u32(c) != 1)
		return -EBADMSG;
	count = rt_cursor_count(c, 28);
	list = rt_arena_array(&r->arena, count, sizeof(*list));
	if (!list)
		return -ENOMEM;
	for (i = 0; i < count; i++) {
		list[i].level = rt_cursor_u32(c);
		list[i].line_size = rt_cursor_u32(c);
		list[i].sets = rt_cursor_u32(c);
		list[i].ways = rt_cursor_u32(c);
		list[i].type = rt_cursor_string(c, &r->arena);
		list[i].size = rt_cursor_string(c, &r->arena);
		list[i].map = rt_cursor_string(c, &r->arena);
		if (c->failed)
			return -EBADMSG;
	}
	r->env.caches = list;
	r->env.cache_count = count;
	return 0;
}

static int read_bitmap(struct rt_reader *r, struct rt_cursor *c, struct rt_mem_node *node)
{
	uint64_t i, words, *set;

	node->size = rt_cursor_u64(c);
	words = node->size / 64 + !!(node->size % 64);
	if (c->failed || words > (size_t)(c->end - c->pos) / 8)
		return -EBADMSG;
	set = rt_arena_array(&r->arena, words, sizeof(*set));
	if (!set)
		return -ENOMEM;
	for (i = 0; i < words; i++)
		set[i] = rt_cursor_u64(c);
	node->set = set;
	return 0;
}

int rt_feature_mem_topology(struct rt_reader *r, struct rt_cursor *c)
{
	struct rt_mem_node *list;
	uint64_t i, count;
	int ret;

	if (rt_cursor_u64(c) != 1)
		return -EBADMSG;
	r->env.mem_block_size = rt_cursor_u64(c);
	count = rt_cursor_u64(c);
	if (c->failed || count > (size_t)(c->end - c->pos) / 24)
		return -EBADMSG;
	list = rt_arena_array(&r->arena, count, sizeof(*list));
	if (!list)
		return -ENOMEM;
	for (i = 0; i < count; i++) {
		list[i].node = rt_cursor_u64(c);
		rt_cursor_u64(c); /* the size again: the bitmap begins with it */
		ret = read_bitmap(r, c, &list[i]);
		if (ret)
			return ret;
	}
	r->env.mem_nodes = list;
	r->env.mem_node_count = (uint32_t)count;
	return 0;
}

int rt_feature_pmu_mappings(struct rt_reader *r, struct rt_cursor *c)
{
	uint32_t i, count = rt_cursor_count(c, 8);
	struct rt_pmu_mapping *list = rt_arena_array(&r->arena, count, sizeof(*list));

	if (!list)
		return -ENOMEM;
	for (i = 0; i < count; i++) {
		list[i].type = rt_cursor_u32(c);
		list[i].name = rt_cursor_string(c, &r->arena);
		if (c->failed)
			return -EBADMSG;
	}
	r->env.pmu_mappings = list;
	r->env.pmu_mapping_count = count;
	return 0;
}

static int read_caps(struct rt_reader *r, struct rt_cursor *c, struct rt_pmu_caps *caps)
{
	uint32_t i, count = rt_cursor_count(c, 8);

	caps->names = rt_arena_array(&r->arena, count, sizeof(*caps->names));
	caps->values = rt_arena_array(&r->arena, count, sizeof(*caps->values));
	if (!caps->names || !caps->values)
		return -ENOMEM;
	for (i = 0; i < count; i++) {
		caps->names[i] = rt_cursor_string(c, &r->arena);
		caps->values[i] = rt_cursor_string(c, &r->arena);
		if (c->failed)
			return -EBADMSG;
	}
	caps->count = count;
	return 0;
}

int rt_feature_cpu_pmu_caps(struct rt_reader *r, struct rt_cursor *c)
{
	return read_caps(r, c, &r->env.cpu_pmu_caps);
}

int rt_feature_pmu_caps(struct rt_reader *r, struct rt_cursor *c)
{
	uint32_t i, count = rt_cursor_count(c, 8);
	struct rt_pmu_caps *list = rt_arena_array(&r->arena, count, sizeof(*list));
	int ret;

	if (!list)
		return -ENOMEM;
	for (i = 0; i < count; i++) {
		ret = read_caps(r, c, &list[i]);
		if (ret)
			return ret;
		list[i].pmu = rt_cursor_string(c, &r->arena);
		if (c->failed)
			return -EBADMSG;
	}
	r->env.pmu_caps = list;
	r->env.pmu_caps_count = count;
	return 0;
}

int rt_feature_hybrid_topology(struct rt_reader *r, struct rt_cursor *c)
{
	uint32_t i, count = rt_cursor_count(c, 8);
	struct rt_hybrid_node *list = rt_arena_array(&r->arena, count, sizeof(*list));

	if (!list)
		return -ENOMEM;
	for (i = 0; i < count; i++) {
		list[i].pmu = rt_cursor_string(c, &r->arena);
		list[i].cpus = rt_cursor_string(c, &r->arena);
		if (c->failed)
			return -EBADMSG;
	}
	r->env.hybrid = list;
	r->env.hybrid_count = count;
	return 0;
}

int rt_feature_bpf_prog_info(struct rt_reader *r, struct rt_cursor *c)
{
	uint32_t i, count = rt_cursor_count(c, 16);
	struct rt_bpf_prog *list = rt_arena_array(&r->arena, count, sizeof(*list));

	if (!list)
		return -ENOMEM;
	for (i = 0; i < count; i++) {
		list[i].info_len = rt_cursor_u32(c);
		list[i].data_len = rt_cursor_u32(c);
		list[i].arrays = rt_cursor_u64(c);
		list[i].info = rt_cursor_bytes(c, list[i].info_len);
		list[i].data = rt_cursor_bytes(c, list[i].data_len);
		if (c->failed)
			return -EBADMSG;
	}
	r->env.bpf_progs = list;
	r->env.bpf_prog_count = count;
	return 0;
}

int rt_feature_bpf_btf(struct rt_reader *r, struct rt_cursor *c)
{
	uint32_t i, count = rt_cursor_count(c, 8);
	struct rt_bpf_btf *list = rt_arena_array(&r->arena, count, sizeof(*list));

	if (!list)
		return -ENOMEM;
	for (i = 0; i < count; i++) {
		list[i].id = rt_cursor_u32(c);
		list[i].data_size = rt_cursor_u32(c);
		list[i].data = rt_cursor_bytes(c, list[i].data_size);
		if (c->failed)
			return -EBADMSG;
	}
	r->env.btfs = list;
	r->env.btf_count = count;
	return 0;
}
