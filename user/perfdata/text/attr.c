// SPDX-License-Identifier: GPL-2.0
#include "perfdata/text/attr.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct bit_name {
	uint64_t bit;
	const char *name;
};

/* In perf's order, which is not always that of the bits. */
static const struct bit_name sample_bits[] = {
	{ RT_SAMPLE_IP, "IP" },
	{ RT_SAMPLE_TID, "TID" },
	{ RT_SAMPLE_TIME, "TIME" },
	{ RT_SAMPLE_ADDR, "ADDR" },
	{ RT_SAMPLE_READ, "READ" },
	{ RT_SAMPLE_CALLCHAIN, "CALLCHAIN" },
	{ RT_SAMPLE_ID, "ID" },
	{ RT_SAMPLE_CPU, "CPU" },
	{ RT_SAMPLE_PERIOD, "PERIOD" },
	{ RT_SAMPLE_STREAM_ID, "STREAM_ID" },
	{ RT_SAMPLE_RAW, "RAW" },
	{ RT_SAMPLE_BRANCH_STACK, "BRANCH_STACK" },
	{ RT_SAMPLE_REGS_USER, "REGS_USER" },
	{ RT_SAMPLE_STACK_USER, "STACK_USER" },
	{ RT_SAMPLE_IDENTIFIER, "IDENTIFIER" },
	{ RT_SAMPLE_REGS_INTR, "REGS_INTR" },
	{ RT_SAMPLE_DATA_SRC, "DATA_SRC" },
	{ RT_SAMPLE_WEIGHT, "WEIGHT" },
	{ RT_SAMPLE_PHYS_ADDR, "PHYS_ADDR" },
	{ RT_SAMPLE_AUX, "AUX" },
	{ RT_SAMPLE_CGROUP, "CGROUP" },
	{ RT_SAMPLE_DATA_PAGE_SIZE, "DATA_PAGE_SIZE" },
	{ RT_SAMPLE_CODE_PAGE_SIZE, "CODE_PAGE_SIZE" },
	{ RT_SAMPLE_WEIGHT_STRUCT, "WEIGHT_STRUCT" },
	{ 0, NULL },
};

static const struct bit_name read_bits[] = {
	{ RT_READ_FORMAT_TOTAL_TIME_ENABLED, "TOTAL_TIME_ENABLED" },
	{ RT_READ_FORMAT_TOTAL_TIME_RUNNING, "TOTAL_TIME_RUNNING" },
	{ RT_READ_FORMAT_ID, "ID" },
	{ RT_READ_FORMAT_GROUP, "GROUP" },
	{ RT_READ_FORMAT_LOST, "LOST" },
	{ 0, NULL },
};

static const struct bit_name branch_bits[] = {
	{ 1 << 0, "USER" },	  { 1 << 1, "KERNEL" },
	{ 1 << 2, "HV" },	  { 1 << 3, "ANY" },
	{ 1 << 4, "ANY_CALL" },	  { 1 << 5, "ANY_RETURN" },
	{ 1 << 6, "IND_CALL" },	  { 1 << 7, "ABORT_TX" },
	{ 1 << 8, "IN_TX" },	  { 1 << 9, "NO_TX" },
	{ 1 << 10, "COND" },	  { 1 << 11, "CALL_STACK" },
	{ 1 << 12, "IND_JUMP" },  { 1 << 13, "CALL" },
	{ 1 << 14, "NO_FLAGS" },  { 1 << 15, "NO_CYCLES" },
	{ 1 << 16, "TYPE_SAVE" }, { 1 << 17, "HW_INDEX" },
	{ 1 << 18, "PRIV_SAVE" }, { 0, NULL },
};

static const struct bit_name flag_bits[] = {
	{ RT_ATTR_DISABLED, "disabled" },
	{ RT_ATTR_INHERIT, "inherit" },
	{ RT_ATTR_PINNED, "pinned" },
	{ RT_ATTR_EXCLUSIVE, "exclusive" },
	{ RT_ATTR_EXCLUDE_USER, "exclude_user" },
	{ RT_ATTR_EXCLUDE_KERNEL, "exclude_kernel" },
	{ RT_ATTR_EXCLUDE_HV, "exclude_hv" },
	{ RT_ATTR_EXCLUDE_IDLE, "exclude_idle" },
	{ RT_ATTR_MMAP, "mmap" },
	{ RT_ATTR_COMM, "comm" },
	{ RT_ATTR_FREQ, "freq" },
	{ RT_ATTR_INHERIT_STAT, "inherit_stat" },
	{ RT_ATTR_ENABLE_ON_EXEC, "enable_on_exec" },
	{ RT_ATTR_TASK, "task" },
	{ RT_ATTR_WATERMARK, "watermark" },
	{ 3ULL << RT_ATTR_PRECISE_IP_SHIFT, "precise_ip" },
	{ RT_ATTR_MMAP_DATA, "mmap_data" },
	{ RT_ATTR_SAMPLE_ID_ALL, "sample_id_all" },
	{ RT_ATTR_EXCLUDE_HOST, "exclude_host" },
	{ RT_ATTR_EXCLUDE_GUEST, "exclude_guest" },
	{ RT_ATTR_EXCLUDE_CC_KERN, "exclude_callchain_kernel" },
	{ RT_ATTR_EXCLUDE_CC_USER, "exclude_callchain_user" },
	{ RT_ATTR_MMAP2, "mmap2" },
	{ RT_ATTR_COMM_EXEC, "comm_exec" },
	{ RT_ATTR_USE_CLOCKID, "use_clockid" },
	{ RT_ATTR_CONTEXT_SWITCH, "context_switch" },
	{ RT_ATTR_WRITE_BACKWARD, "write_backward" },
	{ RT_ATTR_NAMESPACES, "namespaces" },
	{ RT_ATTR_KSYMBOL, "ksymbol" },
	{ RT_ATTR_BPF_EVENT, "bpf_event" },
	{ RT_ATTR_AUX_OUTPUT, "aux_output" },
	{ RT_ATTR_CGROUP, "cgroup" },
	{ RT_ATTR_TEXT_POKE, "text_poke" },
	{ RT_ATTR_BUILD_ID, "build_id" },
	{ RT_ATTR_INHERIT_THREAD, "inherit_thread" },
	{ RT_ATTR_REMOVE_ON_EXEC, "remove_on_exec" },
	{ RT_ATTR_SIGTRAP, "sigtrap" },
	{ RT_ATTR_DEFER_CALLCHAIN, "defer_callchain" },
	{ RT_ATTR_DEFER_OUTPUT, "defer_output" },
	{ 0, NULL },
};

struct printer {
	const char *first, *before, *between;
	bool any;
	FILE *out;
};

static void name(struct printer *p, const char *field)
{
	fprintf(p->out, "%s%s%s", p->any ? p->before : p->first, field, p->between);
	p->any = true;
}

static void number(struct printer *p, const char *field, uint64_t value)
{
	if (!value)
		return;
	name(p, field);
	fprintf(p->out, "%" PRIu64, value);
}

static void hex(struct printer *p, const char *field, uint64_t value)
{
	if (!value)
		return;
	name(p, field);
	fprintf(p->out, "%#" PRIx64, value);
}

static void bits(struct printer *p, const char *field, uint64_t value, const struct bit_name *b)
{
	const char *bar = "";

	if (!value)
		return;
	name(p, field);
	for (; b->name; b++) {
		if (value & b->bit) {
			fprintf(p->out, "%s%s", bar, b->name);
			bar = "|";
		}
	}
}

static void flags(struct printer *p, uint64_t value)
{
	const struct bit_name *b;

	for (b = flag_bits; b->name; b++)
		number(p, b->name, (value & b->bit) / (b->bit & -b->bit));
}

void rt_attr_print(const struct rt_attr *a, const char *first, const char *before,
		   const char *between, FILE *out)
{
	struct printer p = { first, before, between, false, out };

	number(&p, "type", a->type);
	number(&p, "size", a->size);
	hex(&p, "config", a->config);
	number(&p, "{ sample_period, sample_freq }", a->sample_period);
	bits(&p, "sample_type", a->sample_type, sample_bits);
	bits(&p, "read_format", a->read_format, read_bits);
	flags(&p, a->flags);
	number(&p, "{ wakeup_events, wakeup_watermark }", a->wakeup_events);
	number(&p, "bp_type", a->bp_type);
	hex(&p, "{ bp_addr, config1 }", a->config1);
	hex(&p, "{ bp_len, config2 }", a->config2);
	bits(&p, "branch_sample_type", a->branch_sample_type, branch_bits);
	hex(&p, "sample_regs_user", a->sample_regs_user);
	number(&p, "sample_stack_user", a->sample_stack_user);
	if (a->clockid) {
		name(&p, "clockid");
		fprintf(out, "%d", a->clockid);
	}
	hex(&p, "sample_regs_intr", a->sample_regs_intr);
	number(&p, "aux_watermark", a->aux_watermark);
	number(&p, "sample_max_stack", a->sample_max_stack);
	number(&p, "aux_sample_size", a->aux_sample_size);
	number(&p, "sig_data", a->sig_data);
	hex(&p, "config3", a->config3);
	hex(&p, "config4", a->config4);
}
