// SPDX-License-Identifier: GPL-2.0
/*
 * cfi.c - see cfi.h. libdw reads .eh_frame, with or without a search table, and, if that has no
 * entry, .debug_frame, which is all that Go has.  libdw caches what it read in trees without a
 * lock, so only one thread may use it at a time.
 */
#include "symbols/unwind/cfi.h"

#include <dwarf.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct rt_cfi {
	pthread_mutex_t lock;
	const struct rt_elf *elf;
	const char *path; /* of that file; NULL: it is only in memory */
	bool opened, opened_debug;
	Dwarf_CFI *eh, *debug; /* we close the first; the second belongs to the Dwarf */
	Dwarf *dwarf;
	struct rt_elf file; /* libdw writes into its memory when it unpacks a section */
};

struct rt_cfi *rt_cfi_new(const struct rt_elf *elf, const char *path)
{
	struct rt_cfi *cfi = calloc(1, sizeof(*cfi));

	if (cfi) {
		pthread_mutex_init(&cfi->lock, NULL);
		cfi->elf = elf;
		cfi->path = path;
		cfi->file.fd = -1;
	}
	return cfi;
}

void rt_cfi_free(struct rt_cfi *cfi)
{
	if (!cfi)
		return;
	if (cfi->eh)
		dwarf_cfi_end(cfi->eh);
	if (cfi->dwarf)
		dwarf_end(cfi->dwarf);
	if (cfi->file.elf)
		rt_elf_close(&cfi->file);
	pthread_mutex_destroy(&cfi->lock);
	free(cfi);
}

static bool has_debug_frame(const struct rt_elf *elf)
{
	GElf_Shdr shdr;

	return rt_elf_section(elf, ".debug_frame", &shdr, NULL) ||
	       rt_elf_section(elf, ".zdebug_frame", &shdr, NULL);
}

static Dwarf_Frame *find_frame(struct rt_cfi *cfi, uint64_t vaddr)
{
	Dwarf_Frame *frame = NULL;

	if (!cfi->opened) {
		cfi->opened = true;
		cfi->eh = dwarf_getcfi_elf(cfi->elf->elf);
	}
	if (cfi->eh && !dwarf_cfi_addrframe(cfi->eh, vaddr, &frame))
		return frame;
	if (!cfi->opened_debug) {
		cfi->opened_debug = true;
		if (cfi->path && has_debug_frame(cfi->elf) && !rt_elf_open(&cfi->file, cfi->path))
			cfi->dwarf = dwarf_begin_elf(cfi->file.elf, DWARF_C_READ, NULL);
		if (cfi->dwarf)
			cfi->debug = dwarf_getcfi(cfi->dwarf);
	}
	if (cfi->debug && !dwarf_cfi_addrframe(cfi->debug, vaddr, &frame))
		return frame;
	return NULL;
}

static bool fits(int64_t offset)
{
	return offset == (int32_t)offset;
}

static bool take_cfa(Dwarf_Frame *frame, struct rt_cfi_row *row)
{
	Dwarf_Op *ops;
	size_t count;

	if (dwarf_frame_cfa(frame, &ops, &count) || !count)
		return false;
	if (count == 1 && ops[0].atom == DW_OP_bregx) {
		/* Copy these: they lie in the frame, which is freed. */
		row->cfa_register = (uint16_t)ops[0].number;
		row->cfa_offset = (int32_t)ops[0].number2;
		return ops[0].number < 64 && fits((int64_t)ops[0].number2);
	}
	row->cfa.ops = ops;
	row->cfa.count = count;
	return true;
}

/* Parse the simple rules; each is an expression of one shape, in memory of ours. */
static bool take_simple(const Dwarf_Op *ops, size_t count, struct rt_cfi_rule *rule)
{
	uint64_t offset = 0;
	size_t i = 1;

	if (ops[0].atom == DW_OP_regx) {
		rule->how = RT_CFI_REGISTER;
		rule->offset = (int32_t)ops[0].number;
		return count == 1 && ops[0].number < 64;
	}
	if (ops[0].atom != DW_OP_call_frame_cfa)
		return false;
	if (i < count && ops[i].atom == DW_OP_plus_uconst)
		offset = ops[i++].number;
	rule->how = RT_CFI_AT_CFA;
	if (i < count && ops[i].atom == DW_OP_stack_value) {
		rule->how = RT_CFI_CFA;
		i++;
	}
	rule->offset = (int32_t)offset;
	return i == count && fits((int64_t)offset);
}

/* False if the row cannot be represented. */
static bool take_register(Dwarf_Frame *frame, unsigned int reg, struct rt_cfi_row *row)
{
	struct rt_cfi_rule rule = { .reg = (uint8_t)reg };
	Dwarf_Op memory[3], *ops;
	size_t count;

	if (dwarf_frame_register(frame, (int)reg, memory, &ops, &count))
		return false;
	if (!count && !ops)
		return true; /* unchanged */
	if (!count) {
		rule.how = RT_CFI_UNDEFINED;
	} else if (ops == memory) {
		if (!take_simple(ops, count, &rule))
			return false;
	} else {
		rule.how = RT_CFI_AT;
		rule.at.ops = ops;
		rule.at.count = count;
		if (ops[count - 1].atom == DW_OP_stack_value) {
			rule.how = RT_CFI_IS;
			rule.at.count--;
		}
	}
	/*
	 * Ignore registers that the callee may change and nobody restores, except the return
	 * address.
	 */
	if (rule.how == RT_CFI_UNDEFINED && reg != row->return_register)
		return true;
	if (row->rules == RT_CFI_RULES)
		return false;
	row->rule[row->rules++] = rule;
	return true;
}

static bool take_row(Dwarf_Frame *frame, unsigned int registers, struct rt_cfi_row *row)
{
	Dwarf_Addr start, end;
	unsigned int reg;
	bool signal;
	int ret = dwarf_frame_info(frame, &start, &end, &signal);

	if (ret < 0 || ret >= 64)
		return false;
	row->return_register = (uint8_t)ret;
	row->signal = signal;
	if (!take_cfa(frame, row))
		return false;
	for (reg = 0; reg < registers; reg++)
		if (!take_register(frame, reg, row))
			return false;
	return row->return_register < registers || take_register(frame, row->return_register, row);
}

void rt_cfi_row(struct rt_cfi *cfi, uint64_t vaddr, unsigned int registers, struct rt_cfi_row *row)
{
	Dwarf_Frame *frame;

	memset(row, 0, sizeof(*row));
	if (!cfi)
		return;
	pthread_mutex_lock(&cfi->lock);
	frame = find_frame(cfi, vaddr);
	if (frame)
		row->kind = take_row(frame, registers, row) ? RT_CFI_KNOWN : RT_CFI_TOO_CURLY;
	pthread_mutex_unlock(&cfi->lock);
	free(frame);
}
