// SPDX-License-Identifier: GPL-2.0
/*
 * feature.c - decode the header features that describe the recording into struct rt_env.
 * feature_machine.c has those that describe the machine.
 */
#include "perfdata/read/feature.h"

#include <errno.h>

#include "arch/arch.h"
#include "host/host.h"
#include "perfdata/read/internal.h"

static int string_feature(struct rt_reader *r, struct rt_cursor *c, const char **out)
{
	*out = rt_cursor_string(c, &r->arena);
	return *out ? 0 : -EBADMSG;
}

#define STRING_FEATURE(field)                                             \
	static int read_##field(struct rt_reader *r, struct rt_cursor *c) \
	{                                                                 \
		return string_feature(r, c, &r->env.field);               \
	}

STRING_FEATURE(hostname)
STRING_FEATURE(os_release)
STRING_FEATURE(version)
STRING_FEATURE(arch)
STRING_FEATURE(cpu_desc)
STRING_FEATURE(cpuid)

static int read_nrcpus(struct rt_reader *r, struct rt_cursor *c)
{
	r->env.cpus_avail = rt_cursor_u32(c);
	r->env.cpus_online = rt_cursor_u32(c);
	return 0;
}

static int read_total_mem(struct rt_reader *r, struct rt_cursor *c)
{
	r->env.total_mem = rt_cursor_u64(c);
	return 0;
}

static int read_e_machine(struct rt_reader *r, struct rt_cursor *c)
{
	r->env.elf_machine = rt_cursor_u32(c);
	r->env.elf_flags = rt_cursor_u32(c);
	return 0;
}

static int read_cln_size(struct rt_reader *r, struct rt_cursor *c)
{
	r->env.cacheline_size = rt_cursor_u32(c);
	return 0;
}

static int read_cmdline(struct rt_reader *r, struct rt_cursor *c)
{
	uint32_t i, count = rt_cursor_count(c, 4);
	const char **list = rt_arena_array(&r->arena, count, sizeof(*list));

	if (!list)
		return -ENOMEM;
	for (i = 0; i < count; i++) {
		list[i] = rt_cursor_string(c, &r->arena);
		if (!list[i])
			return -EBADMSG;
	}
	r->env.cmdline = list;
	r->env.cmdline_count = count;
	return 0;
}

static int read_desc(struct rt_reader *r, struct rt_cursor *c, uint32_t attr_size,
		     struct rt_event_desc *d)
{
	const void *attr = rt_cursor_bytes(c, attr_size);
	uint64_t *ids;
	uint32_t i;

	if (!attr || rt_attr_read(attr, attr_size, c->swap, &d->attr) < 0)
		return -EBADMSG;
	d->ids_count = rt_cursor_u32(c);
	d->name = rt_cursor_string(c, &r->arena);
	if (!d->name || d->ids_count > (size_t)(c->end - c->pos) / 8)
		return -EBADMSG;
	ids = rt_arena_array(&r->arena, d->ids_count, sizeof(*ids));
	if (!ids)
		return -ENOMEM;
	for (i = 0; i < d->ids_count; i++)
		ids[i] = rt_cursor_u64(c);
	d->ids = ids;
	return 0;
}

/* Besides the attrs, this feature names the events, by their position. */
static int read_event_desc(struct rt_reader *r, struct rt_cursor *c)
{
	uint32_t i, count = rt_cursor_u32(c), attr_size = rt_cursor_u32(c);
	struct rt_event_desc *list;
	int ret;

	if (attr_size < RT_ATTR_SIZE_VER0 || count > (size_t)(c->end - c->pos) / attr_size)
		return -EBADMSG;
	list = rt_arena_array(&r->arena, count, sizeof(*list));
	if (!list)
		return -ENOMEM;
	r->env.event_desc = list;
	for (i = 0; i < count; i++) {
		ret = read_desc(r, c, attr_size, &list[i]);
		if (ret)
			return ret;
		r->env.event_desc_count = i + 1;
		if (i < r->events.count && !r->events.list[i]->name)
			r->events.list[i]->name = (char *)list[i].name;
	}
	return 0;
}

/* Each group gives the position of its leader and the number of its members. */
static int link_groups(struct rt_reader *r)
{
	struct rt_perf_events *ev = &r->events;
	struct rt_group_desc *g;
	struct rt_perf_event *leader;
	uint32_t i, j;

	for (i = 0; i < r->env.group_count; i++) {
		g = &r->env.groups[i];
		if (g->leader >= ev->count || !g->members || g->members > ev->count - g->leader)
			return -EBADMSG;
		leader = ev->list[g->leader];
		leader->members = g->members;
		/* perf's placeholder for a group without a name */
		if (strcmp(g->name, "{anon_group}"))
			leader->group_name = (char *)g->name;
		for (j = 0; j < g->members; j++)
			ev->list[g->leader + j]->leader = leader;
	}
	return 0;
}

static int read_group_desc(struct rt_reader *r, struct rt_cursor *c)
{
	uint32_t i, count = rt_cursor_count(c, 12);
	struct rt_group_desc *list = rt_arena_array(&r->arena, count, sizeof(*list));

	if (!list)
		return -ENOMEM;
	for (i = 0; i < count; i++) {
		list[i].name = rt_cursor_string(c, &r->arena);
		list[i].leader = rt_cursor_u32(c);
		list[i].members = rt_cursor_u32(c);
		if (c->failed)
			return -EBADMSG;
	}
	r->env.groups = list;
	r->env.group_count = count;
	return link_groups(r);
}

static int read_sample_time(struct rt_reader *r, struct rt_cursor *c)
{
	r->env.sample_time_first = rt_cursor_u64(c);
	r->env.sample_time_last = rt_cursor_u64(c);
	return 0;
}

static int read_clockid(struct rt_reader *r, struct rt_cursor *c)
{
	r->env.clockid_res_ns = rt_cursor_u64(c);
	return 0;
}

static int read_clock_data(struct rt_reader *r, struct rt_cursor *c)
{
	if (rt_cursor_u32(c) != 1)
		return -EBADMSG;
	r->env.clock.clockid = (int32_t)rt_cursor_u32(c);
	r->env.clock.wall_ns = rt_cursor_u64(c);
	r->env.clock.clockid_ns = rt_cursor_u64(c);
	r->env.clock.present = !c->failed;
	return 0;
}

static int read_dir_format(struct rt_reader *r, struct rt_cursor *c)
{
	r->env.dir_version = rt_cursor_u64(c);
	return 0;
}

static int read_compressed(struct rt_reader *r, struct rt_cursor *c)
{
	r->env.compressed.version = rt_cursor_u32(c);
	r->env.compressed.type = rt_cursor_u32(c);
	r->env.compressed.level = rt_cursor_u32(c);
	r->env.compressed.ratio = rt_cursor_u32(c);
	r->env.compressed.mmap_len = rt_cursor_u32(c);
	return 0;
}

static int read_tracing_data(struct rt_reader *r, struct rt_cursor *c)
{
	return rt_tracing_read(r, c->pos, c->end - c->pos);
}

static const struct {
	const char *name;
	rt_feature_fn read; /* NULL: its presence is all it says */
} features[RT_FEATURE_COUNT] = {
	[RT_FEATURE_TRACING_DATA] = { "TRACING_DATA", read_tracing_data },
	[RT_FEATURE_BUILD_ID] = { "BUILD_ID", rt_feature_build_id },
	[RT_FEATURE_HOSTNAME] = { "HOSTNAME", read_hostname },
	[RT_FEATURE_OSRELEASE] = { "OSRELEASE", read_os_release },
	[RT_FEATURE_VERSION] = { "VERSION", read_version },
	[RT_FEATURE_ARCH] = { "ARCH", read_arch },
	[RT_FEATURE_NRCPUS] = { "NRCPUS", read_nrcpus },
	[RT_FEATURE_CPUDESC] = { "CPUDESC", read_cpu_desc },
	[RT_FEATURE_CPUID] = { "CPUID", read_cpuid },
	[RT_FEATURE_TOTAL_MEM] = { "TOTAL_MEM", read_total_mem },
	[RT_FEATURE_CMDLINE] = { "CMDLINE", read_cmdline },
	[RT_FEATURE_EVENT_DESC] = { "EVENT_DESC", read_event_desc },
	[RT_FEATURE_CPU_TOPOLOGY] = { "CPU_TOPOLOGY", rt_feature_cpu_topology },
	[RT_FEATURE_NUMA_TOPOLOGY] = { "NUMA_TOPOLOGY", rt_feature_numa_topology },
	[RT_FEATURE_BRANCH_STACK] = { "BRANCH_STACK", NULL },
	[RT_FEATURE_PMU_MAPPINGS] = { "PMU_MAPPINGS", rt_feature_pmu_mappings },
	[RT_FEATURE_GROUP_DESC] = { "GROUP_DESC", read_group_desc },
	[RT_FEATURE_AUXTRACE] = { "AUXTRACE", NULL },
	[RT_FEATURE_STAT] = { "STAT", NULL },
	[RT_FEATURE_CACHE] = { "CACHE", rt_feature_cache },
	[RT_FEATURE_SAMPLE_TIME] = { "SAMPLE_TIME", read_sample_time },
	[RT_FEATURE_MEM_TOPOLOGY] = { "MEM_TOPOLOGY", rt_feature_mem_topology },
	[RT_FEATURE_CLOCKID] = { "CLOCKID", read_clockid },
	[RT_FEATURE_DIR_FORMAT] = { "DIR_FORMAT", read_dir_format },
	[RT_FEATURE_BPF_PROG_INFO] = { "BPF_PROG_INFO", rt_feature_bpf_prog_info },
	[RT_FEATURE_BPF_BTF] = { "BPF_BTF", rt_feature_bpf_btf },
	[RT_FEATURE_COMPRESSED] = { "COMPRESSED", read_compressed },
	[RT_FEATURE_CPU_PMU_CAPS] = { "CPU_PMU_CAPS", rt_feature_cpu_pmu_caps },
	[RT_FEATURE_CLOCK_DATA] = { "CLOCK_DATA", read_clock_data },
	[RT_FEATURE_HYBRID_TOPOLOGY] = { "HYBRID_TOPOLOGY", rt_feature_hybrid_topology },
	[RT_FEATURE_PMU_CAPS] = { "PMU_CAPS", rt_feature_pmu_caps },
	[RT_FEATURE_CPU_DOMAIN_INFO] = { "CPU_DOMAIN_INFO", NULL },
	[RT_FEATURE_E_MACHINE] = { "E_MACHINE", read_e_machine },
	[RT_FEATURE_CLN_SIZE] = { "CLN_SIZE", read_cln_size },
};

const char *rt_feature_name(unsigned feature)
{
	return feature < RT_FEATURE_COUNT ? features[feature].name : NULL;
}

bool rt_feature_has_data(unsigned feature)
{
	return feature >= RT_FEATURE_COUNT || features[feature].read;
}

/* Return 0, or a negative errno if it is damaged; an unknown feature is not damage. */
int rt_feature_read(struct rt_reader *r, unsigned feature, const void *data, size_t size)
{
	struct rt_cursor c = { data, (const uint8_t *)data + size, r->swapped, false };
	int ret;

	if (feature >= RT_FEATURE_COUNT || !features[feature].read)
		return 0;
	ret = features[feature].read(r, &c);
	if (!ret && c.failed)
		ret = -EBADMSG;
	if (ret)
		r->env.broken[feature / 64] |= 1ULL << (feature % 64);
	return ret;
}

const char *rt_env_arch(const struct rt_env *env)
{
	return rt_arch_group(env && env->arch ? env->arch : rt_host_machine());
}
