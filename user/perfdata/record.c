// SPDX-License-Identifier: GPL-2.0
#include <stddef.h>

#include "perfdata/internal.h"

/* The name, and how many bytes a record must have for its fixed fields to be read. */
static const struct {
	const char *name;
	size_t min;
} types[RT_RECORD_MAX] = {
	[0] = { "TOTAL", 0 },
	[RT_RECORD_MMAP] = { "MMAP", offsetof(struct rt_record_mmap, filename) },
	[RT_RECORD_LOST] = { "LOST", sizeof(struct rt_record_lost) },
	[RT_RECORD_COMM] = { "COMM", offsetof(struct rt_record_comm, comm) },
	[RT_RECORD_EXIT] = { "EXIT", sizeof(struct rt_record_task) },
	[RT_RECORD_THROTTLE] = { "THROTTLE", sizeof(struct rt_record_throttle) },
	[RT_RECORD_UNTHROTTLE] = { "UNTHROTTLE", sizeof(struct rt_record_throttle) },
	[RT_RECORD_FORK] = { "FORK", sizeof(struct rt_record_task) },
	[RT_RECORD_READ] = { "READ", sizeof(struct rt_record_read) },
	[RT_RECORD_SAMPLE] = { "SAMPLE", 0 },
	[RT_RECORD_MMAP2] = { "MMAP2", offsetof(struct rt_record_mmap2, filename) },
	[RT_RECORD_AUX] = { "AUX", sizeof(struct rt_record_aux) },
	[RT_RECORD_ITRACE_START] = { "ITRACE_START", sizeof(struct rt_record_itrace_start) },
	[RT_RECORD_LOST_SAMPLES] = { "LOST_SAMPLES", sizeof(struct rt_record_lost_samples) },
	[RT_RECORD_SWITCH] = { "SWITCH", 0 },
	[RT_RECORD_SWITCH_CPU_WIDE] = { "SWITCH_CPU_WIDE", sizeof(struct rt_record_switch) },
	[RT_RECORD_NAMESPACES] = { "NAMESPACES", sizeof(struct rt_record_namespaces) },
	[RT_RECORD_KSYMBOL] = { "KSYMBOL", offsetof(struct rt_record_ksymbol, name) },
	[RT_RECORD_BPF_EVENT] = { "BPF_EVENT", sizeof(struct rt_record_bpf_event) },
	[RT_RECORD_CGROUP] = { "CGROUP", offsetof(struct rt_record_cgroup, path) },
	[RT_RECORD_TEXT_POKE] = { "TEXT_POKE", offsetof(struct rt_record_text_poke, bytes) },
	[RT_RECORD_AUX_OUTPUT_HW_ID] = { "AUX_OUTPUT_HW_ID",
					 sizeof(struct rt_record_aux_output_hw_id) },
	[RT_RECORD_CALLCHAIN_DEFERRED] = { "CALLCHAIN_DEFERRED",
					   sizeof(struct rt_record_callchain_deferred) },
	[RT_RECORD_HEADER_ATTR] = { "ATTR", sizeof(struct rt_record_header) + RT_ATTR_SIZE_VER0 },
	[RT_RECORD_HEADER_EVENT_TYPE] = { "EVENT_TYPE", 0 },
	[RT_RECORD_HEADER_TRACING_DATA] = { "TRACING_DATA", sizeof(struct rt_record_tracing_data) },
	[RT_RECORD_HEADER_BUILD_ID] = { "BUILD_ID", offsetof(struct rt_record_build_id, filename) },
	[RT_RECORD_FINISHED_ROUND] = { "FINISHED_ROUND", 0 },
	[RT_RECORD_ID_INDEX] = { "ID_INDEX", sizeof(struct rt_record_id_index) },
	[RT_RECORD_AUXTRACE_INFO] = { "AUXTRACE_INFO", sizeof(struct rt_record_auxtrace_info) },
	[RT_RECORD_AUXTRACE] = { "AUXTRACE", sizeof(struct rt_record_auxtrace) },
	[RT_RECORD_AUXTRACE_ERROR] = { "AUXTRACE_ERROR",
				       offsetof(struct rt_record_auxtrace_error, time) },
	[RT_RECORD_THREAD_MAP] = { "THREAD_MAP", sizeof(struct rt_record_thread_map) },
	[RT_RECORD_CPU_MAP] = { "CPU_MAP", offsetof(struct rt_record_cpu_map, words) },
	[RT_RECORD_STAT_CONFIG] = { "STAT_CONFIG", sizeof(struct rt_record_stat_config) },
	[RT_RECORD_STAT] = { "STAT", sizeof(struct rt_record_stat) },
	[RT_RECORD_STAT_ROUND] = { "STAT_ROUND", sizeof(struct rt_record_stat_round) },
	[RT_RECORD_EVENT_UPDATE] = { "EVENT_UPDATE",
				     offsetof(struct rt_record_event_update, data) },
	[RT_RECORD_TIME_CONV] = { "TIME_CONV", offsetof(struct rt_record_time_conv, time_cycles) },
	[RT_RECORD_HEADER_FEATURE] = { "FEATURE", offsetof(struct rt_record_feature, data) },
	[RT_RECORD_COMPRESSED] = { "COMPRESSED", 0 },
	[RT_RECORD_FINISHED_INIT] = { "FINISHED_INIT", 0 },
	[RT_RECORD_COMPRESSED2] = { "COMPRESSED2", 0 },
	[RT_RECORD_BPF_METADATA] = { "BPF_METADATA", 0 },
	[RT_RECORD_SCHEDSTAT_CPU] = { "SCHEDSTAT_CPU", 0 },
	[RT_RECORD_SCHEDSTAT_DOMAIN] = { "SCHEDSTAT_DOMAIN", 0 },
};

const char *rt_record_name(uint32_t type)
{
	return type < RT_RECORD_MAX && types[type].name ? types[type].name : "UNKNOWN";
}

bool rt_record_known(uint32_t type)
{
	return type && type < RT_RECORD_MAX && types[type].name;
}

size_t rt_record_min_size(uint32_t type)
{
	return type < RT_RECORD_MAX ? types[type].min : 0;
}

const char *rt_record_string(const struct rt_record *rec, const char *field)
{
	const char *begin = (const char *)rec->hdr, *end = begin + rec->hdr->size;

	if (field < begin || field >= end || !memchr(field, 0, end - field))
		return "";
	return field;
}

void rt_record_hold(const struct rt_record *rec)
{
	rt_block_get(rec->block);
}

void rt_record_drop(const struct rt_record *rec)
{
	rt_block_put(rec->block);
}
