// SPDX-License-Identifier: GPL-2.0
/* key_access.c - sort keys of accesses to data and of branches: how they went. */
#include <stdio.h>

#include "perfdata/text/data_src.h"
#include "report/key_list.h"
#include "report/key_text.h"

/* ---- where data was found ------------------------------------------------------------------ */

static uint64_t source_take(struct rt_report *r, const struct rt_key *key,
			    const struct rt_profile_sample *s)
{
	return s->raw->data_src;
}

static uint64_t source_id(struct rt_report *r, const struct rt_key *key, const struct rt_where *w)
{
	return rt_data_src_bits((enum rt_data_src_part)key->type->which,
				rt_key_extra_id(r, key, w));
}

static int source_order(struct rt_report *r, const struct rt_key *key, const struct rt_where *a,
			const struct rt_where *b)
{
	uint64_t in_a = source_id(r, key, a), in_b = source_id(r, key, b);

	return (in_a > in_b) - (in_a < in_b);
}

static void source_text(struct rt_report *r, const struct rt_key *key, const struct rt_where *w,
			unsigned int width, struct rt_text *out)
{
	char text[RT_DATA_SRC_MAX];

	rt_data_src_part((enum rt_data_src_part)key->type->which, rt_key_extra_id(r, key, w), text,
			 sizeof(text));
	rt_text_str_width(out, text, -(int)width);
}

#define SOURCE(part, key, title, cells)                                                           \
	{                                                                                         \
		.name = key, .header = title, .min_width = cells, .which = part,                  \
		.take = source_take, .id = source_id, .order = source_order, .text = source_text, \
	}

const struct rt_key_type rt_key_memory = SOURCE(RT_DATA_SRC_LEVEL, "mem", "Memory access", 24);
const struct rt_key_type rt_key_snoop = SOURCE(RT_DATA_SRC_SNOOP, "snoop", "Snoop", 12);
const struct rt_key_type rt_key_tlb = SOURCE(RT_DATA_SRC_TLB, "tlb", "TLB access", 22);
const struct rt_key_type rt_key_locked = SOURCE(RT_DATA_SRC_LOCK, "locked", "Locked", 6);
const struct rt_key_type rt_key_blocked = SOURCE(RT_DATA_SRC_BLOCK, "blocked", "Blocked", 10);

static uint64_t physical_take(struct rt_report *r, const struct rt_key *key,
			      const struct rt_profile_sample *s)
{
	return s->raw->phys_addr;
}

static void physical_text(struct rt_report *r, const struct rt_key *key, const struct rt_where *w,
			  unsigned int width, struct rt_text *out)
{
	uint64_t address = rt_key_extra_id(r, key, w);
	char text[40];

	snprintf(text, sizeof(text), "[%c] %s%016llx", w->level,
		 address || !r->opt->compat ? "0x" : "", (unsigned long long)address);
	rt_text_str_width(out, text, -(int)width);
}

const struct rt_key_type rt_key_physical = {
	.name = "phys_daddr",
	.header = "Data Physical Address",
	.min_width = 22,
	.take = physical_take,
	.id = rt_key_extra_id,
	.order = rt_key_extra_order,
	.text = physical_text,
};

/* ---- branches -------------------------------------------------------------------------------- */

static uint64_t flags_take(struct rt_report *r, const struct rt_key *key,
			   const struct rt_profile_sample *s)
{
	uint64_t bits = r->branch ? r->branch->flags >> key->type->which & key->type->mask : 0;

	/* Like perf, take a branch that was predicted and mispredicted as predicted. */
	return key->type == &rt_key_mispredict && bits == 3 ? 2 : bits;
}

static void cycles_text(struct rt_report *r, const struct rt_key *key, const struct rt_where *w,
			unsigned int width, struct rt_text *out)
{
	uint64_t cycles = rt_key_extra_id(r, key, w);

	if (cycles)
		rt_text_u64_width(out, cycles, -(int)width, ' ');
	else
		rt_text_str_width(out, "-", -(int)width);
}

static void letter_text(struct rt_report *r, const struct rt_key *key, const struct rt_where *w,
			unsigned int width, struct rt_text *out)
{
	uint64_t bits = rt_key_extra_id(r, key, w);
	const char *text;

	if (key->type == &rt_key_mispredict)
		text = bits & 2 ? "N" : bits & 1 ? "Y" : "N/A";
	else
		text = !bits ? "." : key->type == &rt_key_abort ? "A" : "T";
	rt_text_str_width(out, text, -(int)width);
}

#define FLAGS(key, title, at, bits, put)                                                     \
	{                                                                                    \
		.name = key, .header = title, .which = at, .mask = bits, .take = flags_take, \
		.id = rt_key_extra_id, .order = rt_key_extra_order_down, .text = put,        \
	}

const struct rt_key_type rt_key_mispredict =
	FLAGS("mispredict", "Branch Mispredicted", 0, 3, letter_text);
const struct rt_key_type rt_key_in_tx = FLAGS("in_tx", "Branch in transaction", 2, 1, letter_text);
const struct rt_key_type rt_key_abort = FLAGS("abort", "Transaction abort", 3, 1, letter_text);
const struct rt_key_type rt_key_branch_cycles =
	FLAGS("cycles", "Basic Block Cycles", 4, 0xffff, cycles_text);
