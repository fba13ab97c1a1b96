// SPDX-License-Identifier: GPL-2.0
#include "a64_compute.h"
#include "a64_arithmetic.h"
#include "a64_bits.h"

#include "a64_machine.h"
#include "a64_state.h"

#define SP 31

/* --- one operand ------------------------------------------------------------------- */

/* Swap neighbouring groups of bits, from FROM up to half of TO bits wide. */
static u64 swap_groups(u64 v, u32 from, u32 to)
{
	static const u64 lower[] = { 0x5555555555555555, 0x3333333333333333, 0x0f0f0f0f0f0f0f0f,
				     0x00ff00ff00ff00ff, 0x0000ffff0000ffff, 0x00000000ffffffff };
	u32 i;

	for (i = 0; i < 6; i++)
		if (1U << i >= from && 2U << i <= to)
			v = (v & lower[i]) << (1U << i) | (v >> (1U << i) & lower[i]);
	return v;
}
RT_PORT_NOPROBE(swap_groups);

static u32 leading_zeros(u64 v, u32 bits)
{
	u32 n = 0;

	while (n < bits && !(v >> (bits - 1 - n) & 1))
		n++;
	return n;
}
RT_PORT_NOPROBE(leading_zeros);

static u32 count_ones(u64 v)
{
	u32 n = 0;

	for (; v; v &= v - 1)
		n++;
	return n;
}
RT_PORT_NOPROBE(count_ones);

static bool one_source(struct rt_a64_state *s, u32 insn)
{
	bool wide = BIT_AT(insn, 31);
	u32 bits = wide ? 64 : 32;
	u64 v = rt_a64_get(s, BITS(insn, 9, 5));

	if (!wide)
		v = (u32)v;
	switch (BITS(insn, 15, 10)) {
	case 0: /* RBIT */
		v = swap_groups(v, 1, bits);
		break;
	case 1: /* REV16 */
		v = swap_groups(v, 8, 16);
		break;
	case 2: /* REV, REV32 */
		v = swap_groups(v, 8, 32);
		break;
	case 3: /* REV */
		if (!wide)
			return false;
		v = swap_groups(v, 8, 64);
		break;
	case 4: /* CLZ */
		v = leading_zeros(v, bits);
		break;
	case 5: /* CLS */
		v = leading_zeros((v ^ v >> 1) & ~(1ULL << (bits - 1)), bits) - 1;
		break;
	case 6: /* CTZ */
		v = leading_zeros(swap_groups(v, 1, bits), bits);
		break;
	case 7: /* CNT */
		v = count_ones(v);
		break;
	case 8: /* ABS */
		if (v >> (bits - 1) & 1)
			v = 0 - v;
		break;
	default:
		return false;
	}
	rt_a64_put(s, BITS(insn, 4, 0), v, wide);
	return true;
}
RT_PORT_NOPROBE(one_source);

/* --- two operands ------------------------------------------------------------------- */

/* HOW: SMAX, UMAX, SMIN, UMIN. */
static u64 extreme(u64 a, u64 b, u32 how, bool wide)
{
	bool less;

	if (!wide) {
		a = how & 1 ? (u32)a : (u64)(s32)a;
		b = how & 1 ? (u32)b : (u64)(s32)b;
	}
	less = how & 1 ? a < b : (s64)a < (s64)b;
	return less == (how > 1) ? a : b;
}
RT_PORT_NOPROBE(extreme);

static u64 quotient(u64 a, u64 b, bool sign, bool wide)
{
	bool negative = false;
	u64 q;

	if (!wide) {
		a = sign ? (u64)(s32)a : (u32)a;
		b = sign ? (u64)(s32)b : (u32)b;
	}
	if (!b)
		return 0;
	if (sign) {
		negative = a >> 63 != b >> 63;
		a = a >> 63 ? 0 - a : a;
		b = b >> 63 ? 0 - b : b;
	}
	q = a / b;
	return negative ? 0 - q : q;
}
RT_PORT_NOPROBE(quotient);

/* The checksum SUM after BYTES more bytes; POLY is the polynomial, the lowest power in the highest bit. */
static u32 checksum(u32 sum, u64 data, u32 bytes, u32 poly)
{
	u32 i;

	for (i = 0; i < 8 * bytes; i++) {
		sum ^= data >> i & 1;
		sum = sum >> 1 ^ (sum & 1 ? poly : 0);
	}
	return sum;
}
RT_PORT_NOPROBE(checksum);

static bool two_sources(struct rt_a64_state *s, u32 insn)
{
	u32 what = BITS(insn, 15, 10);
	bool wide = BIT_AT(insn, 31);
	u64 a, b;

	if (what != 2 && what != 3 && what / 8 != 2 && what / 4 != 6)
		return false;
	/* CRC32X and CRC32CX, and no other of them, have a wide operand. */
	if (what / 8 == 2 && wide != ((what & 3) == 3))
		return false;
	a = rt_a64_get(s, BITS(insn, 9, 5));
	b = rt_a64_get(s, BITS(insn, 20, 16));
	if (what < 4) /* UDIV, SDIV */
		a = quotient(a, b, what & 1, wide);
	else if (what / 8 == 2) /* CRC32, CRC32C */
		a = checksum(a, b, 1U << (what & 3), what & 4 ? 0x82f63b78 : 0xedb88320);
	else
		a = extreme(a, b, what & 3, wide);
	rt_a64_put(s, BITS(insn, 4, 0), a, wide);
	return true;
}
RT_PORT_NOPROBE(two_sources);

/* The upper half of the product. */
static u64 high_product(u64 a, u64 b, bool sign)
{
	u64 low = (u64)(u32)a * (u32)b, first = (a >> 32) * (u32)b,
	    second = (u64)(u32)a * (b >> 32);
	u64 middle = (low >> 32) + (u32)first + (u32)second;
	u64 high = (a >> 32) * (b >> 32) + (first >> 32) + (second >> 32) + (middle >> 32);

	if (sign && a >> 63)
		high -= b;
	if (sign && b >> 63)
		high -= a;
	return high;
}
RT_PORT_NOPROBE(high_product);

/* SMADDL, SMSUBL, UMADDL, UMSUBL, SMULH, UMULH. */
static bool long_product(struct rt_a64_state *s, u32 insn)
{
	bool sign = !BIT_AT(insn, 23), minus = BIT_AT(insn, 15);
	u64 a = rt_a64_get(s, BITS(insn, 9, 5)), b = rt_a64_get(s, BITS(insn, 20, 16)), product;

	switch (BITS(insn, 22, 21)) {
	case 1:
		product = sign ? (u64)((s64)(s32)a * (s32)b) : (u64)(u32)a * (u32)b;
		a = rt_a64_get(s, BITS(insn, 14, 10));
		product = minus ? a - product : a + product;
		break;
	case 2:
		if (minus)
			return false;
		product = high_product(a, b, sign);
		break;
	default:
		return false;
	}
	rt_a64_put(s, BITS(insn, 4, 0), product, true);
	return true;
}
RT_PORT_NOPROBE(long_product);

static bool extract(struct rt_a64_state *s, u32 insn)
{
	bool wide = BIT_AT(insn, 31);
	u32 bits = wide ? 64 : 32, by = BITS(insn, 15, 10);
	u64 high = rt_a64_get(s, BITS(insn, 9, 5)), low = rt_a64_get(s, BITS(insn, 20, 16));

	if (BIT_AT(insn, 22) != wide || by >= bits)
		return false;
	if (!wide)
		low = (u32)low;
	rt_a64_put(s, BITS(insn, 4, 0), by ? low >> by | high << (bits - by) : low, wide);
	return true;
}
RT_PORT_NOPROBE(extract);

/* --- the stack pointer as an operand ------------------------------------------------- */

static u64 get_base(struct rt_a64_state *s, u32 r)
{
	return r == SP ? s->regs[SP] : rt_a64_get(s, r);
}
RT_PORT_NOPROBE(get_base);

/* ADD, SUB of SP and an immediate or an extended register; the result is not SP. */
static bool from_stack_pointer(struct rt_a64_state *s, u32 insn)
{
	bool wide = BIT_AT(insn, 31), subtract = BIT_AT(insn, 30), sets = BIT_AT(insn, 29);
	u32 nzcv;
	u64 b;

	if (BITS(insn, 4, 0) == SP && !sets)
		return false;
	if ((insn & 0x1f800000) == 0x11000000)
		b = (u64)BITS(insn, 21, 10) << (BIT_AT(insn, 22) ? 12 : 0);
	else if (BITS(insn, 12, 10) > 4)
		return false;
	else
		b = rt_a64_extended(rt_a64_get(s, BITS(insn, 20, 16)), BITS(insn, 15, 13),
				    BITS(insn, 12, 10));
	b = rt_a64_sum_of(get_base(s, BITS(insn, 9, 5)), subtract ? ~b : b, subtract, wide, &nzcv);
	rt_a64_put(s, BITS(insn, 4, 0), b, wide);
	if (sets)
		rt_a64_put_flags(s, nzcv);
	return true;
}
RT_PORT_NOPROBE(from_stack_pointer);

/* --- addresses, flags, system registers ----------------------------------------------- */

static void address_of(struct rt_a64_state *s, u32 insn)
{
	s64 by = rt_a64_sign_extend((u64)BITS(insn, 23, 5) << 2 | BITS(insn, 30, 29), 21);
	u64 v = BIT_AT(insn, 31) ? (s->pc & ~0xfffULL) + by * 0x1000 : s->pc + by;

	rt_a64_put(s, BITS(insn, 4, 0), v, true);
}
RT_PORT_NOPROBE(address_of);

#define NZCV 0xda10

static bool system_register(struct rt_a64_state *s, u32 insn)
{
	u32 number = BITS(insn, 20, 5), rt = BITS(insn, 4, 0);
	u64 value;

	if (!BIT_AT(insn, 21)) { /* MSR */
		if (number != NZCV)
			return false;
		rt_a64_put_flags(s, rt_a64_get(s, rt) & 0xfU << 28);
		return true;
	}
	if (number == NZCV)
		value = rt_a64_get_flags(s);
	else if (!s->machine->read_system || s->machine->read_system(s->machine, number, &value))
		return false;
	rt_a64_put(s, rt, value, true);
	return true;
}
RT_PORT_NOPROBE(system_register);

/* RMIF, SETF8, SETF16, CFINV. */
static bool only_flags(struct rt_a64_state *s, u32 insn)
{
	u32 nzcv = rt_a64_get_flags(s), mask, bits;
	u64 v;

	if (insn == 0xd500401f) {
		nzcv ^= RT_A64_C;
	} else if ((insn & 0xffe07c10) == 0xba000400) {
		v = rt_a64_get(s, BITS(insn, 9, 5));
		v = rt_a64_shifted(v, 3, BITS(insn, 20, 15), true);
		mask = BITS(insn, 3, 0) << 28;
		nzcv = (nzcv & ~mask) | ((u32)v << 28 & mask);
	} else if ((insn & 0xffffbc1f) == 0x3a00080d) {
		v = rt_a64_get(s, BITS(insn, 9, 5));
		bits = BIT_AT(insn, 14) ? 16 : 8;
		nzcv &= RT_A64_C;
		nzcv |= v >> (bits - 1) & 1 ? RT_A64_N : 0;
		nzcv |= v & ((1U << bits) - 1) ? 0 : RT_A64_Z;
		nzcv |= (v >> bits ^ v >> (bits - 1)) & 1 ? RT_A64_V : 0;
	} else {
		return false;
	}
	rt_a64_put_flags(s, nzcv);
	return true;
}
RT_PORT_NOPROBE(only_flags);

bool rt_a64_compute(struct rt_a64_state *s, u32 insn)
{
	u64 operand;

	if ((insn & 0x7fff0000) == 0x5ac00000)
		return one_source(s, insn);
	if ((insn & 0x7fe00000) == 0x1ac00000)
		return two_sources(s, insn);
	if ((insn & 0xff000000) == 0x9b000000)
		return long_product(s, insn);
	if ((insn & 0x7fa00000) == 0x13800000)
		return extract(s, insn);
	if ((insn & 0x1f800000) == 0x11000000 || (insn & 0x1fe00000) == 0x0b200000)
		return from_stack_pointer(s, insn);
	if ((insn & 0x7ff00000) == 0x11c00000) { /* SMAX … UMIN with an immediate */
		operand = BIT_AT(insn, 18) ? BITS(insn, 17, 10) :
					     (u64)rt_a64_sign_extend(BITS(insn, 17, 10), 8);
		rt_a64_put(s, BITS(insn, 4, 0),
			   extreme(rt_a64_get(s, BITS(insn, 9, 5)), operand, BITS(insn, 19, 18),
				   BIT_AT(insn, 31)),
			   BIT_AT(insn, 31));
		return true;
	}
	if ((insn & 0x1f000000) == 0x10000000) {
		address_of(s, insn);
		return true;
	}
	if ((insn & 0xffd00000) == 0xd5100000)
		return system_register(s, insn);
	return only_flags(s, insn);
}
RT_PORT_NOPROBE(rt_a64_compute);
