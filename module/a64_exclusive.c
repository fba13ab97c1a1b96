// SPDX-License-Identifier: GPL-2.0
#include "a64_exclusive.h"

#define BITS(insn, high, low) (((insn) >> (low)) & ((1U << ((high) - (low) + 1)) - 1))
#define BIT_AT(insn, n)	      BITS(insn, n, n)

#define SP     31
#define FLAG_N (1U << 31)
#define FLAG_Z (1U << 30)
#define FLAG_C (1U << 29)
#define FLAG_V (1U << 28)

/* Tries when other CPUs keep changing the word; a program would go on as well. */
#define TRIES 1000

/* What an instruction did: go on behind it, it branched, or it is not understood. */
enum step { NEXT, BRANCHED, UNKNOWN };

static bool is_load(u32 insn)
{
	return (insn & 0x3fe00000) == 0x08400000;
}
RT_PORT_NOPROBE(is_load);

static bool is_store(u32 insn)
{
	return (insn & 0x3fe00000) == 0x08000000;
}
RT_PORT_NOPROBE(is_store);

bool rt_a64_is_exclusive(u32 insn)
{
	return is_load(insn) || is_store(insn);
}
RT_PORT_NOPROBE(rt_a64_is_exclusive);

static u64 get(const u64 *regs, u32 r)
{
	return r == SP ? 0 : regs[r];
}
RT_PORT_NOPROBE(get);

static void put(u64 *regs, u32 r, u64 value, bool wide)
{
	if (r != SP)
		regs[r] = wide ? value : (u32)value;
}
RT_PORT_NOPROBE(put);

static u64 shifted(u64 value, u32 how, u32 by, bool wide)
{
	u32 bits = wide ? 64 : 32;

	if (!wide)
		value = (u32)value;
	if (!by)
		return value;
	switch (how) {
	case 0:
		return value << by;
	case 1:
		return value >> by;
	case 2:
		return wide ? (u64)((s64)value >> by) : (u64)(u32)((s32)value >> by);
	default:
		return value >> by | value << (bits - by);
	}
}
RT_PORT_NOPROBE(shifted);

static u64 extended(u64 value, u32 how, u32 by)
{
	switch (how) {
	case 0:
		value = (u8)value;
		break;
	case 1:
		value = (u16)value;
		break;
	case 2:
		value = (u32)value;
		break;
	case 4:
		value = (s8)value;
		break;
	case 5:
		value = (s16)value;
		break;
	case 6:
		value = (s32)value;
		break;
	}
	return value << by;
}
RT_PORT_NOPROBE(extended);

static u32 flags_of(u64 value, bool wide)
{
	u64 v = wide ? value : (u32)value;

	return (v >> (wide ? 63 : 31) ? FLAG_N : 0) | (v ? 0 : FLAG_Z);
}
RT_PORT_NOPROBE(flags_of);

/* ADD, SUB and their forms that set the flags, with the second operand worked out. */
static void add(u64 *regs, u32 *nzcv, u32 insn, u64 a, u64 b)
{
	bool wide = BIT_AT(insn, 31), subtract = BIT_AT(insn, 30);
	u64 mask = wide ? ~0ULL : 0xffffffffULL, sum;
	u32 top = wide ? 63 : 31;

	a &= mask;
	b = (subtract ? ~b : b) & mask;
	sum = (a + b + subtract) & mask;
	put(regs, BITS(insn, 4, 0), sum, wide);
	if (!BIT_AT(insn, 29))
		return;
	*nzcv = flags_of(sum, wide);
	if (sum < a || (subtract && sum == a))
		*nzcv |= FLAG_C;
	if (~(a ^ b) & (a ^ sum) & (1ULL << top))
		*nzcv |= FLAG_V;
}
RT_PORT_NOPROBE(add);

static void logical(u64 *regs, u32 *nzcv, u32 insn, u64 a, u64 b)
{
	bool wide = BIT_AT(insn, 31);
	u64 v;

	switch (BITS(insn, 30, 29)) {
	case 1:
		v = a | b;
		break;
	case 2:
		v = a ^ b;
		break;
	default:
		v = a & b;
	}
	put(regs, BITS(insn, 4, 0), v, wide);
	if (BITS(insn, 30, 29) == 3)
		*nzcv = flags_of(v, wide);
}
RT_PORT_NOPROBE(logical);

/* The repeated pattern of a logical immediate; false if it is none. */
static bool pattern(u32 insn, u64 *out)
{
	u32 n = BIT_AT(insn, 22), r = BITS(insn, 21, 16), s = BITS(insn, 15, 10), size = 64, i;
	u64 v;

	if (!n) {
		for (size = 32; size > 1 && !(~s & size & 0x3f); size /= 2)
			;
		if (size < 2)
			return false;
	} else if (!BIT_AT(insn, 31)) {
		return false;
	}
	s &= size - 1;
	r &= size - 1;
	if (s == size - 1)
		return false;
	v = (1ULL << (s + 1)) - 1;
	if (r)
		v = (v >> r | v << (size - r)) & (size == 64 ? ~0ULL : (1ULL << size) - 1);
	for (i = size; i < 64; i *= 2)
		v |= v << i;
	*out = v;
	return true;
}
RT_PORT_NOPROBE(pattern);

static bool holds(u32 condition, u32 nzcv)
{
	bool n = nzcv & FLAG_N, z = nzcv & FLAG_Z, c = nzcv & FLAG_C, v = nzcv & FLAG_V, yes;

	switch (condition >> 1) {
	case 0:
		yes = z;
		break;
	case 1:
		yes = c;
		break;
	case 2:
		yes = n;
		break;
	case 3:
		yes = v;
		break;
	case 4:
		yes = c && !z;
		break;
	case 5:
		yes = n == v;
		break;
	case 6:
		yes = n == v && !z;
		break;
	default:
		return true;
	}
	return yes != (condition & 1);
}
RT_PORT_NOPROBE(holds);

static s64 distance(u32 field, u32 bits)
{
	return (s64)((u64)field << (64 - bits)) >> (62 - bits);
}
RT_PORT_NOPROBE(distance);

static enum step branch(u64 *pc, bool taken, s64 by)
{
	if (!taken)
		return NEXT;
	*pc += by;
	return BRANCHED;
}
RT_PORT_NOPROBE(branch);

/* Anything that may stand between the two but is no memory access. */
static enum step execute(u64 *regs, u32 *nzcv, u64 *pc, u32 insn)
{
	u32 rn = BITS(insn, 9, 5), rm = BITS(insn, 20, 16), rd = BITS(insn, 4, 0);
	bool wide = BIT_AT(insn, 31), sets = BIT_AT(insn, 29);
	u64 b;

	if ((insn & 0x1f800000) == 0x11000000) { /* ADD, SUB, immediate */
		if (rn == SP || (rd == SP && !sets))
			return UNKNOWN;
		add(regs, nzcv, insn, regs[rn],
		    (u64)BITS(insn, 21, 10) << (BIT_AT(insn, 22) ? 12 : 0));
		return NEXT;
	}
	if ((insn & 0x1f200000) == 0x0b000000) { /* shifted register */
		add(regs, nzcv, insn, get(regs, rn),
		    shifted(get(regs, rm), BITS(insn, 23, 22), BITS(insn, 15, 10), wide));
		return NEXT;
	}
	if ((insn & 0x1fe00000) == 0x0b200000) { /* extended register */
		if (rn == SP || (rd == SP && !sets))
			return UNKNOWN;
		add(regs, nzcv, insn, regs[rn],
		    extended(get(regs, rm), BITS(insn, 15, 13), BITS(insn, 12, 10)));
		return NEXT;
	}
	if ((insn & 0x1f000000) == 0x0a000000) { /* AND ORR EOR BIC ORN EON, MOV, MVN */
		b = shifted(get(regs, rm), BITS(insn, 23, 22), BITS(insn, 15, 10), wide);
		logical(regs, nzcv, insn, get(regs, rn), BIT_AT(insn, 21) ? ~b : b);
		return NEXT;
	}
	if ((insn & 0x1f800000) == 0x12000000) { /* the same, immediate */
		if (!pattern(insn, &b) || (rd == SP && BITS(insn, 30, 29) != 3))
			return UNKNOWN;
		logical(regs, nzcv, insn, get(regs, rn), b);
		return NEXT;
	}
	if ((insn & 0x5f800000) == 0x52800000) { /* MOVZ */
		put(regs, rd, (u64)BITS(insn, 20, 5) << 16 * BITS(insn, 22, 21), wide);
		return NEXT;
	}
	if ((insn & 0x7e000000) == 0x34000000) { /* CBZ, CBNZ */
		b = wide ? get(regs, rd) : (u32)get(regs, rd);
		return branch(pc, BIT_AT(insn, 24) ? b != 0 : b == 0,
			      distance(BITS(insn, 23, 5), 19));
	}
	if ((insn & 0x7e000000) == 0x36000000) { /* TBZ, TBNZ */
		b = get(regs, rd) >> (wide << 5 | BITS(insn, 23, 19)) & 1;
		return branch(pc, b == BIT_AT(insn, 24), distance(BITS(insn, 18, 5), 14));
	}
	if ((insn & 0xff000010) == 0x54000000) /* B.cond */
		return branch(pc, holds(BITS(insn, 3, 0), *nzcv), distance(BITS(insn, 23, 5), 19));
	if ((insn & 0xfffff01f) == 0xd503201f) /* NOP and other hints */
		return NEXT;
	return UNKNOWN;
}
RT_PORT_NOPROBE(execute);

/* From the store back to its load: same base, same width. */
static bool find_load(struct rt_a64_machine *m, u64 *pc, u32 *first)
{
	u32 insn, store, i;

	if (m->fetch(m->pc, &store))
		return false;
	*pc = m->pc;
	*first = store;
	if (is_load(store))
		return true;
	for (i = 1; i < RT_A64_EXCLUSIVE_MAX; i++) {
		if (m->fetch(m->pc - 4 * i, &insn) || is_store(insn))
			return false;
		if (!is_load(insn))
			continue;
		*pc = m->pc - 4 * i;
		*first = insn;
		return BITS(insn, 31, 30) == BITS(store, 31, 30) &&
		       BITS(insn, 9, 5) == BITS(store, 9, 5);
	}
	return false;
}
RT_PORT_NOPROBE(find_load);

/* One way through, on a copy of the registers.  What became of it in *DONE. */
static bool try_once(struct rt_a64_machine *m, u64 from, u32 load, u64 *regs, u32 *nzcv, bool *done)
{
	u64 pc = from + 4, was;
	u32 insn, i;

	m->address = regs[BITS(load, 9, 5)];
	m->size = 1U << BITS(load, 31, 30);
	m->stored = false;
	if (m->load(m->address, m->size, &m->old))
		return false;
	put(regs, BITS(load, 4, 0), m->old, true);
	for (i = 1; i < RT_A64_EXCLUSIVE_MAX; i++, pc += 4) {
		if (m->fetch(pc, &insn) || is_load(insn))
			return false;
		if (is_store(insn))
			break;
		switch (execute(regs, nzcv, &pc, insn)) {
		case UNKNOWN:
			return false;
		case BRANCHED:
			/* Forward, out of the sequence; a way back would be another one. */
			m->pc = pc;
			*done = true;
			return pc > from;
		case NEXT:
			break;
		}
	}
	if (i == RT_A64_EXCLUSIVE_MAX || regs[BITS(insn, 9, 5)] != m->address ||
	    1U << BITS(insn, 31, 30) != m->size)
		return false;
	m->new = get(regs, BITS(insn, 4, 0)) & (m->size == 8 ? ~0ULL : (1ULL << 8 * m->size) - 1);
	if (m->exchange(m->address, m->size, m->old, m->new, &was))
		return false;
	*done = m->stored = was == m->old;
	put(regs, BITS(insn, 20, 16), 0, true);
	m->pc = pc + 4;
	return true;
}
RT_PORT_NOPROBE(try_once);

bool rt_a64_exclusive_run(struct rt_a64_machine *m)
{
	u64 from, pc = m->pc, regs[32];
	bool done = false;
	u32 load, tries, nzcv;

	if (!find_load(m, &from, &load))
		return false;
	for (tries = 0; !done; tries++) {
		memcpy(regs, m->regs, sizeof(regs));
		nzcv = m->nzcv;
		if (tries == TRIES || !try_once(m, from, load, regs, &nzcv, &done)) {
			m->pc = pc;
			return false;
		}
	}
	memcpy(m->regs, regs, sizeof(regs));
	m->nzcv = nzcv;
	return true;
}
RT_PORT_NOPROBE(rt_a64_exclusive_run);
