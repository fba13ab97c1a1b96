// SPDX-License-Identifier: GPL-2.0
/*
 * The header's feature sections: one function each, listed in the order of their bits.  If a
 * function writes nothing, the feature is absent.
 */
#include "perfdata/write/internal.h"

#include <stdlib.h>

static void put_tracing(struct rt_writer *w, struct rt_section *s)
{
	rt_section_put(s, w->tracing.data, w->tracing.size);
}

static void put_build_ids(struct rt_writer *w, struct rt_section *s)
{
	size_t i;

	for (i = 0; i < w->dsos.count; i++)
		if (w->dsos.list[i].id.len)
			rt_write_dso_entry(&w->dsos.list[i], s);
}

static void put_known(struct rt_section *s, const char *text)
{
	if (*text)
		rt_section_string(s, text);
}

static void put_hostname(struct rt_writer *w, struct rt_section *s)
{
	put_known(s, w->host->hostname);
}

static void put_os_release(struct rt_writer *w, struct rt_section *s)
{
	put_known(s, w->host->os_release);
}

static void put_version(struct rt_writer *w, struct rt_section *s)
{
	rt_section_string(s, "ringtail " RT_VERSION);
}

static void put_arch(struct rt_writer *w, struct rt_section *s)
{
	put_known(s, w->host->arch);
}

static void put_cpus(struct rt_writer *w, struct rt_section *s)
{
	uint32_t avail = w->host->cpus_avail;

	if (!avail)
		return;
	rt_section_u32(s, avail > w->cpus ? avail : w->cpus); /* a CPU may have been hotplugged */
	rt_section_u32(s, w->host->cpus_online);
}

static void put_cpu_desc(struct rt_writer *w, struct rt_section *s)
{
	put_known(s, w->host->cpu_desc);
}

static void put_cpuid(struct rt_writer *w, struct rt_section *s)
{
	put_known(s, w->host->cpuid);
}

static void put_total_mem(struct rt_writer *w, struct rt_section *s)
{
	if (w->host->total_mem)
		rt_section_u64(s, w->host->total_mem);
}

static void put_cmdline(struct rt_writer *w, struct rt_section *s)
{
	uint32_t i;

	if (!w->argc)
		return;
	rt_section_u32(s, w->argc);
	for (i = 0; i < w->argc; i++)
		rt_section_string(s, w->argv[i]);
}

void rt_write_attr(const struct rt_writer *w, const struct rt_file_event *ev, struct rt_section *s)
{
	struct rt_attr attr = ev->attr;

	attr.size = w->attr_size;
	rt_section_put(s, &attr, w->attr_size);
}

static void put_event_desc(struct rt_writer *w, struct rt_section *s)
{
	const struct rt_file_event *ev;
	unsigned i;

	rt_section_u32(s, w->event_count);
	rt_section_u32(s, w->attr_size);
	for (i = 0; i < w->event_count; i++) {
		ev = &w->events[i];
		rt_write_attr(w, ev, s);
		rt_section_u32(s, ev->ids_count);
		rt_section_string(s, rt_write_shown(ev));
		rt_section_put(s, ev->ids, ev->ids_count * sizeof(*ev->ids));
	}
}

/* The number of events from FIRST on in its group; 0 unless it leads one. */
static unsigned int group_size(const struct rt_writer *w, unsigned int first)
{
	unsigned int i = first;

	if (!w->events[first].group ||
	    (first && w->events[first - 1].group == w->events[first].group))
		return 0;
	while (i < w->event_count && w->events[i].group == w->events[first].group)
		i++;
	return i - first;
}

static void put_groups(struct rt_writer *w, struct rt_section *s)
{
	unsigned int i, count = 0;

	for (i = 0; i < w->event_count; i++)
		count += group_size(w, i) > 1;
	if (!count)
		return;
	rt_section_u32(s, count);
	for (i = 0; i < w->event_count; i++) {
		if (group_size(w, i) < 2)
			continue;
		rt_section_string(s, "{anon_group}"); /* perf's placeholder for no name */
		rt_section_u32(s, i);
		rt_section_u32(s, group_size(w, i));
	}
}

static void put_pmus(struct rt_writer *w, struct rt_section *s)
{
	size_t i;

	if (!w->host->pmu_count)
		return;
	rt_section_u32(s, w->host->pmu_count);
	for (i = 0; i < w->host->pmu_count; i++) {
		rt_section_u32(s, w->host->pmus[i].type);
		rt_section_string(s, w->host->pmus[i].name);
	}
}

static void put_sample_time(struct rt_writer *w, struct rt_section *s)
{
	if (!w->stats.samples)
		return;
	rt_section_u64(s, w->first_time);
	rt_section_u64(s, w->last_time);
}

static void put_clockid(struct rt_writer *w, struct rt_section *s)
{
	if (w->clockid != RT_WRITER_NO_CLOCKID)
		rt_section_u64(s, w->clock_res_ns);
}

static void put_clock_data(struct rt_writer *w, struct rt_section *s)
{
	if (w->clockid == RT_WRITER_NO_CLOCKID || !w->clock_ns)
		return;
	rt_section_u32(s, 1); /* version of this section */
	rt_section_u32(s, w->clockid);
	rt_section_u64(s, w->wall_ns);
	rt_section_u64(s, w->clock_ns);
}

static void put_compressed(struct rt_writer *w, struct rt_section *s)
{
	if (w->pack)
		rt_pack_feature(w->pack, s);
}

static const struct {
	void (*put)(struct rt_writer *w, struct rt_section *s);
	enum rt_write_when when;
} features[RT_FEATURE_COUNT] = {
	[RT_FEATURE_TRACING_DATA] = { put_tracing },
	[RT_FEATURE_BUILD_ID] = { put_build_ids, RT_WRITE_LATE },
	[RT_FEATURE_HOSTNAME] = { put_hostname },
	[RT_FEATURE_OSRELEASE] = { put_os_release },
	[RT_FEATURE_VERSION] = { put_version },
	[RT_FEATURE_ARCH] = { put_arch },
	[RT_FEATURE_NRCPUS] = { put_cpus },
	[RT_FEATURE_CPUDESC] = { put_cpu_desc },
	[RT_FEATURE_CPUID] = { put_cpuid },
	[RT_FEATURE_TOTAL_MEM] = { put_total_mem },
	[RT_FEATURE_CMDLINE] = { put_cmdline },
	[RT_FEATURE_EVENT_DESC] = { put_event_desc },
	[RT_FEATURE_PMU_MAPPINGS] = { put_pmus },
	[RT_FEATURE_GROUP_DESC] = { put_groups },
	[RT_FEATURE_SAMPLE_TIME] = { put_sample_time, RT_WRITE_LATE },
	[RT_FEATURE_CLOCKID] = { put_clockid },
	[RT_FEATURE_COMPRESSED] = { put_compressed },
	[RT_FEATURE_CLOCK_DATA] = { put_clock_data },
};

bool rt_write_feature(struct rt_writer *w, unsigned feature, enum rt_write_when when,
		      struct rt_section *s)
{
	const struct rt_writer_section *given = w->sections ? &w->sections[feature] : NULL;
	size_t before = s->size;

	if (given && given->data && features[feature].when <= when) {
		rt_section_put(s, given->data, given->size);
		return given->size;
	}
	if (!features[feature].put || features[feature].when > when)
		return false;
	features[feature].put(w, s);
	return s->size > before;
}
