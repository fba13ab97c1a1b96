// SPDX-License-Identifier: GPL-2.0
#include "script/print/details.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "arch/registers.h"
#include "perfdata/text/data_src.h"

#define SW_PAGE_FAULTS	   2
#define SW_PAGE_FAULTS_MIN 5
#define SW_PAGE_FAULTS_MAJ 6

void rt_details_regs(const struct rt_script *script, const struct rt_regs *regs,
		     struct rt_text *out)
{
	unsigned int reg, i = 0;

	if (!regs->regs || !regs->abi)
		return;
	rt_text_lit(out, " ABI:");
	rt_text_u64(out, regs->abi);
	rt_text_char(out, ' ');
	for (reg = 0; reg < 64; reg++) {
		if (!(regs->mask >> reg & 1))
			continue;
		rt_text_str_width(out, rt_reg_name(rt_env_arch(rt_reader_env(script->reader)), reg),
				  5);
		rt_text_lit(out, ":0x");
		rt_text_hex(out, regs->regs[i++]);
		rt_text_char(out, ' ');
	}
}

/* ---- branches ---------------------------------------------------------------- */

#define BRANCH_EXTENDED 15

const char *rt_branch_kind(uint64_t flags)
{
	static const char *const kinds[] = { "",	 "COND", "UNCOND",  "IND",    "CALL",
					     "IND_CALL", "RET",	 "SYSCALL", "SYSRET", "COND_CALL",
					     "COND_RET", "ERET", "IRQ",	    "SERROR", "NO_TX" };
	static const char *const more[] = { "FAULT_ALGN",	"FAULT_DATA",
					    "FAULT_INST",	"ARM64_FIQ",
					    "ARM64_DEBUG_HALT", "ARM64_DEBUG_EXIT",
					    "ARM64_DEBUG_INST", "ARM64_DEBUG_DATA" };
	unsigned int kind = RT_BRANCH_TYPE(flags), extra = RT_BRANCH_NEW_TYPE(flags);

	if (kind == BRANCH_EXTENDED)
		return extra < sizeof(more) / sizeof(*more) ? more[extra] : "(null)";
	return kinds[kind];
}

static void put_flags(uint64_t flags, struct rt_text *out)
{
	bool known = RT_BRANCH_MISPRED(flags) || RT_BRANCH_PREDICTED(flags);

	rt_text_char(out, '/');
	rt_text_char(out, !known ? '-' : RT_BRANCH_PREDICTED(flags) ? 'P' : 'M');
	rt_text_str(out, RT_BRANCH_IN_TX(flags) ? "/X/" : "/-/");
	rt_text_char(out, RT_BRANCH_ABORT(flags) ? 'A' : '-');
	rt_text_char(out, '/');
	rt_text_u64(out, RT_BRANCH_CYCLES(flags));
	rt_text_char(out, '/');
	rt_text_str(out, rt_branch_kind(flags));
	rt_text_char(out, ' ');
}

/* A branch may lead from user to kernel, so decide by the address, not by the sample's mode. */
static void find(const struct rt_script *script, const struct rt_item *item, uint64_t addr,
		 struct rt_location *p)
{
	unsigned int mode = item->sample.cpumode;

	rt_location_object(p, script->machine.kernel, item->maps, mode, addr);
	if (!p->object && (mode == RT_MISC_KERNEL || mode == RT_MISC_USER))
		rt_location_object(p, script->machine.kernel, item->maps,
				   addr >> 63 ? RT_MISC_KERNEL : RT_MISC_USER, addr);
}

static void put_object(const struct rt_script *script, const struct rt_location *p,
		       struct rt_text *out)
{
	rt_text_char(out, '(');
	rt_text_str(out, rt_location_object_name(p, script->kernel_path));
	rt_text_char(out, ')');
}

void rt_details_branches(const struct rt_script *script, const struct rt_item *item,
			 uint64_t fields, struct rt_text *out)
{
	const struct rt_sample *s = &item->sample;
	uint64_t i, j;

	for (i = 0; i < s->branch.nr; i++) {
		const struct rt_branch_entry *e = &s->branch.entries[i];

		for (j = 0; j < 2; j++) {
			uint64_t addr = j ? e->to : e->from;
			struct rt_location p;

			memset(&p, 0, sizeof(p));
			if (!(fields & RT_COLUMN_BRSTACK) || fields & RT_COLUMN_DSO)
				find(script, item, addr, &p);
			if (j)
				rt_text_char(out, '/');
			if (fields & RT_COLUMN_BRSTACK) {
				rt_text_str(out, j ? "0x" : " 0x");
				rt_text_hex(out, addr);
			} else if (fields & RT_COLUMN_BRSTACKSYM) {
				rt_location_symbol(&p);
				rt_location_put_symbol(&p, true, out);
			} else {
				rt_text_str(out, j ? "0x" : " 0x");
				rt_text_hex(out, p.object && !p.kernel ? p.address : addr);
			}
			if (fields & RT_COLUMN_DSO)
				put_object(script, &p, out);
		}
		put_flags(e->flags, out);
	}
}

/* ---- BPF output ---------------------------------------------------------------- */

#define BPF_LINE 8

void rt_details_bpf_output(const struct rt_sample *s, struct rt_text *out)
{
	const unsigned char *data = s->raw.data;
	bool nul = false, printable = true;
	uint32_t at, i;

	rt_text_char(out, '\n');
	for (at = 0; at < s->raw.size; at += BPF_LINE) {
		rt_text_str_width(out, at ? "           " : "BPF output:", 17);
		rt_text_char(out, ' ');
		rt_text_hex_width(out, at, 4, '0');
		rt_text_char(out, ':');
		for (i = at; i < at + BPF_LINE; i++) {
			if (i < s->raw.size) {
				rt_text_char(out, ' ');
				rt_text_hex_width(out, data[i], 2, '0');
			} else {
				rt_text_lit(out, "   ");
			}
		}
		rt_text_lit(out, "  ");
		for (i = at; i < at + BPF_LINE; i++) {
			unsigned char c = i < s->raw.size ? data[i] : ' ';

			rt_text_char(out, isprint(c) ? (char)c : '.');
			if (i >= s->raw.size)
				continue;
			if (nul && c)
				printable = false;
			if (!isprint(c) && printable) {
				if (!c)
					nul = true;
				else
					printable = false;
			}
		}
		rt_text_char(out, '\n');
	}
	if (printable && nul) {
		rt_text_str_width(out, "BPF string:", 17);
		rt_text_lit(out, " \"");
		rt_text_put(out, data, strnlen((const char *)data, s->raw.size));
		rt_text_lit(out, "\"\n");
	}
}

void rt_details_page_size(uint64_t size, struct rt_text *out)
{
	static const char units[] = "BKMG";
	int unit = 0;

	if (!size) {
		rt_text_lit(out, "N/A");
		return;
	}
	for (; size / 1024 > 1 && unit < 3; unit++)
		size /= 1024;
	rt_text_u64(out, size);
	rt_text_char(out, units[unit]);
}

/* ---- data addresses and sources -------------------------------------------------- */

void rt_details_addr(const struct rt_script *script, const struct rt_item *item, uint64_t fields,
		     struct rt_text *out)
{
	const struct rt_attr *attr = &item->event->attr;
	struct rt_location p;

	rt_text_hex_width(out, item->sample.addr, 16, ' ');
	if (!(attr->type == RT_TYPE_SOFTWARE &&
	      (attr->config == SW_PAGE_FAULTS || attr->config == SW_PAGE_FAULTS_MIN ||
	       attr->config == SW_PAGE_FAULTS_MAJ)) &&
	    !rt_perf_event_is_branch(item->event))
		return;
	find(script, item, item->sample.addr, &p);
	if (fields & RT_COLUMN_SYM) {
		rt_location_symbol(&p);
		rt_text_char(out, ' ');
		rt_location_put_symbol(&p, fields & RT_COLUMN_SYMOFF, out);
	}
	if (fields & RT_COLUMN_DSO) {
		rt_text_char(out, ' ');
		put_object(script, &p, out);
	}
}

/* perf cuts this column at 99 characters. */
#define DATA_SRC_MAX 100

void rt_details_data_src(const struct rt_item *item, struct rt_text *out)
{
	char text[DATA_SRC_MAX + 32], decoded[DATA_SRC_MAX];

	rt_data_src_text(item->sample.data_src, decoded, sizeof(decoded));
	snprintf(text, sizeof(text), "%16llx %s", (unsigned long long)item->sample.data_src,
		 decoded);
	text[DATA_SRC_MAX - 1] = 0;
	rt_text_str_width(out, text, -item->data_src_width);
}

uint64_t rt_script_weight(const struct rt_script *script, const struct rt_perf_event *event,
			  const struct rt_sample *s)
{
	bool divided = rt_perf_event_has(event, RT_SAMPLE_WEIGHT_STRUCT);

#if !defined(__x86_64__)
	/* perf 6.1 splits the word only if it was built for x86 or powerpc. */
	divided = divided && !script->stack.compat;
#endif
	return divided ? s->weight1 : s->weight;
}
