// SPDX-License-Identifier: GPL-2.0
/*
 * The canonical frame address of a function at an address, from .debug_frame.
 *
 * libdw can tell, but keeps every entry of the section up to the one that it looks for: of a kernel, tens of
 * thousands.  This reads only the headers on the way.  What it does not know is left to libdw.
 */
#include <dwarf.h>
#include <string.h>

#include "types/debuginfo_internal.h"
#include "types/dwarf_bytes.h"

enum {
	ADDRESS_SIZE = 8,
	COMMON = 0xffffffff, /* in place of the offset of a common entry */
	STATES_MAX = 8,	     /* that are remembered at once */
};

struct cfa {
	uint64_t reg;
	int64_t offset;
	bool known; /* false: an expression */
};

struct common {
	uint64_t code_factor;
	int64_t data_factor;
	struct rt_dwarf_bytes program;
};

static uint64_t get_unsigned(struct rt_dwarf_bytes *b)
{
	return rt_dwarf_get_leb(b, false);
}

static int64_t get_signed(struct rt_dwarf_bytes *b)
{
	return (int64_t)rt_dwarf_get_leb(b, true);
}

/* False: it has something that is not read here. */
static bool read_common(const struct rt_dwarf_bytes *section, uint64_t offset, struct common *out)
{
	struct rt_dwarf_bytes b = *section, entry;
	uint8_t version;

	rt_dwarf_skip(&b, offset);
	entry = rt_dwarf_get_part(&b);
	if (rt_dwarf_get(&entry, 4) != COMMON)
		return false;
	version = rt_dwarf_get(&entry, 1);
	if ((version != 1 && version != 3 && version != 4) || rt_dwarf_get(&entry, 1))
		return false;
	if (version == 4 && (rt_dwarf_get(&entry, 1) != ADDRESS_SIZE || rt_dwarf_get(&entry, 1)))
		return false;
	out->code_factor = get_unsigned(&entry);
	out->data_factor = get_signed(&entry);
	if (version == 1)
		rt_dwarf_get(&entry, 1);
	else
		get_unsigned(&entry);
	out->program = entry;
	return entry.at;
}

/* Step over an instruction that is about a register; false: it is another one. */
static bool pass_register(struct rt_dwarf_bytes *b, uint8_t op)
{
	switch (op) {
	case DW_CFA_nop:
	case DW_CFA_AARCH64_negate_ra_state:
		return true;
	case DW_CFA_undefined:
	case DW_CFA_same_value:
	case DW_CFA_restore_extended:
	case DW_CFA_GNU_args_size:
		get_unsigned(b);
		return true;
	case DW_CFA_offset_extended:
	case DW_CFA_register:
	case DW_CFA_val_offset:
	case DW_CFA_offset_extended_sf:
	case DW_CFA_val_offset_sf:
		/* A signed number has as many bytes as an unsigned one. */
		get_unsigned(b);
		get_unsigned(b);
		return true;
	case DW_CFA_expression:
	case DW_CFA_val_expression:
		get_unsigned(b);
		rt_dwarf_skip(b, get_unsigned(b));
		return true;
	default:
		return false;
	}
}

/* False: it does not define the frame address. */
static bool define(struct rt_dwarf_bytes *b, uint8_t op, int64_t factor, struct cfa *cfa)
{
	switch (op) {
	case DW_CFA_def_cfa:
	case DW_CFA_def_cfa_sf:
		cfa->reg = get_unsigned(b);
		cfa->known = true;
		break;
	case DW_CFA_def_cfa_register:
		cfa->reg = get_unsigned(b);
		return true;
	case DW_CFA_def_cfa_offset:
	case DW_CFA_def_cfa_offset_sf:
		break;
	case DW_CFA_def_cfa_expression:
		rt_dwarf_skip(b, get_unsigned(b));
		cfa->known = false;
		return true;
	default:
		return false;
	}
	cfa->offset = op == DW_CFA_def_cfa_sf || op == DW_CFA_def_cfa_offset_sf ?
			      get_signed(b) * factor :
			      (int64_t)get_unsigned(b);
	return true;
}

/* How far an instruction moves the address; false: it does not move it. */
static bool advance(struct rt_dwarf_bytes *b, uint8_t op, uint64_t factor, uint64_t *by)
{
	if (op >> 6 == DW_CFA_advance_loc >> 6)
		*by = op & 0x3f;
	else if (op == DW_CFA_advance_loc1)
		*by = rt_dwarf_get(b, 1);
	else if (op == DW_CFA_advance_loc2)
		*by = rt_dwarf_get(b, 2);
	else if (op == DW_CFA_advance_loc4)
		*by = rt_dwarf_get(b, 4);
	else
		return false;
	*by *= factor;
	return true;
}

/* Run a program until it has passed LEFT bytes of code.  False: it has something that is not known here. */
static bool run(struct rt_dwarf_bytes b, const struct common *c, uint64_t left, struct cfa *cfa)
{
	struct cfa states[STATES_MAX];
	unsigned int depth = 0;
	uint64_t by;
	uint8_t op;

	while (b.at && b.at < b.end) {
		op = rt_dwarf_get(&b, 1);
		if (op >> 6 == DW_CFA_offset >> 6) {
			get_unsigned(&b);
		} else if (op >> 6 == DW_CFA_restore >> 6) {
			continue;
		} else if (advance(&b, op, c->code_factor, &by)) {
			if (by > left)
				break;
			left -= by;
		} else if (op == DW_CFA_remember_state && depth < STATES_MAX) {
			states[depth++] = *cfa;
		} else if (op == DW_CFA_restore_state && depth) {
			*cfa = states[--depth];
		} else if (!define(&b, op, c->data_factor, cfa) && !pass_register(&b, op)) {
			return false;
		}
	}
	return b.at;
}

bool rt_debuginfo_frame(Dwarf *dw, Dwarf_Addr address, int *reg, int64_t *offset)
{
	struct rt_dwarf_bytes section, b, entry;
	struct cfa cfa = { 0 };
	struct common common;
	uint64_t from, length;
	uint32_t common_at;
	size_t size;

	if (!rt_debuginfo_is_plain(dw))
		return false;
	section.at = rt_debuginfo_section(dw, ".debug_frame", &size);
	section.end = section.at ? section.at + size : NULL;
	for (b = section; b.at && b.at < b.end;) {
		entry = rt_dwarf_get_part(&b);
		common_at = rt_dwarf_get(&entry, 4);
		if (common_at == COMMON)
			continue;
		from = rt_dwarf_get(&entry, ADDRESS_SIZE);
		length = rt_dwarf_get(&entry, ADDRESS_SIZE);
		if (!entry.at || address < from || address - from >= length)
			continue;
		if (!read_common(&section, common_at, &common) ||
		    !run(common.program, &common, UINT64_MAX, &cfa) ||
		    !run(entry, &common, address - from, &cfa) || !cfa.known)
			return false;
		*reg = cfa.reg;
		*offset = cfa.offset;
		return true;
	}
	return false;
}
