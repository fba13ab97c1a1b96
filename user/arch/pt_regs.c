// SPDX-License-Identifier: GPL-2.0
#include "arch/pt_regs.h"

#include <string.h>

#include "arch/registers.h"

uint64_t rt_pt_regs_mask(enum rt_arch arch)
{
	const struct rt_registers *r = rt_registers(arch);
	uint64_t mask = 0;
	size_t i;

	for (i = 0; i < r->count && i < 64; i++)
		if (r->list[i].perf_name && r->list[i].slot != RT_REGISTER_NONE)
			mask |= 1ULL << i;
	return mask;
}

void rt_pt_regs_take(enum rt_arch arch, const void *slots, uint64_t *to)
{
	const struct rt_registers *r = rt_registers(arch);
	const char *from = slots;
	size_t i;

	for (i = 0; i < r->count && i < 64; i++)
		if (r->list[i].perf_name && r->list[i].slot != RT_REGISTER_NONE)
			memcpy(to++, from + r->list[i].slot * sizeof(*to), sizeof(*to));
}
