// SPDX-License-Identifier: GPL-2.0
#include "a64_flow.h"
#include "a64_bits.h"

#include "a64_machine.h"

/* A pair has bit 31 set; without it the instruction is a CASP. */
bool rt_a64_is_load_exclusive(u32 insn)
{
	return (insn & 0x3fe00000) == 0x08400000 || (insn & 0xbfe00000) == 0x88600000;
}
RT_PORT_NOPROBE(rt_a64_is_load_exclusive);

bool rt_a64_is_store_exclusive(u32 insn)
{
	return (insn & 0x3fe00000) == 0x08000000 || (insn & 0xbfe00000) == 0x88200000;
}
RT_PORT_NOPROBE(rt_a64_is_store_exclusive);

/* WFE, WFI, WFET, WFIT, CLREX. */
bool rt_a64_ends_exclusive(u32 insn)
{
	return (insn & 0xffffffdf) == 0xd503205f || (insn & 0xffffffc0) == 0xd5031000 ||
	       (insn & 0xfffff0ff) == 0xd503305f;
}
RT_PORT_NOPROBE(rt_a64_ends_exclusive);

/* Where the code goes after one instruction. */
struct flow_step {
	bool falls; /* to the next instruction, also when a call returns */
	s64 by;	    /* or from its own address this far; 0: it does not branch */
};

static struct flow_step flow_step(u32 insn)
{
	struct flow_step step = { .falls = true };

	if ((insn & 0x7e000000) == 0x34000000) { /* CBZ, CBNZ */
		step.by = rt_a64_sign_extend(BITS(insn, 23, 5), 19) * 4;
	} else if ((insn & 0x7e000000) == 0x36000000) { /* TBZ, TBNZ */
		step.by = rt_a64_sign_extend(BITS(insn, 18, 5), 14) * 4;
	} else if ((insn & 0xff000000) == 0x54000000) { /* B.cond, BC.cond */
		step.by = rt_a64_sign_extend(BITS(insn, 23, 5), 19) * 4;
	} else if ((insn & 0xfc000000) == 0x14000000) { /* B */
		step.by = rt_a64_sign_extend(BITS(insn, 25, 0), 26) * 4;
		step.falls = false;
	} else if ((insn & 0xfe000000) == 0xd6000000) { /* BR, BLR, RET, ERET */
		step.falls = BITS(insn, 23, 21) == 1;
	} else if ((insn & 0xfffff0ff) == 0xd503305f) { /* CLREX */
		step.falls = false;
	}
	return step;
}
RT_PORT_NOPROBE(flow_step);

bool rt_a64_flow_ways(const struct rt_a64_machine *m, u64 from, u64 to, u64 *ways)
{
	u32 count = (to - from) / 4, insn, i;
	u64 falls = 0, there = 2, back = 1ULL << count, before;
	s8 target[64];

	for (i = 1; i < count; i++) {
		struct flow_step step;
		s64 at;

		if (m->fetch(m, from + 4 * i, &insn))
			return false;
		step = flow_step(insn);
		at = i + step.by / 4;
		target[i] = step.by && at > 0 && at <= count ? at : 0;
		falls |= (u64)step.falls << i;
	}
	/* Each round adds at least one instruction. */
	do {
		before = there;
		for (i = 1; i < count; i++) {
			if (!(there >> i & 1))
				continue;
			there |= (falls >> i & 1) << (i + 1);
			if (target[i])
				there |= 1ULL << target[i];
		}
	} while (there != before);
	do {
		before = back;
		for (i = count - 1; i; i--)
			if (((falls >> i & 1) && (back >> (i + 1) & 1)) ||
			    (target[i] && (back >> target[i] & 1)))
				back |= 1ULL << i;
	} while (back != before);
	*ways = there & back;
	return true;
}
RT_PORT_NOPROBE(rt_a64_flow_ways);

/* Instructions before and behind the first one that a search looks at. */
#define FLOW_REACH 64

struct flow_search {
	u64 base;
	u64 seen[2 * FLOW_REACH / 64];
	u8 pending[2 * FLOW_REACH];
	u32 count;
};

/* Look at the instruction at PC later; false if it is too far away. */
static bool flow_later(struct flow_search *s, u64 pc)
{
	u64 at = (pc - s->base) / 4;

	if (at >= 2 * FLOW_REACH)
		return false;
	if (!(s->seen[at / 64] >> at % 64 & 1))
		s->pending[s->count++] = at;
	s->seen[at / 64] |= 1ULL << at % 64;
	return true;
}
RT_PORT_NOPROBE(flow_later);

enum rt_a64_flow rt_a64_flow_find(const struct rt_a64_machine *m, u64 pc)
{
	struct flow_search s = { .base = pc - 4 * FLOW_REACH };
	enum rt_a64_flow found = RT_A64_FLOW_NONE;
	u32 insn;

	flow_later(&s, pc);
	while (s.count) {
		struct flow_step step;
		u64 at = s.base + 4ULL * s.pending[--s.count];

		if (m->fetch(m, at, &insn)) {
			found = RT_A64_FLOW_UNKNOWN;
			continue;
		}
		if (rt_a64_is_store_exclusive(insn))
			return RT_A64_FLOW_STORE;
		if (rt_a64_is_load_exclusive(insn) || rt_a64_ends_exclusive(insn))
			continue;
		step = flow_step(insn);
		if (!step.falls && !step.by)
			found = RT_A64_FLOW_UNKNOWN;
		if ((step.falls && !flow_later(&s, at + 4)) ||
		    (step.by && !flow_later(&s, at + step.by)))
			found = RT_A64_FLOW_UNKNOWN;
	}
	return found;
}
RT_PORT_NOPROBE(rt_a64_flow_find);
