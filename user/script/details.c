// SPDX-License-Identifier: GPL-2.0
#include "script/details.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "perfdata/regs.h"

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

/* A branch may lead from user to kernel: the address tells, not the sample's mode. */
static void find(const struct rt_script *script, const struct rt_item *item, uint64_t addr,
		 struct rt_place *p)
{
	unsigned int mode = item->sample.cpumode;

	rt_place_object(p, script->machine.kernel, item->maps, mode, addr);
	if (!p->object && (mode == RT_MISC_KERNEL || mode == RT_MISC_USER))
		rt_place_object(p, script->machine.kernel, item->maps,
				addr >> 63 ? RT_MISC_KERNEL : RT_MISC_USER, addr);
}

static void put_object(const struct rt_script *script, const struct rt_place *p,
		       struct rt_text *out)
{
	rt_text_char(out, '(');
	rt_text_str(out, rt_place_object_name(p, script));
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
			struct rt_place p;

			memset(&p, 0, sizeof(p));
			if (!(fields & RT_FIELD_BRSTACK) || fields & RT_FIELD_DSO)
				find(script, item, addr, &p);
			if (j)
				rt_text_char(out, '/');
			if (fields & RT_FIELD_BRSTACK) {
				rt_text_str(out, j ? "0x" : " 0x");
				rt_text_hex(out, addr);
			} else if (fields & RT_FIELD_BRSTACKSYM) {
				rt_place_symbol(&p);
				rt_place_put_symbol(&p, true, out);
			} else {
				rt_text_str(out, j ? "0x" : " 0x");
				rt_text_hex(out, p.object && !p.kernel ? p.address : addr);
			}
			if (fields & RT_FIELD_DSO)
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
	struct rt_place p;

	rt_text_hex_width(out, item->sample.addr, 16, ' ');
	if (!(attr->type == RT_TYPE_SOFTWARE &&
	      (attr->config == SW_PAGE_FAULTS || attr->config == SW_PAGE_FAULTS_MIN ||
	       attr->config == SW_PAGE_FAULTS_MAJ)) &&
	    !rt_event_is_branch(item->event))
		return;
	find(script, item, item->sample.addr, &p);
	if (fields & RT_FIELD_SYM) {
		rt_place_symbol(&p);
		rt_text_char(out, ' ');
		rt_place_put_symbol(&p, fields & RT_FIELD_SYMOFF, out);
	}
	if (fields & RT_FIELD_DSO) {
		rt_text_char(out, ' ');
		put_object(script, &p, out);
	}
}

/* Append to a bounded string; where it ends now. */
static size_t append(char *out, size_t size, size_t at, const char *text)
{
	size_t n = strlen(text);

	if (at + n >= size)
		n = size - at - 1;
	memcpy(out + at, text, n);
	out[at + n] = 0;
	return at + n;
}

/* Names of the set bits joined by " or ". */
static size_t append_bits(char *out, size_t size, size_t at, uint64_t bits,
			  const char *const *bit_names, size_t count, bool *any)
{
	size_t i;

	for (i = 0; bits && i < count; i++, bits >>= 1) {
		if (!(bits & 1))
			continue;
		if (*any)
			at = append(out, size, at, " or ");
		at = append(out, size, at, bit_names[i]);
		*any = true;
	}
	return at;
}

static size_t append_level(char *out, size_t size, size_t at, uint64_t src)
{
	static const char *const levels[] = {
		"N/A",
		"HIT",
		"MISS",
		"L1",
		"LFB/MAB",
		"L2",
		"L3",
		"Local RAM",
		"Remote RAM (1 hop)",
		"Remote RAM (2 hops)",
		"Remote Cache (1 hop)",
		"Remote Cache (2 hops)",
		"I/O",
		"Uncached",
	};
	static const char *const hops[] = { "N/A",
					    "core, same node",
					    "node, same socket",
					    "socket, same board",
					    "board",
					    "",
					    "",
					    "" };
	static const char *const numbers[16] = {
		[9] = "CXL",  [10] = "I/O",  [11] = "Any cache", [12] = "LFB/MAB",
		[13] = "RAM", [14] = "PMEM", [15] = "N/A",
	};
	uint64_t bits = src >> 5 & 0x3fff, number = src >> 33 & 15, hop = src >> 43 & 7;
	bool remote = src >> 37 & 1, any = false;
	size_t begin = at;
	char text[8];

	if (remote)
		at = append(out, size, at, "Remote ");
	if (hop) {
		at = append(out, size, at, hops[hop]);
		at = append(out, size, at, " ");
	} else {
		at = append_bits(out, size, at, bits & ~6ull, levels,
				 sizeof(levels) / sizeof(*levels), &any);
	}
	if (number) {
		if (any)
			at = append(out, size, at, " or ");
		snprintf(text, sizeof(text), "L%d", (int)number);
		at = append(out, size, at, numbers[number] ? numbers[number] : text);
	}
	if (at == begin)
		at = append(out, size, at, "N/A");
	if (bits & 2)
		at = append(out, size, at, " hit");
	if (bits & 4)
		at = append(out, size, at, " miss");
	return at;
}

int rt_data_src_text(uint64_t src, char *out, size_t size)
{
	static const char *const ops[] = { "N/A", "LOAD", "STORE", "PFETCH", "EXEC" };
	static const char *const snoops[] = { "N/A", "None", "Hit", "Miss", "HitM" };
	static const char *const snoopx[] = { "Fwd", "Peer" };
	static const char *const tlbs[] = { "N/A", "HIT", "MISS", "L1", "L2", "Walker", "Fault" };
	uint64_t op = src & 31, tlb = src >> 26 & 0x7f, lock = src >> 24 & 3, blk = src >> 40 & 7;
	bool any = false;
	size_t at, i;

	at = append(out, size, 0, "|OP ");
	for (i = 0; i < 5 && !(op >> i & 1); i++)
		;
	at = append(out, size, at, i < 5 ? ops[i] : "No");
	at = append(out, size, at, "|LVL ");
	at = append_level(out, size, at, src);
	at = append(out, size, at, "|SNP ");
	at = append_bits(out, size, at, src >> 19 & 31, snoops, 5, &any);
	at = append_bits(out, size, at, src >> 38 & 3, snoopx, 2, &any);
	if (!any)
		at = append(out, size, at, "N/A");
	at = append(out, size, at, "|TLB ");
	any = false;
	at = append_bits(out, size, at, tlb & ~6ull, tlbs, 7, &any);
	if (!any)
		at = append(out, size, at, "N/A");
	if (tlb & 2)
		at = append(out, size, at, " hit");
	if (tlb & 4)
		at = append(out, size, at, " miss");
	at = append(out, size, at, "|LCK ");
	at = append(out, size, at, lock & 1 ? "N/A" : lock & 2 ? "Yes" : "No");
	at = append(out, size, at, "|BLK ");
	if (blk & 1 || !blk)
		return (int)append(out, size, at, " N/A");
	if (blk & 2)
		at = append(out, size, at, " Data");
	if (blk & 4)
		at = append(out, size, at, " Addr");
	return (int)at;
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
