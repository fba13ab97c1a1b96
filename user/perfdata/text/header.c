// SPDX-License-Identifier: GPL-2.0
/* header.c - print the header as `perf script --header` does. */
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "perfdata/text/attr.h"
#include "perfdata/read/internal.h"

#define NS_PER_SEC     ((uint64_t)1000000000)
#define LAST_IN_PERF61 RT_FEATURE_PMU_CAPS /* the newest feature that perf 6.1 knows */

static void print_hostname(const struct rt_reader *r, FILE *out)
{
	fprintf(out, "# hostname : %s\n", r->env.hostname);
}

static void print_osrelease(const struct rt_reader *r, FILE *out)
{
	fprintf(out, "# os release : %s\n", r->env.os_release);
}

static void print_version(const struct rt_reader *r, FILE *out)
{
	fprintf(out, "# perf version : %s\n", r->env.version);
}

static void print_arch(const struct rt_reader *r, FILE *out)
{
	fprintf(out, "# arch : %s\n", r->env.arch);
}

static void print_nrcpus(const struct rt_reader *r, FILE *out)
{
	fprintf(out, "# nrcpus online : %u\n# nrcpus avail : %u\n", r->env.cpus_online,
		r->env.cpus_avail);
}

static void print_cpudesc(const struct rt_reader *r, FILE *out)
{
	fprintf(out, "# cpudesc : %s\n", r->env.cpu_desc);
}

static void print_cpuid(const struct rt_reader *r, FILE *out)
{
	fprintf(out, "# cpuid : %s\n", r->env.cpuid);
}

static void print_total_mem(const struct rt_reader *r, FILE *out)
{
	fprintf(out, "# total memory : %" PRIu64 " kB\n", r->env.total_mem);
}

static void print_cmdline(const struct rt_reader *r, FILE *out)
{
	const char *s;
	uint32_t i;

	fputs("# cmdline : ", out);
	for (i = 0; i < r->env.cmdline_count; i++) {
		for (s = r->env.cmdline[i]; *s; s++) {
			if (*s == '\'')
				fputc('\\', out);
			fputc(*s, out);
		}
		fputc(' ', out);
	}
	fputc('\n', out);
}

static void print_event_desc(const struct rt_reader *r, FILE *out)
{
	const struct rt_event_desc *d;
	uint32_t i, j;

	for (i = 0; i < r->env.event_desc_count; i++) {
		d = &r->env.event_desc[i];
		fprintf(out, "# event : name = %s, ", d->name);
		for (j = 0; j < d->ids_count; j++)
			fprintf(out, "%s %" PRIu64, j ? "," : ", id = {", d->ids[j]);
		if (d->ids_count)
			fputs(" }", out);
		rt_attr_print(&d->attr, ", ", ", ", " = ", out);
		fputc('\n', out);
	}
}

static void print_strings(const char *what, uint32_t count, const char **list, FILE *out)
{
	uint32_t i;

	for (i = 0; i < count; i++)
		fprintf(out, "# sibling %s : %s\n", what, list[i]);
}

static void print_cpu_topology(const struct rt_reader *r, FILE *out)
{
	const struct rt_env *e = &r->env;
	uint32_t i;

	print_strings("sockets", e->sibling_cores_count, e->sibling_cores, out);
	print_strings("dies   ", e->sibling_dies_count, e->sibling_dies, out);
	print_strings("threads", e->sibling_threads_count, e->sibling_threads, out);
	for (i = 0; i < e->topology_count; i++) {
		fprintf(out, "# CPU %u: Core ID %d, ", i, e->topology[i].core);
		if (e->sibling_dies_count)
			fprintf(out, "Die ID %d, ", e->topology[i].die);
		fprintf(out, "Socket ID %d\n", e->topology[i].socket);
	}
	if (!e->topology)
		fprintf(out, "# Core ID%s and Socket ID information is not available\n",
			e->sibling_dies_count ? ", Die ID" : "");
}

static void print_numa_topology(const struct rt_reader *r, FILE *out)
{
	const struct rt_numa_node *n;
	uint32_t i;

	for (i = 0; i < r->env.numa_count; i++) {
		n = &r->env.numa[i];
		fprintf(out,
			"# node%u meminfo  : total = %" PRIu64 " kB, free = %" PRIu64 " kB\n"
			"# node%u cpu list : %s\n",
			n->node, n->mem_total, n->mem_free, n->node, n->cpus);
	}
}

static void print_branch_stack(const struct rt_reader *r, FILE *out)
{
	fputs("# contains samples with branch stack\n", out);
}

static void print_auxtrace(const struct rt_reader *r, FILE *out)
{
	fputs("# contains AUX area data (e.g. instruction trace)\n", out);
}

static void print_stat(const struct rt_reader *r, FILE *out)
{
	fputs("# contains stat data\n", out);
}

static void print_pmu_mappings(const struct rt_reader *r, FILE *out)
{
	uint32_t i;

	fputs("# pmu mappings: ", out);
	for (i = 0; i < r->env.pmu_mapping_count; i++)
		fprintf(out, "%s%s = %u", i ? ", " : "", r->env.pmu_mappings[i].name,
			r->env.pmu_mappings[i].type);
	fputs(i ? "\n" : "not available\n", out);
}

static void print_group_desc(const struct rt_reader *r, FILE *out)
{
	const struct rt_perf_events *ev = &r->events;
	const struct rt_perf_event *e;
	unsigned left = 0;
	size_t i;

	for (i = 0; i < ev->count; i++) {
		e = ev->list[i];
		if (rt_perf_event_is_leader(e) && e->members > 1) {
			fprintf(out, "# group: %s{%s", e->group_name ? e->group_name : "",
				rt_perf_event_name(e));
			left = e->members - 1;
		} else if (left) {
			fprintf(out, ",%s%s", rt_perf_event_name(e), --left ? "" : "}\n");
		}
	}
}

static void print_cache(const struct rt_reader *r, FILE *out)
{
	const struct rt_cpu_cache *c;
	uint32_t i;

	fputs("# CPU cache info:\n", out);
	for (i = 0; i < r->env.cache_count; i++) {
		c = &r->env.caches[i];
		fprintf(out, "#  L%d %-15s %8s [%s]\n", (int)c->level, c->type, c->size, c->map);
	}
}

static void print_sample_time(const struct rt_reader *r, FILE *out)
{
	uint64_t first = r->env.sample_time_first, last = r->env.sample_time_last;

	fprintf(out, "# time of first sample : %" PRIu64 ".%06" PRIu64 "\n", first / NS_PER_SEC,
		first % NS_PER_SEC / 1000);
	fprintf(out, "# time of last sample : %" PRIu64 ".%06" PRIu64 "\n", last / NS_PER_SEC,
		last % NS_PER_SEC / 1000);
	fprintf(out, "# sample duration : %10.3f ms\n", (double)(last - first) / 1000000);
}

/* Print the set bits as "0-3,8", in at most as many characters as perf's buffer holds. */
static void print_bits(const struct rt_mem_node *n, FILE *out)
{
	char text[100];
	size_t len = 0;
	uint64_t i, j;

	text[0] = 0;
	for (i = 0; i < n->size && len < sizeof(text); i = j + 1) {
		j = i;
		if (!(n->set[i / 64] >> (i % 64) & 1))
			continue;
		while (j + 1 < n->size && n->set[(j + 1) / 64] >> ((j + 1) % 64) & 1)
			j++;
		len += snprintf(text + len, sizeof(text) - len,
				i == j ? "%s%" PRIu64 : "%s%" PRIu64 "-%" PRIu64, len ? "," : "", i,
				j);
	}
	fputs(text, out);
}

static void print_mem_node(const struct rt_mem_node *n, uint64_t block, FILE *out)
{
	uint64_t i, size = 0;
	int unit = 0;

	for (i = 0; i < n->size; i++)
		size += block * (n->set[i / 64] >> (i % 64) & 1);
	for (; size / 1024 > 1 && unit < 3; unit++)
		size /= 1024;
	fprintf(out, "#  %3" PRIu64 " [%" PRIu64 "%c]: ", n->node, size, "BKMG"[unit]);
	print_bits(n, out);
	fputc('\n', out);
}

static void print_mem_topology(const struct rt_reader *r, FILE *out)
{
	uint32_t i;

	fprintf(out, "# memory nodes (nr %u, block size 0x%" PRIx64 "):\n", r->env.mem_node_count,
		r->env.mem_block_size);
	for (i = 0; i < r->env.mem_node_count; i++)
		print_mem_node(&r->env.mem_nodes[i], r->env.mem_block_size, out);
}

static void print_clockid(const struct rt_reader *r, FILE *out)
{
	fprintf(out, "# clockid frequency: %" PRIu64 " MHz\n", r->env.clockid_res_ns * 1000);
}

static const char *clock_name(int id)
{
	switch (id) {
	case 0:
		return "realtime";
	case 1:
		return "monotonic";
	case 4:
		return "monotonic_raw";
	case 7:
		return "boottime";
	case 11:
		return "tai";
	}
	return "(not found)";
}

static void print_clock_data(const struct rt_reader *r, FILE *out)
{
	uint64_t wall = r->env.clock.wall_ns, ns = r->env.clock.clockid_ns;
	time_t seconds = (time_t)(wall / NS_PER_SEC);
	int micro = (int)(wall % NS_PER_SEC / 1000);
	const char *clock = clock_name(r->env.clock.clockid);
	char date[64] = "<error>";
	struct tm tm;

	if (!r->env.clock.present) {
		fputs("# reference time disabled\n", out);
		return;
	}
	if (localtime_r(&seconds, &tm)) {
		size_t n = strftime(date, sizeof(date), "%F %T", &tm);

		snprintf(date + n, sizeof(date) - n, ".%06d", micro);
	}
	fprintf(out, "# clockid: %s (%u)\n", clock, (unsigned)r->env.clock.clockid);
	fprintf(out, "# reference time: %s = %ld.%06d (TOD) = %ld.%09ld (%s)\n", date,
		(long)seconds, micro, (long)(ns / NS_PER_SEC), (long)(ns % NS_PER_SEC), clock);
}

static void print_dir_format(const struct rt_reader *r, FILE *out)
{
	fprintf(out, "# directory data version : %" PRIu64 "\n", r->env.dir_version);
}

static void print_btf(const struct rt_reader *r, FILE *out)
{
	uint32_t i;

	for (i = 0; i < r->env.btf_count; i++)
		fprintf(out, "# btf info of id %u\n", r->env.btfs[i].id);
}

static void print_compressed(const struct rt_reader *r, FILE *out)
{
	fprintf(out, "# compressed : %s, level = %d, ratio = %d\n",
		r->env.compressed.type == RT_COMPRESSION_ZSTD ? "Zstd" : "Unknown",
		(int)r->env.compressed.level, (int)r->env.compressed.ratio);
}

static void print_caps(const struct rt_pmu_caps *caps, const char *pmu, FILE *out)
{
	uint32_t i;

	fprintf(out, "# %s pmu capabilities: ", pmu);
	for (i = 0; i < caps->count; i++)
		fprintf(out, "%s%s=%s", i ? ", " : "", caps->names[i], caps->values[i]);
	fputs(i ? "\n" : "not available\n", out);
}

static void print_cpu_pmu_caps(const struct rt_reader *r, FILE *out)
{
	print_caps(&r->env.cpu_pmu_caps, "cpu", out);
}

static void print_pmu_caps(const struct rt_reader *r, FILE *out)
{
	uint32_t i;

	for (i = 0; i < r->env.pmu_caps_count; i++)
		print_caps(&r->env.pmu_caps[i], r->env.pmu_caps[i].pmu, out);
}

static void print_hybrid_topology(const struct rt_reader *r, FILE *out)
{
	uint32_t i;

	fputs("# hybrid cpu system:\n", out);
	for (i = 0; i < r->env.hybrid_count; i++)
		fprintf(out, "# %s cpu list : %s\n", r->env.hybrid[i].pmu, r->env.hybrid[i].cpus);
}

static void print_e_machine(const struct rt_reader *r, FILE *out)
{
	fprintf(out, "# e_machine : %u\n#   e_flags : %u\n", r->env.elf_machine, r->env.elf_flags);
}

static void print_cln_size(const struct rt_reader *r, FILE *out)
{
	fprintf(out, "# cacheline size: %u\n", r->env.cacheline_size);
}

static const struct {
	void (*print)(const struct rt_reader *r, FILE *out);
	bool full_only; /* printed only with -I */
} texts[RT_FEATURE_COUNT] = {
	[RT_FEATURE_HOSTNAME] = { print_hostname },
	[RT_FEATURE_OSRELEASE] = { print_osrelease },
	[RT_FEATURE_VERSION] = { print_version },
	[RT_FEATURE_ARCH] = { print_arch },
	[RT_FEATURE_NRCPUS] = { print_nrcpus },
	[RT_FEATURE_CPUDESC] = { print_cpudesc },
	[RT_FEATURE_CPUID] = { print_cpuid },
	[RT_FEATURE_TOTAL_MEM] = { print_total_mem },
	[RT_FEATURE_CMDLINE] = { print_cmdline },
	[RT_FEATURE_EVENT_DESC] = { print_event_desc },
	[RT_FEATURE_CPU_TOPOLOGY] = { print_cpu_topology, true },
	[RT_FEATURE_NUMA_TOPOLOGY] = { print_numa_topology, true },
	[RT_FEATURE_BRANCH_STACK] = { print_branch_stack },
	[RT_FEATURE_PMU_MAPPINGS] = { print_pmu_mappings },
	[RT_FEATURE_GROUP_DESC] = { print_group_desc },
	[RT_FEATURE_AUXTRACE] = { print_auxtrace },
	[RT_FEATURE_STAT] = { print_stat },
	[RT_FEATURE_CACHE] = { print_cache, true },
	[RT_FEATURE_SAMPLE_TIME] = { print_sample_time },
	[RT_FEATURE_MEM_TOPOLOGY] = { print_mem_topology, true },
	[RT_FEATURE_CLOCKID] = { print_clockid },
	[RT_FEATURE_DIR_FORMAT] = { print_dir_format },
	[RT_FEATURE_BPF_BTF] = { print_btf },
	[RT_FEATURE_COMPRESSED] = { print_compressed },
	[RT_FEATURE_CPU_PMU_CAPS] = { print_cpu_pmu_caps },
	[RT_FEATURE_CLOCK_DATA] = { print_clock_data },
	[RT_FEATURE_HYBRID_TOPOLOGY] = { print_hybrid_topology, true },
	[RT_FEATURE_PMU_CAPS] = { print_pmu_caps },
	[RT_FEATURE_E_MACHINE] = { print_e_machine },
	[RT_FEATURE_CLN_SIZE] = { print_cln_size },
};

void rt_header_print_feature(const struct rt_reader *r, unsigned feature, bool full, FILE *out)
{
	if (feature >= RT_FEATURE_COUNT || !texts[feature].print)
		return;
	if (r->env.broken[feature / 64] >> (feature % 64) & 1)
		fprintf(out, "# %s: unable to read\n", rt_feature_name(feature));
	else if (texts[feature].full_only && !full)
		fprintf(out, "# %s info available, use -I to display\n", rt_feature_name(feature));
	else
		texts[feature].print(r, out);
}

void rt_header_print(const struct rt_reader *r, bool full, FILE *out)
{
	const struct rt_file_section none = { 0, 0 }, *data = r->pipe ? &none : &r->header.data;
	time_t when = (time_t)r->header_mtime;
	char date[32] = "unknown\n";
	unsigned i;

	ctime_r(&when, date);
	fprintf(out, "# ========\n# captured on    : %s", date);
	fprintf(out, "# header version : %u\n", r->header_version);
	fprintf(out, "# data offset    : %" PRIu64 "\n", data->offset);
	fprintf(out, "# data size      : %" PRIu64 "\n", data->size);
	fprintf(out, "# feat offset    : %" PRIu64 "\n", data->offset + data->size);
	if (!r->pipe) {
		for (i = 1; i < RT_FEATURE_COUNT; i++)
			if (rt_env_has(&r->env, i))
				rt_header_print_feature(r, i, full, out);
		fputs("# missing features: ", out);
		for (i = 1; i <= LAST_IN_PERF61; i++)
			if (!rt_env_has(&r->env, i))
				fprintf(out, "%s ", rt_feature_name(i));
		fputc('\n', out);
	}
	fputs("# ========\n#\n", out);
}
