// SPDX-License-Identifier: GPL-2.0
/*
 * a64_result.c - the results of an access: the bytes that it stores, the registers afterwards.
 */
#include "a64_access.h"
#include "a64_bits.h"

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

void rt_a64_finish(const struct rt_a64_access *a, const u64 *loaded, u64 *regs)
{
	u32 size = a->count ? a->size / a->count : 0, i;
	u64 value;

	/* Before the targets, because a load may also write its base. */
	if (a->writes_back)
		regs[a->base] = a->base_after;
	if (!a->loads)
		return;
	for (i = 0; i < a->count; i++) {
		value = a->sign ? (u64)rt_a64_sign_extend(loaded[i], 8 * size) : loaded[i];
		if (a->sign && !a->wide)
			value = (u32)value;
		if (a->target[i] != RT_A64_SP)
			regs[a->target[i]] = value;
	}
}
RT_PORT_NOPROBE(rt_a64_finish);

u64 rt_a64_result(const struct rt_a64_access *a, u64 old, u32 size)
{
	u64 data = a->data[0];
	u32 bits = 8 * size;
	u64 mask = bits == 64 ? ~0ULL : (1ULL << bits) - 1;

	switch (a->store) {
	case RT_A64_SWAP:
		return data & mask;
	case RT_A64_ADD:
		return (old + data) & mask;
	case RT_A64_CLEAR:
		return old & ~data;
	case RT_A64_XOR:
		return (old ^ data) & mask;
	case RT_A64_SET:
		return (old | data) & mask;
	case RT_A64_SMAX:
		return rt_a64_sign_extend(old, bits) > rt_a64_sign_extend(data, bits) ? old :
											data & mask;
	case RT_A64_SMIN:
		return rt_a64_sign_extend(old, bits) < rt_a64_sign_extend(data, bits) ? old :
											data & mask;
	case RT_A64_UMAX:
		return old > (data & mask) ? old : data & mask;
	case RT_A64_UMIN:
		return old < (data & mask) ? old : data & mask;
	default:
		return old;
	}
}
RT_PORT_NOPROBE(rt_a64_result);
