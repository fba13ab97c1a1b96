// SPDX-License-Identifier: GPL-2.0
/* perfdata_layout.c - our numbers and layouts equal those of the installed kernel header. */
#include <linux/perf_event.h>
#include <stddef.h>

#include "perfdata/layout.h"
#include "tap.h"

#define SAME(ours, theirs) is_int(ours, theirs, #ours " is " #theirs)
#define AT(field, at)	   is_int(offsetof(struct rt_attr, field), at, "attr." #field " lies at %d", at)

int main(void)
{
	struct perf_event_attr attr = { .type = 0 };
	struct rt_attr ours;

	SAME(RT_PERF_RECORD_MMAP, PERF_RECORD_MMAP);
	SAME(RT_PERF_RECORD_LOST, PERF_RECORD_LOST);
	SAME(RT_PERF_RECORD_COMM, PERF_RECORD_COMM);
	SAME(RT_PERF_RECORD_EXIT, PERF_RECORD_EXIT);
	SAME(RT_PERF_RECORD_THROTTLE, PERF_RECORD_THROTTLE);
	SAME(RT_PERF_RECORD_UNTHROTTLE, PERF_RECORD_UNTHROTTLE);
	SAME(RT_PERF_RECORD_FORK, PERF_RECORD_FORK);
	SAME(RT_PERF_RECORD_READ, PERF_RECORD_READ);
	SAME(RT_PERF_RECORD_SAMPLE, PERF_RECORD_SAMPLE);
	SAME(RT_PERF_RECORD_MMAP2, PERF_RECORD_MMAP2);
	SAME(RT_PERF_RECORD_AUX, PERF_RECORD_AUX);
	SAME(RT_PERF_RECORD_ITRACE_START, PERF_RECORD_ITRACE_START);
	SAME(RT_PERF_RECORD_LOST_SAMPLES, PERF_RECORD_LOST_SAMPLES);
	SAME(RT_PERF_RECORD_SWITCH, PERF_RECORD_SWITCH);
	SAME(RT_PERF_RECORD_SWITCH_CPU_WIDE, PERF_RECORD_SWITCH_CPU_WIDE);
	SAME(RT_PERF_RECORD_NAMESPACES, PERF_RECORD_NAMESPACES);
	SAME(RT_PERF_RECORD_KSYMBOL, PERF_RECORD_KSYMBOL);
	SAME(RT_PERF_RECORD_BPF_EVENT, PERF_RECORD_BPF_EVENT);

	SAME(RT_SAMPLE_IP, PERF_SAMPLE_IP);
	SAME(RT_SAMPLE_TID, PERF_SAMPLE_TID);
	SAME(RT_SAMPLE_TIME, PERF_SAMPLE_TIME);
	SAME(RT_SAMPLE_ADDR, PERF_SAMPLE_ADDR);
	SAME(RT_SAMPLE_READ, PERF_SAMPLE_READ);
	SAME(RT_SAMPLE_CALLCHAIN, PERF_SAMPLE_CALLCHAIN);
	SAME(RT_SAMPLE_ID, PERF_SAMPLE_ID);
	SAME(RT_SAMPLE_CPU, PERF_SAMPLE_CPU);
	SAME(RT_SAMPLE_PERIOD, PERF_SAMPLE_PERIOD);
	SAME(RT_SAMPLE_STREAM_ID, PERF_SAMPLE_STREAM_ID);
	SAME(RT_SAMPLE_RAW, PERF_SAMPLE_RAW);
	SAME(RT_SAMPLE_BRANCH_STACK, PERF_SAMPLE_BRANCH_STACK);
	SAME(RT_SAMPLE_REGS_USER, PERF_SAMPLE_REGS_USER);
	SAME(RT_SAMPLE_STACK_USER, PERF_SAMPLE_STACK_USER);
	SAME(RT_SAMPLE_WEIGHT, PERF_SAMPLE_WEIGHT);
	SAME(RT_SAMPLE_DATA_SRC, PERF_SAMPLE_DATA_SRC);
	SAME(RT_SAMPLE_IDENTIFIER, PERF_SAMPLE_IDENTIFIER);
	SAME(RT_SAMPLE_TRANSACTION, PERF_SAMPLE_TRANSACTION);
	SAME(RT_SAMPLE_REGS_INTR, PERF_SAMPLE_REGS_INTR);
	SAME(RT_SAMPLE_PHYS_ADDR, PERF_SAMPLE_PHYS_ADDR);

	SAME(RT_READ_FORMAT_TOTAL_TIME_ENABLED, PERF_FORMAT_TOTAL_TIME_ENABLED);
	SAME(RT_READ_FORMAT_TOTAL_TIME_RUNNING, PERF_FORMAT_TOTAL_TIME_RUNNING);
	SAME(RT_READ_FORMAT_ID, PERF_FORMAT_ID);
	SAME(RT_READ_FORMAT_GROUP, PERF_FORMAT_GROUP);
	SAME((int64_t)RT_PERF_CONTEXT_KERNEL, (int64_t)PERF_CONTEXT_KERNEL);
	SAME((int64_t)RT_PERF_CONTEXT_USER, (int64_t)PERF_CONTEXT_USER);
	SAME((int64_t)RT_PERF_CONTEXT_MAX, (int64_t)PERF_CONTEXT_MAX);

	AT(sample_period, (int)offsetof(struct perf_event_attr, sample_period));
	AT(config1, (int)offsetof(struct perf_event_attr, config1));
	AT(branch_sample_type, (int)offsetof(struct perf_event_attr, branch_sample_type));
	AT(clockid, (int)offsetof(struct perf_event_attr, clockid));
	AT(sample_max_stack, (int)offsetof(struct perf_event_attr, sample_max_stack));
	AT(aux_sample_size, 112);
	AT(sig_data, 120);
	AT(config3, 128);
	AT(config4, 136);

	/* The flags are bit-fields there and bits here: on this machine they must agree. */
	attr.sample_id_all = 1;
	attr.precise_ip = 2;
	attr.mmap2 = 1;
	attr.bpf_event = 1;
	memset(&ours, 0, sizeof(ours));
	memcpy(&ours, &attr, sizeof(attr) < sizeof(ours) ? sizeof(attr) : sizeof(ours));
	is_int(ours.flags,
	       RT_ATTR_SAMPLE_ID_ALL | 2ULL << RT_ATTR_PRECISE_IP_SHIFT | RT_ATTR_MMAP2 |
		       RT_ATTR_BPF_EVENT,
	       "attr flags are the same bits");
	is_int(sizeof(struct rt_file_header), RT_FILE_HEADER_SIZE, "the header has its size");
	return tap_done();
}
