// SPDX-License-Identifier: GPL-2.0
/* sample.c - print the parts of a sample, each on one or a few lines. */
#include <inttypes.h>

#include "arch/registers.h"
#include "script/dump/dump.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static bool is_callstack(const struct rt_perf_event *e)
{
	return e->attr.branch_sample_type & RT_BRANCH_CALL_STACK;
}

/* The user part of a call chain from the branch registers: one "to", then all "from"s. */
static void lbr_chain(const struct rt_sample *s, FILE *out)
{
	uint64_t i, kernel;

	for (kernel = 0; kernel < s->callchain.nr; kernel++)
		if (s->callchain.ips[kernel] == RT_PERF_CONTEXT_USER)
			break;
	if (kernel == s->callchain.nr || !s->branch.nr)
		return;
	kernel++;
	fprintf(out, "... LBR call chain: nr:%" PRIu64 "\n", kernel + s->branch.nr + 1);
	for (i = 0; i < kernel; i++)
		fprintf(out, "..... %2d: %016" PRIx64 "\n", (int)i, s->callchain.ips[i]);
	fprintf(out, "..... %2d: %016" PRIx64 "\n", (int)kernel, s->branch.entries[0].to);
	for (i = 0; i < s->branch.nr; i++)
		fprintf(out, "..... %2d: %016" PRIx64 "\n", (int)(i + kernel + 1),
			s->branch.entries[i].from);
}

static void callchain(const struct rt_perf_event *e, const struct rt_sample *s, FILE *out)
{
	uint64_t i;

	if (is_callstack(e))
		lbr_chain(s, out);
	fprintf(out, "... FP chain: nr:%" PRIu64 "\n", s->callchain.nr);
	for (i = 0; i < s->callchain.nr; i++)
		fprintf(out, "..... %2d: %016" PRIx64 "\n", (int)i, s->callchain.ips[i]);
}

static const char *branch_type(uint64_t flags)
{
	static const char *const names[] = { "",	 "COND", "UNCOND",  "IND",    "CALL",
					     "IND_CALL", "RET",	 "SYSCALL", "SYSRET", "COND_CALL",
					     "COND_RET", "ERET", "IRQ",	    "SERROR", "NO_TX" };
	static const char *const more[] = {
		"FAULT_ALGN",	    "FAULT_DATA",	"FAULT_INST",
#ifdef __aarch64__
		"ARM64_FIQ",	    "ARM64_DEBUG_HALT", "ARM64_DEBUG_EXIT",
		"ARM64_DEBUG_INST", "ARM64_DEBUG_DATA"
#else
		"ARCH_1",     "ARCH_2",	    "ARCH_3",	  "ARCH_4", "ARCH_5"
#endif
	};
	unsigned type = RT_BRANCH_TYPE(flags);

	if (type < COUNT(names))
		return names[type];
	type = RT_BRANCH_NEW_TYPE(flags);
	return type < COUNT(more) ? more[type] : "(null)";
}

static void branch_line(uint64_t i, const struct rt_branch_entry *b, FILE *out)
{
	uint64_t f = b->flags;

	fprintf(out,
		"..... %2" PRIu64 ": %016" PRIx64 " -> %016" PRIx64 " %hu cycles %s%s%s%s %x %s\n",
		i, b->from, b->to, (unsigned short)RT_BRANCH_CYCLES(f),
		RT_BRANCH_MISPRED(f) ? "M" : " ", RT_BRANCH_PREDICTED(f) ? "P" : " ",
		RT_BRANCH_ABORT(f) ? "A" : " ", RT_BRANCH_IN_TX(f) ? "T" : " ",
		(unsigned)RT_BRANCH_RESERVED(f), branch_type(f));
}

static void branches(const struct rt_perf_event *e, const struct rt_sample *s, FILE *out)
{
	const struct rt_branch_entry *b = s->branch.entries;
	uint64_t i;

	if (!is_callstack(e)) {
		fprintf(out, "... branch stack: nr:%" PRIu64 "\n", s->branch.nr);
		for (i = 0; i < s->branch.nr; i++)
			branch_line(i, &b[i], out);
		return;
	}
	fprintf(out, "... branch callstack: nr:%" PRIu64 "\n", s->branch.nr + 1);
	for (i = 0; i < s->branch.nr; i++) {
		if (!i)
			fprintf(out, "..... %2d: %016" PRIx64 "\n", 0, b[0].to);
		fprintf(out, "..... %2" PRIu64 ": %016" PRIx64 "\n", i + 1, b[i].from);
	}
}

static void regs(const char *what, const struct rt_regs *r, const char *arch, FILE *out)
{
	static const char *const abi[] = { "none", "32-bit", "64-bit" };
	unsigned bit, i = 0;

	if (!r->regs)
		return;
	fprintf(out, "... %s regs: mask 0x%" PRIx64 " ABI %s\n", what, r->mask,
		r->abi < COUNT(abi) ? abi[r->abi] : "unknown");
	for (bit = 0; bit < 64; bit++)
		if (r->mask >> bit & 1)
			fprintf(out, ".... %-5s 0x%016" PRIx64 "\n", rt_reg_name(arch, bit),
				r->regs[i++]);
}

static void page_size(const char *what, uint64_t size, FILE *out)
{
	static const char unit[] = "BKMG";
	int i = 0;

	if (!size) {
		fprintf(out, " .. %s page size: N/A\n", what);
		return;
	}
	for (; size / 1024 > 1 && i < 3; i++)
		size /= 1024;
	fprintf(out, " .. %s page size: %" PRIu64 "%c\n", what, size, unit[i]);
}

static void read_values(const struct rt_perf_event *e, const struct rt_sample *s, FILE *out)
{
	uint64_t i, format = e->attr.read_format;
	struct rt_sample_value v;

	fprintf(out, "... sample_read:\n");
	if (format & RT_READ_FORMAT_TOTAL_TIME_ENABLED)
		fprintf(out, "...... time enabled %016" PRIx64 "\n", s->read.time_enabled);
	if (format & RT_READ_FORMAT_TOTAL_TIME_RUNNING)
		fprintf(out, "...... time running %016" PRIx64 "\n", s->read.time_running);
	if (format & RT_READ_FORMAT_GROUP)
		fprintf(out, ".... group nr %" PRIu64 "\n", s->read.nr);
	for (i = 0; i < s->read.nr; i++) {
		v = rt_sample_value(e, s, i);
		fprintf(out, "..... id %016" PRIx64 ", value %016" PRIx64, v.id, v.value);
		if (format & RT_READ_FORMAT_LOST)
			fprintf(out, ", lost %" PRIu64, v.lost);
		fputc('\n', out);
	}
}

void rt_dump_sample(const struct rt_perf_record *rec, const struct rt_sample *s, const char *arch,
		    FILE *out)
{
	const struct rt_perf_event *e = rec->event;

	fprintf(out, "(IP, 0x%x): %d/%d: %#" PRIx64 " period: %" PRIu64 " addr: %#" PRIx64 "\n",
		s->misc, s->pid, s->tid, s->ip, s->period, s->addr);
	if (rt_perf_event_has(e, RT_SAMPLE_CALLCHAIN))
		callchain(e, s, out);
	if (rt_perf_event_has(e, RT_SAMPLE_BRANCH_STACK))
		branches(e, s, out);
	if (rt_perf_event_has(e, RT_SAMPLE_REGS_USER))
		regs("user", &s->user_regs, arch, out);
	if (rt_perf_event_has(e, RT_SAMPLE_REGS_INTR))
		regs("intr", &s->intr_regs, arch, out);
	if (rt_perf_event_has(e, RT_SAMPLE_STACK_USER))
		fprintf(out, "... ustack: size %" PRIu64 ", offset 0x%x\n", s->user_stack.size,
			s->user_stack.offset);
	if (rt_perf_event_has(e, RT_SAMPLE_WEIGHT_STRUCT))
		fprintf(out, "... weight: %" PRIu64 ",0x%" PRIx16 ",0x%" PRIx16 "\n",
			(uint64_t)s->weight1, s->ins_lat, s->weight3);
	else if (rt_perf_event_has(e, RT_SAMPLE_WEIGHT))
		fprintf(out, "... weight: %" PRIu64 "\n", s->weight);
	if (rt_perf_event_has(e, RT_SAMPLE_DATA_SRC))
		fprintf(out, " . data_src: 0x%" PRIx64 "\n", s->data_src);
	if (rt_perf_event_has(e, RT_SAMPLE_PHYS_ADDR))
		fprintf(out, " .. phys_addr: 0x%" PRIx64 "\n", s->phys_addr);
	if (rt_perf_event_has(e, RT_SAMPLE_DATA_PAGE_SIZE))
		page_size("data", s->data_page_size, out);
	if (rt_perf_event_has(e, RT_SAMPLE_CODE_PAGE_SIZE))
		page_size("code", s->code_page_size, out);
	if (rt_perf_event_has(e, RT_SAMPLE_TRANSACTION))
		fprintf(out, "... transaction: %" PRIx64 "\n", s->transaction);
	if (rt_perf_event_has(e, RT_SAMPLE_READ))
		read_values(e, s, out);
}
