// SPDX-License-Identifier: GPL-2.0
#include <stddef.h>

#include "perfdata/read/internal.h"

/* The name, and the minimum size of a record whose fixed fields can be read. */
static const struct {
	const char *name;
	size_t min;
} types[RT_PERF_RECORD_MAX] = {
	[0] = { "TOTAL", 0 },
	[RT_PERF_RECORD_MMAP] = { "MMAP", offsetof(struct rt_perf_record_mmap, filename) },
	[RT_PERF_RECORD_LOST] = { "LOST", sizeof(struct rt_perf_record_lost) },
	[RT_PERF_RECORD_COMM] = { "COMM", offsetof(struct rt_perf_record_comm, comm) },
	[RT_PERF_RECORD_EXIT] = { "EXIT", sizeof(struct rt_perf_record_task) },
	[RT_PERF_RECORD_THROTTLE] = { "THROTTLE", sizeof(struct rt_perf_record_throttle) },
	[RT_PERF_RECORD_UNTHROTTLE] = { "UNTHROTTLE", sizeof(struct rt_perf_record_throttle) },
	[RT_PERF_RECORD_FORK] = { "FORK", sizeof(struct rt_perf_record_task) },
	[RT_PERF_RECORD_READ] = { "READ", sizeof(struct rt_perf_record_read) },
	[RT_PERF_RECORD_SAMPLE] = { "SAMPLE", 0 },
	[RT_PERF_RECORD_MMAP2] = { "MMAP2", offsetof(struct rt_perf_record_mmap2, filename) },
	[RT_PERF_RECORD_AUX] = { "AUX", sizeof(struct rt_perf_record_aux) },
	[RT_PERF_RECORD_ITRACE_START] = { "ITRACE_START",
					  sizeof(struct rt_perf_record_itrace_start) },
	[RT_PERF_RECORD_LOST_SAMPLES] = { "LOST_SAMPLES",
					  sizeof(struct rt_perf_record_lost_samples) },
	[RT_PERF_RECORD_SWITCH] = { "SWITCH", 0 },
	[RT_PERF_RECORD_SWITCH_CPU_WIDE] = { "SWITCH_CPU_WIDE",
					     sizeof(struct rt_perf_record_switch) },
	[RT_PERF_RECORD_NAMESPACES] = { "NAMESPACES", sizeof(struct rt_perf_record_namespaces) },
	[RT_PERF_RECORD_KSYMBOL] = { "KSYMBOL", offsetof(struct rt_perf_record_ksymbol, name) },
	[RT_PERF_RECORD_BPF_EVENT] = { "BPF_EVENT", sizeof(struct rt_perf_record_bpf_event) },
	[RT_PERF_RECORD_CGROUP] = { "CGROUP", offsetof(struct rt_perf_record_cgroup, path) },
	[RT_PERF_RECORD_TEXT_POKE] = { "TEXT_POKE",
				       offsetof(struct rt_perf_record_text_poke, bytes) },
	[RT_PERF_RECORD_AUX_OUTPUT_HW_ID] = { "AUX_OUTPUT_HW_ID",
					      sizeof(struct rt_perf_record_aux_output_hw_id) },
	[RT_PERF_RECORD_CALLCHAIN_DEFERRED] = { "CALLCHAIN_DEFERRED",
						sizeof(struct rt_perf_record_callchain_deferred) },
	[RT_PERF_RECORD_HEADER_ATTR] = { "ATTR",
					 sizeof(struct rt_perf_record_header) + RT_ATTR_SIZE_VER0 },
	[RT_PERF_RECORD_HEADER_EVENT_TYPE] = { "EVENT_TYPE", 0 },
	[RT_PERF_RECORD_HEADER_TRACING_DATA] = { "TRACING_DATA",
						 sizeof(struct rt_perf_record_tracing_data) },
	[RT_PERF_RECORD_HEADER_BUILD_ID] = { "BUILD_ID",
					     offsetof(struct rt_perf_record_build_id, filename) },
	[RT_PERF_RECORD_FINISHED_ROUND] = { "FINISHED_ROUND", 0 },
	[RT_PERF_RECORD_ID_INDEX] = { "ID_INDEX", sizeof(struct rt_perf_record_id_index) },
	[RT_PERF_RECORD_AUXTRACE_INFO] = { "AUXTRACE_INFO",
					   sizeof(struct rt_perf_record_auxtrace_info) },
	[RT_PERF_RECORD_AUXTRACE] = { "AUXTRACE", sizeof(struct rt_perf_record_auxtrace) },
	[RT_PERF_RECORD_AUXTRACE_ERROR] = { "AUXTRACE_ERROR",
					    offsetof(struct rt_perf_record_auxtrace_error, time) },
	[RT_PERF_RECORD_THREAD_MAP] = { "THREAD_MAP", sizeof(struct rt_perf_record_thread_map) },
	[RT_PERF_RECORD_CPU_MAP] = { "CPU_MAP", offsetof(struct rt_perf_record_cpu_map, words) },
	[RT_PERF_RECORD_STAT_CONFIG] = { "STAT_CONFIG", sizeof(struct rt_perf_record_stat_config) },
	[RT_PERF_RECORD_STAT] = { "STAT", sizeof(struct rt_perf_record_stat) },
	[RT_PERF_RECORD_STAT_ROUND] = { "STAT_ROUND", sizeof(struct rt_perf_record_stat_round) },
	[RT_PERF_RECORD_EVENT_UPDATE] = { "EVENT_UPDATE",
					  offsetof(struct rt_perf_record_event_update, data) },
	[RT_PERF_RECORD_TIME_CONV] = { "TIME_CONV",
				       offsetof(struct rt_perf_record_time_conv, time_cycles) },
	[RT_PERF_RECORD_HEADER_FEATURE] = { "FEATURE",
					    offsetof(struct rt_perf_record_feature, data) },
	[RT_PERF_RECORD_COMPRESSED] = { "COMPRESSED", 0 },
	[RT_PERF_RECORD_FINISHED_INIT] = { "FINISHED_INIT", 0 },
	[RT_PERF_RECORD_COMPRESSED2] = { "COMPRESSED2", 0 },
	[RT_PERF_RECORD_BPF_METADATA] = { "BPF_METADATA", 0 },
	[RT_PERF_RECORD_SCHEDSTAT_CPU] = { "SCHEDSTAT_CPU", 0 },
	[RT_PERF_RECORD_SCHEDSTAT_DOMAIN] = { "SCHEDSTAT_DOMAIN", 0 },
};

const char *rt_perf_record_name(uint32_t type)
{
	return type < RT_PERF_RECORD_MAX && types[type].name ? types[type].name : "UNKNOWN";
}

bool rt_perf_record_known(uint32_t type)
{
	return type && type < RT_PERF_RECORD_MAX && types[type].name;
}

size_t rt_perf_record_min_size(uint32_t type)
{
	return type < RT_PERF_RECORD_MAX ? types[type].min : 0;
}

const char *rt_perf_record_string(const struct rt_perf_record *rec, const char *field)
{
	const char *begin = (const char *)rec->hdr, *end = begin + rec->hdr->size;

	if (field < begin || field >= end || !memchr(field, 0, end - field))
		return "";
	return field;
}

void rt_perf_record_hold(const struct rt_perf_record *rec)
{
	rt_block_get(rec->block);
}

void rt_perf_record_drop(const struct rt_perf_record *rec)
{
	rt_block_put(rec->block);
}
