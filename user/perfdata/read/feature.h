/* SPDX-License-Identifier: GPL-2.0 */
/*
 * feature.h - the decoded header of a perf.data file: facts about the machine and the recording.
 *
 * Strings are NULL and counts 0 if the feature is absent or broken; has() by feature bit
 * distinguishes absent from empty.  Everything lives until the reader is closed.  In a pipe the
 * features come as records between others.
 */
#ifndef RT_PERFDATA_READ_FEATURE_H
#define RT_PERFDATA_READ_FEATURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/buildid.h"
#include "perfdata/layout.h"

/* One entry of the build-id table: the build-id of a file at the time it was mapped. */
struct rt_build_id_entry {
	struct rt_buildid id;
	int32_t pid;   /* -1: the host */
	uint16_t misc; /* cpumode: RT_MISC_KERNEL for the kernel and modules */
	const char *filename;
};

struct rt_numa_node {
	uint32_t node;
	uint64_t mem_total, mem_free; /* kB */
	const char *cpus;
};

struct rt_cpu_topology { /* per CPU; -1 unknown */
	int32_t core, socket, die;
};

struct rt_cpu_cache {
	uint32_t level, line_size, sets, ways;
	const char *type, *size, *map;
};

struct rt_pmu_mapping {
	uint32_t type;
	const char *name;
};

struct rt_group_desc {
	const char *name;
	uint32_t leader, members;
};

struct rt_mem_node {
	uint64_t node, size; /* size: bits in the set */
	const uint64_t *set; /* which blocks of mem_block_size */
};

struct rt_bpf_prog { /* BPF_PROG_INFO: bpf_prog_info and its arrays, as the kernel returned them */
	uint32_t info_len, data_len;
	uint64_t arrays; /* which arrays are in data */
	const void *info;
	const void *data;
};

struct rt_bpf_btf {
	uint32_t id, data_size;
	const void *data;
};

struct rt_pmu_caps {
	const char *pmu; /* NULL in cpu_pmu_caps, which describes only "cpu" */
	uint32_t count;
	const char **names, **values;
};

struct rt_hybrid_node {
	const char *pmu, *cpus;
};

struct rt_event_desc {
	struct rt_attr attr;
	const char *name;
	uint32_t ids_count;
	const uint64_t *ids;
};

struct rt_env {
	uint64_t features[RT_FEATURE_BITS / 64]; /* present in the file */
	uint64_t broken[RT_FEATURE_BITS / 64];	 /* present but could not be decoded */

	const char *hostname, *os_release, *version, *arch, *cpu_desc, *cpuid;
	uint32_t cpus_avail, cpus_online;
	uint64_t total_mem;		 /* kB */
	uint32_t elf_machine, elf_flags; /* EM_*, EF_*: E_MACHINE */
	uint32_t cacheline_size;	 /* CLN_SIZE */

	uint32_t cmdline_count;
	const char **cmdline;

	uint32_t event_desc_count;
	struct rt_event_desc *event_desc;

	uint32_t sibling_cores_count, sibling_dies_count, sibling_threads_count;
	const char **sibling_cores, **sibling_dies, **sibling_threads;
	uint32_t topology_count;
	struct rt_cpu_topology *topology;
	bool has_dies;

	uint32_t numa_count;
	struct rt_numa_node *numa;

	uint32_t pmu_mapping_count;
	struct rt_pmu_mapping *pmu_mappings;

	uint32_t group_count;
	struct rt_group_desc *groups;

	uint32_t cache_count;
	struct rt_cpu_cache *caches;

	uint64_t sample_time_first, sample_time_last; /* ns, in the file's clock */

	uint64_t mem_block_size;
	uint32_t mem_node_count;
	struct rt_mem_node *mem_nodes;

	uint64_t clockid_res_ns;

	struct { /* CLOCK_DATA: the same moment in two clocks */
		bool present;
		int32_t clockid;
		uint64_t wall_ns, clockid_ns;
	} clock;

	uint64_t dir_version;

	uint32_t bpf_prog_count, btf_count;
	struct rt_bpf_prog *bpf_progs;
	struct rt_bpf_btf *btfs;

	struct { /* COMPRESSED */
		uint32_t version, type, level, ratio, mmap_len;
	} compressed;

	struct rt_pmu_caps cpu_pmu_caps;
	uint32_t pmu_caps_count;
	struct rt_pmu_caps *pmu_caps;

	uint32_t hybrid_count;
	struct rt_hybrid_node *hybrid;

	size_t build_id_count;
	struct rt_build_id_entry *build_ids;
};

static inline bool rt_env_has(const struct rt_env *env, unsigned feature)
{
	return feature < RT_FEATURE_BITS && (env->features[feature / 64] >> (feature % 64) & 1);
}

/*
 * The architecture of the file as rt_arch_group() names it; this machine's if the file does not say
 * (ENV may also be NULL).
 */
const char *rt_env_arch(const struct rt_env *env);

/* The build-id with which a file was recorded, or NULL. */
const struct rt_buildid *rt_env_build_id(const struct rt_env *env, const char *filename);

/* The name as in "HEADER_…": "HOSTNAME"; NULL if unknown. */
const char *rt_feature_name(unsigned feature);

struct rt_reader;

/*
 * Print the header as `perf script --header` does, including "# ========"; full adds what only `-I`
 * prints.  In a pipe the features come as records between others; perf prints each when it reads
 * it, with the second function.
 */
void rt_header_print(const struct rt_reader *reader, bool full, FILE *out);
void rt_header_print_feature(const struct rt_reader *reader, unsigned feature, bool full,
			     FILE *out);

#endif
