// SPDX-License-Identifier: GPL-2.0
#include "symbols/unwind/plain_row.h"

#include <string.h>

#define REGS_MAX 64 /* bits of the mask */

void rt_plain_row_make(const struct rt_cfi_row *row, unsigned int sp_reg, struct rt_plain_row *p)
{
	int32_t lowest = INT16_MAX, highest = INT16_MIN;
	unsigned int i, n = 0;

	memset(p, 0, sizeof(*p));
	if (row->kind != RT_CFI_KNOWN || row->cfa.count || row->cfa_register >= REGS_MAX)
		return;
	for (i = 0; i < row->rules; i++) {
		const struct rt_cfi_rule *rule = &row->rule[i];

		/* The stack pointer becomes the frame's address anyway. */
		if (rule->how == RT_CFI_CFA && rule->reg == sp_reg && !rule->offset)
			continue;
		if (rule->how != RT_CFI_AT_CFA || n == RT_PLAIN_MAX || rule->reg == sp_reg ||
		    rule->offset < INT16_MIN || rule->offset > INT16_MAX)
			return;
		lowest = rule->offset < lowest ? rule->offset : lowest;
		highest = rule->offset > highest ? rule->offset : highest;
		p->reg[n] = rule->reg;
		p->offset[n++] = (int16_t)rule->offset;
		p->mask |= 1ULL << rule->reg;
	}
	if (!(p->mask >> row->return_register & 1))
		return;
	p->signal = row->signal;
	p->return_register = row->return_register;
	p->cfa_register = (uint8_t)row->cfa_register;
	p->cfa_offset = row->cfa_offset;
	p->lowest = lowest;
	p->span = (uint32_t)(highest - lowest) + (uint32_t)sizeof(uint64_t);
	p->mask |= 1ULL << sp_reg;
	p->count = (uint8_t)n;
}
