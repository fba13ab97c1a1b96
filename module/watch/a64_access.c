// SPDX-License-Identifier: GPL-2.0
/*
 * The numbers are those of the encoding tables "Loads and Stores" of the Arm architecture reference
 * manual.
 */
#include "a64_access.h"
#include "a64_bits.h"

/* Register 31 is zero as data, and the stack pointer as a base. */
static u64 data_of(const u64 *regs, u32 r)
{
	return r == RT_A64_SP ? 0 : regs[r];
}
RT_PORT_NOPROBE(data_of);

static void set_plain(struct rt_a64_access *a, const u64 *regs, u32 size, u32 rt)
{
	a->store = RT_A64_PLAIN;
	a->size = size;
	a->count = 1;
	a->data[0] = data_of(regs, rt);
}
RT_PORT_NOPROBE(set_plain);

static void set_load(struct rt_a64_access *a, u32 size, u32 rt)
{
	a->store = RT_A64_NONE;
	a->loads = true;
	a->size = size;
	a->count = 1;
	a->target[0] = rt;
}
RT_PORT_NOPROBE(set_load);

/* OPC of a load: 1 extends with zeros, 2 extends the sign to 64 bits, 3 extends it to 32 bits. */
static void set_sign(struct rt_a64_access *a, u32 opc)
{
	a->sign = opc > 1;
	a->wide = opc == 2;
}
RT_PORT_NOPROBE(set_sign);

static void set_base(struct rt_a64_access *a, u32 insn, u64 after)
{
	a->writes_back = true;
	a->base = BITS(insn, 9, 5);
	a->base_after = after;
}
RT_PORT_NOPROBE(set_base);

static void set_vector(struct rt_a64_access *a, u32 size, u32 rt)
{
	a->store = RT_A64_VECTOR;
	a->size = size;
	a->count = 1;
	a->vector[0] = rt;
}
RT_PORT_NOPROBE(set_vector);

static void set_pair(struct rt_a64_access *a, u64 first, u64 second, u32 size)
{
	a->size = 2 * size;
	a->count = 2;
	a->data[0] = first;
	a->data[1] = second;
}
RT_PORT_NOPROBE(set_pair);

/* STXR LDXR STXP LDXP STLR LDAR CAS CASP and their variants: no offset. */
static bool exclusive(u32 insn, const u64 *regs, struct rt_a64_access *a)
{
	u32 size = 1U << BITS(insn, 31, 30), rt = BITS(insn, 4, 0), rt2 = BITS(insn, 14, 10);
	u32 rs = BITS(insn, 20, 16);
	bool load = BIT_AT(insn, 22), ordered = BIT_AT(insn, 23), pair = BIT_AT(insn, 21);

	a->address = regs[BITS(insn, 9, 5)];
	a->ordered = true;
	a->whole = true;
	a->target[0] = rs;
	a->target[1] = (rs + 1) & 31;
	if (ordered && pair) {
		set_plain(a, regs, size, rt);
		a->store = RT_A64_COMPARE;
		a->loads = true;
		a->expect[0] = data_of(regs, rs);
		return true;
	}
	if (!ordered && pair && size < 4) { /* CASP: bit 30 alone gives the width */
		size *= 4;
		set_pair(a, data_of(regs, rt), data_of(regs, (rt + 1) & 31), size);
		a->store = RT_A64_COMPARE;
		a->loads = true;
		a->expect[0] = data_of(regs, rs);
		a->expect[1] = data_of(regs, (rs + 1) & 31);
		return true;
	}
	a->exclusive = !ordered;
	if (load) {
		set_load(a, pair ? 2 * size : size, rt);
		a->target[1] = rt2;
		return true;
	}
	set_plain(a, regs, size, rt);
	if (pair)
		set_pair(a, data_of(regs, rt), data_of(regs, rt2), size);
	a->status = rs;
	return true;
}
RT_PORT_NOPROBE(exclusive);

/* STP LDP and their variants. */
static bool pairs(u32 insn, const u64 *regs, struct rt_a64_access *a)
{
	u32 opc = BITS(insn, 31, 30), rt = BITS(insn, 4, 0), rt2 = BITS(insn, 14, 10);
	bool vector = BIT_AT(insn, 26), load = BIT_AT(insn, 22);
	u32 size = vector ? 4U << opc : opc == 2 ? 8 : 4;
	s64 offset;

	if (opc == 3)
		return false;
	a->address = regs[BITS(insn, 9, 5)];
	offset = rt_a64_sign_extend(BITS(insn, 21, 15), 7) * (s64)size;
	if (BITS(insn, 23, 23))
		set_base(a, insn, a->address + offset);
	/* All forms except the post-indexed one add the offset first. */
	if (BITS(insn, 24, 23) != 1)
		a->address += offset;
	a->whole = !(load && vector) && (vector || opc != 1 || load);
	if (load) {
		set_load(a, 2 * size, rt);
		a->count = 2;
		a->target[1] = rt2;
		set_sign(a, !vector && opc == 1 ? 2 : 1);
	} else if (vector) {
		set_vector(a, 2 * size, rt);
		a->count = 2;
		a->vector[1] = rt2;
	} else if (opc == 1) { /* STGP, which also writes memory tags */
		a->store = RT_A64_UNKNOWN;
		a->size = 16;
		a->count = 1;
	} else {
		a->store = RT_A64_PLAIN;
		set_pair(a, data_of(regs, rt), data_of(regs, rt2), size);
	}
	return true;
}
RT_PORT_NOPROBE(pairs);

static bool atomics(u32 insn, const u64 *regs, struct rt_a64_access *a)
{
	static const u8 stores[] = { RT_A64_ADD,  RT_A64_CLEAR, RT_A64_XOR,  RT_A64_SET,
				     RT_A64_SMAX, RT_A64_SMIN,	RT_A64_UMAX, RT_A64_UMIN };
	u32 size = 1U << BITS(insn, 31, 30), opc = BITS(insn, 14, 12);

	a->address = regs[BITS(insn, 9, 5)];
	set_plain(a, regs, size, BITS(insn, 20, 16));
	a->loads = true;
	a->ordered = true;
	a->whole = true;
	a->target[0] = BITS(insn, 4, 0);
	if (!BIT_AT(insn, 15)) {
		a->store = stores[opc];
	} else if (opc == 4) { /* LDAPR */
		set_load(a, size, BITS(insn, 4, 0));
	} else if (!opc) {
		a->store = RT_A64_SWAP;
	} else { /* 64-byte stores and unknown instructions */
		a->store = RT_A64_UNKNOWN;
		a->whole = false;
	}
	return true;
}
RT_PORT_NOPROBE(atomics);

/* The register offset of a load or store, extended and shifted as the instruction says. */
static u64 register_offset(u32 insn, const u64 *regs, u32 scale)
{
	u64 offset = data_of(regs, BITS(insn, 20, 16));

	switch (BITS(insn, 15, 13)) {
	case 2: /* UXTW */
		offset = (u32)offset;
		break;
	case 6: /* SXTW */
		offset = (s32)offset;
		break;
	}
	return BIT_AT(insn, 12) ? offset << scale : offset;
}
RT_PORT_NOPROBE(register_offset);

/* LDR STR with one register, in all addressing modes. */
static bool singles(u32 insn, const u64 *regs, struct rt_a64_access *a)
{
	u32 scale = BITS(insn, 31, 30), opc = BITS(insn, 23, 22), rt = BITS(insn, 4, 0);
	bool vector = BIT_AT(insn, 26), immediate = !BIT_AT(insn, 24) && !BIT_AT(insn, 21);
	bool load;

	if (!BIT_AT(insn, 24) && BIT_AT(insn, 21) && BITS(insn, 11, 10) != 2)
		/* The others are loads with pointer authentication. */
		return !vector && !BITS(insn, 11, 10) ? atomics(insn, regs, a) : false;
	if (!vector && scale == 3 && opc >= 2) /* a prefetch is no access */
		return false;
	load = vector ? opc & 1 : opc != 0;
	if (vector && opc >= 2)
		scale += 4;
	a->address = regs[BITS(insn, 9, 5)];
	if (BIT_AT(insn, 24))
		a->address += (u64)BITS(insn, 21, 10) << scale;
	else if (BIT_AT(insn, 21))
		a->address += register_offset(insn, regs, scale);
	if (immediate && BIT_AT(insn, 10)) /* indexed, after or before */
		set_base(a, insn, a->address + rt_a64_sign_extend(BITS(insn, 20, 12), 9));
	if (immediate && BITS(insn, 11, 10) != 1) /* all but post-indexed */
		a->address += rt_a64_sign_extend(BITS(insn, 20, 12), 9);
	/* Do not perform accesses with user privileges (LDTR, STTR). */
	a->whole = !(load && vector) && !(immediate && BITS(insn, 11, 10) == 2);
	if (load) {
		set_load(a, 1U << scale, rt);
		set_sign(a, opc);
	} else if (vector) {
		set_vector(a, 1U << scale, rt);
	} else {
		set_plain(a, regs, 1U << scale, rt);
	}
	return true;
}
RT_PORT_NOPROBE(singles);

/* LD1 … ST4 of whole registers. */
static bool whole_structures(u32 insn, struct rt_a64_access *a)
{
	static const struct {
		u8 registers, turns;
	} forms[16] = {
		[0] = { 4, 4 }, [2] = { 4, 1 }, [4] = { 3, 3 },	 [6] = { 3, 1 },
		[7] = { 1, 1 }, [8] = { 2, 2 }, [10] = { 2, 1 },
	};
	u32 form = BITS(insn, 15, 12);

	if (!forms[form].registers || BIT_AT(insn, 21))
		return false;
	a->count = forms[form].registers;
	a->turns.registers = forms[form].turns;
	a->turns.bytes = 1U << BITS(insn, 11, 10);
	a->turns.elements = (BIT_AT(insn, 30) ? 16 : 8) / a->turns.bytes;
	a->size = a->count * a->turns.elements * a->turns.bytes;
	return true;
}
RT_PORT_NOPROBE(whole_structures);

/* LD1 … ST4 of one element of each register, and the loads that replicate it to all elements. */
static bool single_structures(u32 insn, struct rt_a64_access *a)
{
	u32 scale = BITS(insn, 15, 14), index = BIT_AT(insn, 30) << 3 | BITS(insn, 12, 10);

	a->count = a->turns.registers = (BIT_AT(insn, 13) << 1 | BIT_AT(insn, 21)) + 1;
	if (scale == 3) {
		scale = BITS(insn, 11, 10);
		if (!BIT_AT(insn, 22))
			return false;
	} else if (scale == 2 && (index & 1)) {
		scale = 3;
	}
	a->turns.bytes = 1U << scale;
	a->turns.first = index >> scale;
	a->turns.elements = 1;
	a->size = a->count * a->turns.bytes;
	return true;
}
RT_PORT_NOPROBE(single_structures);

static bool structures(u32 insn, const u64 *regs, struct rt_a64_access *a)
{
	if (!(BIT_AT(insn, 24) ? single_structures(insn, a) : whole_structures(insn, a)))
		return false;
	a->address = regs[BITS(insn, 9, 5)];
	if (BIT_AT(insn, 23)) /* the CPU adds the byte count, or a register, after the access */
		set_base(a, insn,
			 a->address + (BITS(insn, 20, 16) == RT_A64_SP ? a->size :
									 regs[BITS(insn, 20, 16)]));
	a->loads = BIT_AT(insn, 22);
	a->whole = !a->loads;
	a->store = a->loads ? RT_A64_NONE : RT_A64_TURNS;
	a->vector[0] = BITS(insn, 4, 0);
	return true;
}
RT_PORT_NOPROBE(structures);

/* LDR of a literal. */
static bool literal(u32 insn, struct rt_a64_access *a)
{
	u32 opc = BITS(insn, 31, 30);
	bool vector = BIT_AT(insn, 26);

	if (opc == 3) /* a prefetch */
		return false;
	a->relative = true;
	a->address = (u64)rt_a64_sign_extend(BITS(insn, 23, 5), 19) * 4;
	a->whole = !vector;
	set_load(a, vector ? 4U << opc : opc == 1 ? 8 : 4, BITS(insn, 4, 0));
	set_sign(a, !vector && opc == 2 ? 2 : 1);
	return true;
}
RT_PORT_NOPROBE(literal);

bool rt_a64_access(u32 insn, const u64 *regs, u32 zero_block, struct rt_a64_access *a)
{
	memset(a, 0, sizeof(*a));
	if ((insn & 0x3f000000) == 0x08000000)
		return exclusive(insn, regs, a);
	if ((insn & 0x3f200c00) == 0x19000000) { /* STLUR, LDAPUR */
		a->address = regs[BITS(insn, 9, 5)] + rt_a64_sign_extend(BITS(insn, 20, 12), 9);
		a->ordered = true;
		a->whole = true;
		set_sign(a, BITS(insn, 23, 22));
		if (BITS(insn, 23, 22))
			set_load(a, 1U << BITS(insn, 31, 30), BITS(insn, 4, 0));
		else
			set_plain(a, regs, 1U << BITS(insn, 31, 30), BITS(insn, 4, 0));
		return true;
	}
	if ((insn & 0x3a000000) == 0x28000000)
		return pairs(insn, regs, a);
	if ((insn & 0x3a000000) == 0x38000000)
		return singles(insn, regs, a);
	if ((insn & 0xbe000000) == 0x0c000000) /* LD1 … ST4 */
		return structures(insn, regs, a);
	if ((insn & 0x3b000000) == 0x18000000)
		return literal(insn, a);
	if ((insn & ~31U) == 0xd50b7420) { /* DC ZVA */
		a->address = data_of(regs, insn & 31) & ~((u64)zero_block - 1);
		a->store = RT_A64_PLAIN;
		a->size = zero_block;
		a->count = 0;
		a->whole = true;
		return true;
	}
	return false;
}
RT_PORT_NOPROBE(rt_a64_access);
