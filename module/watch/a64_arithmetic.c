// SPDX-License-Identifier: GPL-2.0
#include "a64_arithmetic.h"
#include "a64_bits.h"

u64 rt_a64_shifted(u64 value, u32 how, u32 by, bool wide)
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
RT_PORT_NOPROBE(rt_a64_shifted);

u64 rt_a64_extended(u64 value, u32 how, u32 by)
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
RT_PORT_NOPROBE(rt_a64_extended);

u32 rt_a64_flags_of(u64 value, bool wide)
{
	u64 v = wide ? value : (u32)value;

	return (v >> (wide ? 63 : 31) ? RT_A64_N : 0) | (v ? 0 : RT_A64_Z);
}
RT_PORT_NOPROBE(rt_a64_flags_of);

u64 rt_a64_sum_of(u64 a, u64 b, bool carry, bool wide, u32 *nzcv)
{
	u64 mask = wide ? ~0ULL : 0xffffffffULL, sum;

	a &= mask;
	b &= mask;
	sum = (a + b + carry) & mask;
	*nzcv = rt_a64_flags_of(sum, wide);
	if (sum < a || (carry && sum == a))
		*nzcv |= RT_A64_C;
	if (~(a ^ b) & (a ^ sum) & (wide ? 1ULL << 63 : 1ULL << 31))
		*nzcv |= RT_A64_V;
	return sum;
}
RT_PORT_NOPROBE(rt_a64_sum_of);

bool rt_a64_pattern(u32 insn, u64 *out)
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
RT_PORT_NOPROBE(rt_a64_pattern);

bool rt_a64_holds(u32 condition, u32 nzcv)
{
	bool n = nzcv & RT_A64_N, z = nzcv & RT_A64_Z, c = nzcv & RT_A64_C, v = nzcv & RT_A64_V,
	     yes;

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
RT_PORT_NOPROBE(rt_a64_holds);
