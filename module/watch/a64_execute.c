// SPDX-License-Identifier: GPL-2.0
#include "a64_execute.h"
#include "a64_arithmetic.h"
#include "a64_bits.h"
#include "a64_compute.h"

#define SP 31

/* ADD, SUB and their forms that set the flags; B is the computed second operand. */
static void execute_add(struct rt_a64_state *s, u32 insn, u64 a, u64 b)
{
	bool wide = BIT_AT(insn, 31), subtract = BIT_AT(insn, 30);
	u32 nzcv;
	u64 sum = rt_a64_sum_of(a, subtract ? ~b : b, subtract, wide, &nzcv);

	rt_a64_put(s, BITS(insn, 4, 0), sum, wide);
	if (BIT_AT(insn, 29))
		rt_a64_put_flags(s, nzcv);
}
RT_PORT_NOPROBE(execute_add);

static void logical(struct rt_a64_state *s, u32 insn, u64 a, u64 b)
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
	rt_a64_put(s, BITS(insn, 4, 0), v, wide);
	if (BITS(insn, 30, 29) == 3)
		rt_a64_put_flags(s, rt_a64_flags_of(v, wide));
}
RT_PORT_NOPROBE(logical);

static s64 distance(u32 field, u32 bits)
{
	return (s64)((u64)field << (64 - bits)) >> (62 - bits);
}
RT_PORT_NOPROBE(distance);

static enum rt_a64_step execute_branch(struct rt_a64_state *s, bool taken, s64 by)
{
	if (!s->clean || !taken) {
		s->pc += 4;
		return s->clean ? RT_A64_NEXT : RT_A64_UNDECIDED;
	}
	s->pc += by;
	return RT_A64_BRANCHED;
}
RT_PORT_NOPROBE(execute_branch);

/* SBFM, BFM, UBFM: shifts by a constant, extensions, and bit-field moves. */
static bool bit_field(struct rt_a64_state *s, u32 insn)
{
	bool wide = BIT_AT(insn, 31);
	u32 bits = wide ? 64 : 32, r = BITS(insn, 21, 16), end = BITS(insn, 15, 10);
	u32 opc = BITS(insn, 30, 29), width, to;
	u64 from = rt_a64_get(s, BITS(insn, 9, 5)), field, old = 0;

	if (opc == 3 || BIT_AT(insn, 22) != wide || r >= bits || end >= bits)
		return false;
	if (opc == 1)
		old = rt_a64_get(s, BITS(insn, 4, 0));
	/* END >= R: bits END … R go to the bottom; else bits END … 0 go up by BITS - R. */
	width = end >= r ? end - r + 1 : end + 1;
	to = end >= r ? 0 : bits - r;
	field = (end >= r ? from >> r : from) & (width == 64 ? ~0ULL : (1ULL << width) - 1);
	if (opc == 0)
		field = (u64)((s64)(field << (64 - width)) >> (64 - width));
	if (opc == 1)
		field = (old & ~((width == 64 ? ~0ULL : (1ULL << width) - 1) << to)) | field << to;
	else
		field <<= to;
	rt_a64_put(s, BITS(insn, 4, 0), field, wide);
	return true;
}
RT_PORT_NOPROBE(bit_field);

/* MOVN, MOVZ, MOVK. */
static bool move_wide(struct rt_a64_state *s, u32 insn)
{
	bool wide = BIT_AT(insn, 31);
	u32 by = 16 * BITS(insn, 22, 21), opc = BITS(insn, 30, 29);
	u64 v = (u64)BITS(insn, 20, 5) << by;

	if (opc == 1 || (!wide && by > 16))
		return false;
	if (opc == 0)
		v = ~v;
	if (opc == 3)
		v |= rt_a64_get(s, BITS(insn, 4, 0)) & ~(0xffffULL << by);
	rt_a64_put(s, BITS(insn, 4, 0), v, wide);
	return true;
}
RT_PORT_NOPROBE(move_wide);

/* CSEL, CSINC, CSINV, CSNEG. */
static void select(struct rt_a64_state *s, u32 insn)
{
	bool wide = BIT_AT(insn, 31), first;
	u64 a = rt_a64_get(s, BITS(insn, 9, 5)), b = rt_a64_get(s, BITS(insn, 20, 16));

	first = rt_a64_holds(BITS(insn, 15, 12), rt_a64_get_flags(s));
	if (BIT_AT(insn, 30))
		b = ~b;
	b += BIT_AT(insn, 10);
	rt_a64_put(s, BITS(insn, 4, 0), first ? a : b, wide);
}
RT_PORT_NOPROBE(select);

/* CCMP, CCMN. */
static void compare_if(struct rt_a64_state *s, u32 insn)
{
	bool wide = BIT_AT(insn, 31), subtract = BIT_AT(insn, 30);
	u64 a = rt_a64_get(s, BITS(insn, 9, 5));
	u64 b = BIT_AT(insn, 11) ? BITS(insn, 20, 16) : rt_a64_get(s, BITS(insn, 20, 16));
	u32 nzcv;

	rt_a64_sum_of(a, subtract ? ~b : b, subtract, wide, &nzcv);
	if (!rt_a64_holds(BITS(insn, 15, 12), rt_a64_get_flags(s)))
		nzcv = BITS(insn, 3, 0) << 28;
	rt_a64_put_flags(s, nzcv);
}
RT_PORT_NOPROBE(compare_if);

/* LSLV, LSRV, ASRV, RORV. */
static bool shift_by_register(struct rt_a64_state *s, u32 insn)
{
	bool wide = BIT_AT(insn, 31);
	u32 by = rt_a64_get(s, BITS(insn, 20, 16)) & (wide ? 63 : 31);

	if (BITS(insn, 15, 12) != 2)
		return false;
	rt_a64_put(s, BITS(insn, 4, 0),
		   rt_a64_shifted(rt_a64_get(s, BITS(insn, 9, 5)), BITS(insn, 11, 10), by, wide),
		   wide);
	return true;
}
RT_PORT_NOPROBE(shift_by_register);

/* MADD, MSUB with operands and result of one width. */
static void multiply(struct rt_a64_state *s, u32 insn)
{
	u64 product = rt_a64_get(s, BITS(insn, 9, 5)) * rt_a64_get(s, BITS(insn, 20, 16));
	u64 a = rt_a64_get(s, BITS(insn, 14, 10));

	rt_a64_put(s, BITS(insn, 4, 0), BIT_AT(insn, 15) ? a - product : a + product,
		   BIT_AT(insn, 31));
}
RT_PORT_NOPROBE(multiply);

static enum rt_a64_step branches(struct rt_a64_state *s, u32 insn)
{
	u32 rt = BITS(insn, 4, 0);
	u64 b;

	if ((insn & 0x7e000000) == 0x34000000) { /* CBZ, CBNZ */
		b = rt_a64_get(s, rt);
		b = BIT_AT(insn, 31) ? b : (u32)b;
		return execute_branch(s, BIT_AT(insn, 24) ? b != 0 : b == 0,
				      distance(BITS(insn, 23, 5), 19));
	}
	if ((insn & 0x7e000000) == 0x36000000) { /* TBZ, TBNZ */
		b = rt_a64_get(s, rt) >> (BIT_AT(insn, 31) << 5 | BITS(insn, 23, 19)) & 1;
		return execute_branch(s, b == BIT_AT(insn, 24), distance(BITS(insn, 18, 5), 14));
	}
	if ((insn & 0xff000010) == 0x54000000) /* B.cond */
		return execute_branch(s, rt_a64_holds(BITS(insn, 3, 0), rt_a64_get_flags(s)),
				      distance(BITS(insn, 23, 5), 19));
	if ((insn & 0xfc000000) == 0x14000000) /* B */
		return execute_branch(s, true, distance(BITS(insn, 25, 0), 26));
	if ((insn & 0xfc000000) == 0x94000000 || (insn & 0xfe000000) == 0xd6000000)
		return RT_A64_LEAVES;
	return RT_A64_STRANGE;
}
RT_PORT_NOPROBE(branches);

/* Data processing with an immediate. */
static bool immediates(struct rt_a64_state *s, u32 insn)
{
	u32 rn = BITS(insn, 9, 5), rd = BITS(insn, 4, 0);
	u64 b;

	if ((insn & 0x1f800000) == 0x11000000) { /* ADD, SUB */
		if (rn == SP || (rd == SP && !BIT_AT(insn, 29)))
			return false;
		execute_add(s, insn, rt_a64_get(s, rn),
			    (u64)BITS(insn, 21, 10) << (BIT_AT(insn, 22) ? 12 : 0));
		return true;
	}
	if ((insn & 0x1f800000) == 0x12000000) { /* AND, ORR, EOR */
		if (!rt_a64_pattern(insn, &b) || (rd == SP && BITS(insn, 30, 29) != 3))
			return false;
		logical(s, insn, rt_a64_get(s, rn), b);
		return true;
	}
	if ((insn & 0x1f800000) == 0x12800000)
		return move_wide(s, insn);
	if ((insn & 0x1f800000) == 0x13000000)
		return bit_field(s, insn);
	return false;
}
RT_PORT_NOPROBE(immediates);

/* A shift of an operand that no instruction has: the processor takes it for undefined. */
static bool is_reserved_shift(u32 insn)
{
	return !BIT_AT(insn, 31) && BIT_AT(insn, 15);
}
RT_PORT_NOPROBE(is_reserved_shift);

/* Data processing with registers alone. */
static bool registers(struct rt_a64_state *s, u32 insn)
{
	u32 rn = BITS(insn, 9, 5), rm = BITS(insn, 20, 16), rd = BITS(insn, 4, 0), nzcv;
	bool wide = BIT_AT(insn, 31), sets = BIT_AT(insn, 29);
	u64 a, b;

	if ((insn & 0x1f200000) == 0x0b000000) { /* ADD, SUB, shifted register */
		if (is_reserved_shift(insn) || BITS(insn, 23, 22) == 3)
			return false;
		a = rt_a64_get(s, rn);
		execute_add(s, insn, a,
			    rt_a64_shifted(rt_a64_get(s, rm), BITS(insn, 23, 22),
					   BITS(insn, 15, 10), wide));
		return true;
	}
	if ((insn & 0x1fe00000) == 0x0b200000) { /* extended register */
		if (rn == SP || (rd == SP && !sets) || BITS(insn, 12, 10) > 4)
			return false;
		a = rt_a64_get(s, rn);
		execute_add(s, insn, a,
			    rt_a64_extended(rt_a64_get(s, rm), BITS(insn, 15, 13),
					    BITS(insn, 12, 10)));
		return true;
	}
	if ((insn & 0x1f000000) == 0x0a000000) { /* AND ORR EOR BIC ORN EON, MOV, MVN */
		if (is_reserved_shift(insn))
			return false;
		a = rt_a64_get(s, rn);
		b = rt_a64_shifted(rt_a64_get(s, rm), BITS(insn, 23, 22), BITS(insn, 15, 10), wide);
		logical(s, insn, a, BIT_AT(insn, 21) ? ~b : b);
		return true;
	}
	if ((insn & 0x1fe0fc00) == 0x1a000000) { /* ADC, SBC */
		a = rt_a64_get(s, rn);
		b = rt_a64_get(s, rm);
		a = rt_a64_sum_of(a, BIT_AT(insn, 30) ? ~b : b, rt_a64_get_flags(s) & RT_A64_C,
				  wide, &nzcv);
		rt_a64_put(s, rd, a, wide);
		if (sets)
			rt_a64_put_flags(s, nzcv);
		return true;
	}
	if ((insn & 0x3fe00800) == 0x1a800000) {
		select(s, insn);
		return true;
	}
	if ((insn & 0x3fe00410) == 0x3a400000) {
		compare_if(s, insn);
		return true;
	}
	if ((insn & 0x7fe00000) == 0x1ac00000)
		return shift_by_register(s, insn);
	if ((insn & 0x7fe00000) == 0x1b000000) {
		multiply(s, insn);
		return true;
	}
	return false;
}
RT_PORT_NOPROBE(registers);

/* NOP and hints that change no register; barriers, because the final exchange is a full barrier. */
static bool does_nothing(u32 insn)
{
	return ((insn & 0xffffff1f) == 0xd503201f && BITS(insn, 7, 5) != 7) ||
	       (insn & 0xffffff3f) == 0xd503241f || (insn & 0xfffff09f) == 0xd503309f;
}
RT_PORT_NOPROBE(does_nothing);

enum rt_a64_step rt_a64_execute(struct rt_a64_state *s, u32 insn)
{
	enum rt_a64_step step;

	s->clean = true;
	step = branches(s, insn);
	if (step != RT_A64_STRANGE)
		return step;
	if (!immediates(s, insn) && !registers(s, insn) && !rt_a64_compute(s, insn) &&
	    !does_nothing(insn))
		return RT_A64_STRANGE;
	s->pc += 4;
	return RT_A64_NEXT;
}
RT_PORT_NOPROBE(rt_a64_execute);
