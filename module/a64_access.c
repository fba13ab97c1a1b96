// SPDX-License-Identifier: GPL-2.0
/*
 * The numbers are those of the encoding tables "Loads and Stores" of the Arm architecture
 * reference manual.
 */
#include "a64_access.h"

#define BITS(insn, high, low) (((insn) >> (low)) & ((1U << ((high) - (low) + 1)) - 1))
#define BIT_AT(insn, n)	      BITS(insn, n, n)

/* Register 31 is zero as data, and the stack pointer as a base. */
static u64 data_of(const u64 *regs, u32 r)
{
	return r == RT_A64_SP ? 0 : regs[r];
}
RT_PORT_NOPROBE(data_of);

static s64 sign_extend(u64 v, u32 bits)
{
	return (s64)(v << (64 - bits)) >> (64 - bits);
}
RT_PORT_NOPROBE(sign_extend);

static void set_plain(struct rt_a64_access *a, const u64 *regs, u32 size, u32 rt)
{
	a->store = RT_A64_PLAIN;
	a->size = size;
	a->count = 1;
	a->data[0] = data_of(regs, rt);
}
RT_PORT_NOPROBE(set_plain);

static void set_load(struct rt_a64_access *a, u32 size)
{
	a->store = RT_A64_NONE;
	a->loads = true;
	a->size = size;
	a->count = 1;
}
RT_PORT_NOPROBE(set_load);

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

/* STXR LDXR STXP LDXP STLR LDAR CAS CASP and their kin: no offset. */
static bool exclusive(u32 insn, const u64 *regs, struct rt_a64_access *a)
{
	u32 size = 1U << BITS(insn, 31, 30), rt = BITS(insn, 4, 0), rt2 = BITS(insn, 14, 10);
	u32 rs = BITS(insn, 20, 16);
	bool load = BIT_AT(insn, 22), ordered = BIT_AT(insn, 23), pair = BIT_AT(insn, 21);

	a->address = regs[BITS(insn, 9, 5)];
	if (ordered && pair) {
		set_plain(a, regs, size, rt);
		a->store = RT_A64_COMPARE;
		a->loads = true;
		a->expect[0] = data_of(regs, rs);
		return true;
	}
	if (!ordered && pair && size < 4) { /* CASP: bit 30 alone is the width */
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
		set_load(a, pair ? 2 * size : size);
		return true;
	}
	set_plain(a, regs, size, rt);
	if (pair)
		set_pair(a, data_of(regs, rt), data_of(regs, rt2), size);
	a->status = rs;
	return true;
}
RT_PORT_NOPROBE(exclusive);

/* STP LDP and their kin. */
static bool pairs(u32 insn, const u64 *regs, struct rt_a64_access *a)
{
	u32 opc = BITS(insn, 31, 30), rt = BITS(insn, 4, 0), rt2 = BITS(insn, 14, 10);
	bool vector = BIT_AT(insn, 26), load = BIT_AT(insn, 22);
	u32 size = vector ? 4U << opc : opc == 2 ? 8 : 4;

	if (opc == 3)
		return false;
	a->address = regs[BITS(insn, 9, 5)];
	/* All forms but the post-indexed add the offset first. */
	if (BITS(insn, 24, 23) != 1)
		a->address += sign_extend(BITS(insn, 21, 15), 7) * (s64)size;
	if (load) {
		set_load(a, 2 * size);
	} else if (vector) {
		set_vector(a, 2 * size, rt);
		a->count = 2;
		a->vector[1] = rt2;
	} else if (opc == 1) { /* STGP, with its tags */
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
	if (!BIT_AT(insn, 15))
		a->store = stores[opc];
	else if (opc == 4) /* LDAPR */
		set_load(a, size);
	else if (opc) /* 64-byte stores and what may come */
		a->store = RT_A64_UNKNOWN;
	return true;
}
RT_PORT_NOPROBE(atomics);

/* The register offset of a load or store, extended and shifted as it says. */
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

/* LDR STR with one register, in all ways to address. */
static bool singles(u32 insn, const u64 *regs, struct rt_a64_access *a)
{
	u32 scale = BITS(insn, 31, 30), opc = BITS(insn, 23, 22), rt = BITS(insn, 4, 0);
	bool vector = BIT_AT(insn, 26);
	bool load;

	if (!BIT_AT(insn, 24) && BIT_AT(insn, 21) && !vector && !BITS(insn, 11, 10))
		return atomics(insn, regs, a);
	load = vector ? opc & 1 : opc != 0;
	if (vector && opc >= 2)
		scale += 4;
	a->address = regs[BITS(insn, 9, 5)];
	if (BIT_AT(insn, 24))
		a->address += (u64)BITS(insn, 21, 10) << scale;
	else if (BIT_AT(insn, 21))
		a->address += BITS(insn, 11, 10) == 2 ? register_offset(insn, regs, scale) : 0;
	else if (BITS(insn, 11, 10) != 1) /* all but post-indexed */
		a->address += sign_extend(BITS(insn, 20, 12), 9);
	if (load)
		set_load(a, 1U << scale);
	else if (vector)
		set_vector(a, 1U << scale, rt);
	else
		set_plain(a, regs, 1U << scale, rt);
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

/* LD1 … ST4 of one element of each register, and the loads that fill all of them with it. */
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
	a->loads = BIT_AT(insn, 22);
	a->store = a->loads ? RT_A64_NONE : RT_A64_TURNS;
	a->vector[0] = BITS(insn, 4, 0);
	return true;
}
RT_PORT_NOPROBE(structures);

void rt_a64_turns(const struct rt_a64_access *a, const u8 *vectors, u8 *image)
{
	u32 i, k, round, element, turn;

	for (i = 0; i < a->size; i++) {
		k = i / a->turns.bytes;
		turn = k % a->turns.registers;
		k /= a->turns.registers;
		element = a->turns.first + k % a->turns.elements;
		round = k / a->turns.elements;
		image[i] = vectors[(round + turn) * RT_A64_VECTOR_BYTES + element * a->turns.bytes +
				   i % a->turns.bytes];
	}
}
RT_PORT_NOPROBE(rt_a64_turns);

bool rt_a64_access(u32 insn, const u64 *regs, u32 zero_block, struct rt_a64_access *a)
{
	memset(a, 0, sizeof(*a));
	if ((insn & 0x3f000000) == 0x08000000)
		return exclusive(insn, regs, a);
	if ((insn & 0x3f200c00) == 0x19000000) { /* STLUR, LDAPUR */
		a->address = regs[BITS(insn, 9, 5)] + sign_extend(BITS(insn, 20, 12), 9);
		if (BITS(insn, 23, 22))
			set_load(a, 1U << BITS(insn, 31, 30));
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
	if ((insn & 0x3b000000) == 0x18000000) { /* a literal, beside the code */
		set_load(a, 4);
		return true;
	}
	if ((insn & ~31U) == 0xd50b7420) { /* DC ZVA */
		a->address = data_of(regs, insn & 31) & ~((u64)zero_block - 1);
		a->store = RT_A64_PLAIN;
		a->size = zero_block;
		a->count = 0;
		return true;
	}
	return false;
}
RT_PORT_NOPROBE(rt_a64_access);

u64 rt_a64_result(const struct rt_a64_access *a, u64 old, u32 size)
{
	u64 data = a->data[0];
	u32 bits = 8 * size;
	u64 mask = bits == 64 ? ~0ULL : (1ULL << bits) - 1;

	switch (a->store) {
	case RT_A64_ADD:
		return (old + data) & mask;
	case RT_A64_CLEAR:
		return old & ~data;
	case RT_A64_XOR:
		return (old ^ data) & mask;
	case RT_A64_SET:
		return (old | data) & mask;
	case RT_A64_SMAX:
		return sign_extend(old, bits) > sign_extend(data, bits) ? old : data & mask;
	case RT_A64_SMIN:
		return sign_extend(old, bits) < sign_extend(data, bits) ? old : data & mask;
	case RT_A64_UMAX:
		return old > (data & mask) ? old : data & mask;
	case RT_A64_UMIN:
		return old < (data & mask) ? old : data & mask;
	default:
		return old;
	}
}
RT_PORT_NOPROBE(rt_a64_result);
