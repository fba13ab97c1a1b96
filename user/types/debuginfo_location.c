// SPDX-License-Identifier: GPL-2.0
/* Where variables are at an address: location expressions, lists, the frame. */
#include <dwarf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "types/debuginfo_internal.h"

static bool is_register(const Dwarf_Op *op, int *reg)
{
	if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31)
		*reg = op->atom - DW_OP_reg0;
	else if (op->atom == DW_OP_regx)
		*reg = op->number;
	else
		return false;
	return true;
}

static bool is_based(const Dwarf_Op *op, int *reg, int64_t *offset)
{
	if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31) {
		*reg = op->atom - DW_OP_breg0;
		*offset = op->number;
	} else if (op->atom == DW_OP_bregx) {
		*reg = op->number;
		*offset = op->number2;
	} else {
		return false;
	}
	return true;
}

static bool ask_libdw(struct rt_debuginfo *d, Dwarf_Addr address, int *reg, int64_t *offset)
{
	Dwarf_Frame *frame = NULL;
	Dwarf_Op *ops;
	size_t count;
	bool found;

	if (!d->cfi || dwarf_cfi_addrframe(d->cfi, address, &frame))
		return false;
	found = !dwarf_frame_cfa(frame, &ops, &count) && count == 1 &&
		is_based(&ops[0], reg, offset);
	free(frame);
	return found;
}

/* The canonical frame address as register + offset. */
static bool find_cfa(struct rt_debuginfo *d, Dwarf_Addr address, int *reg, int64_t *offset)
{
	/* Several variables of a place are relative to it. */
	if (!d->frame.known || d->frame.address != address) {
		d->frame.address = address;
		d->frame.known =
			rt_debuginfo_frame(d->dw, address, &d->frame.reg, &d->frame.offset) ||
			ask_libdw(d, address, &d->frame.reg, &d->frame.offset);
	}
	*reg = d->frame.reg;
	*offset = d->frame.offset;
	return d->frame.known;
}

/* The frame base of the function, to which DW_OP_fbreg is relative. */
static bool find_frame(struct rt_debuginfo *d, Dwarf_Die *function, Dwarf_Addr address, int *reg,
		       int64_t *offset)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t count;

	if (!dwarf_attr_integrate(function, DW_AT_frame_base, &attr) ||
	    dwarf_getlocation_addr(&attr, address, &ops, &count, 1) != 1 || count != 1)
		return false;
	if (ops[0].atom == DW_OP_call_frame_cfa)
		return find_cfa(d, address, reg, offset);
	*offset = 0;
	return is_register(&ops[0], reg) || is_based(&ops[0], reg, offset);
}

static bool is_constant(const Dwarf_Op *op, uint64_t *value)
{
	if (op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31) {
		*value = op->atom - DW_OP_lit0;
		return true;
	}
	switch (op->atom) {
	case DW_OP_const1u:
	case DW_OP_const2u:
	case DW_OP_const4u:
	case DW_OP_const8u:
	case DW_OP_constu:
	case DW_OP_const1s:
	case DW_OP_const2s:
	case DW_OP_const4s:
	case DW_OP_const8s:
	case DW_OP_consts:
		*value = op->number;
		return true;
	default:
		return false;
	}
}

/*
 * Whether the prologue of the function, which the first row of its lines describes, has not ended at
 * the address.
 */
static bool in_prologue(struct rt_debuginfo *d, Dwarf_Die *function, Dwarf_Addr address)
{
	Dwarf_Addr entry, at;
	Dwarf_Lines *rows;
	Dwarf_Die unit;
	size_t i, count;

	if (dwarf_entrypc(function, &entry) || address < entry)
		return false;
	if (address == entry)
		return true;
	if (!rt_debuginfo_unit(d, entry, &unit) || dwarf_getsrclines(&unit, &rows, &count))
		return false;
	for (i = 0; i < count; i++)
		if (!dwarf_lineaddr(dwarf_onesrcline(rows, i), &at) && at > entry)
			return address < at;
	return false;
}

/* What a parameter's place on the frame means before the prologue has ended. */
static int before_prologue(Dwarf_Die *function)
{
	Dwarf_Die unit;

	switch (dwarf_diecu(function, &unit, NULL, NULL) ? dwarf_srclang(&unit) : -1) {
	case DW_LANG_C89:
	case DW_LANG_C:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case DW_LANG_C_plus_plus:
	case DW_LANG_C_plus_plus_03:
	case DW_LANG_C_plus_plus_11:
	case DW_LANG_C_plus_plus_14:
		return RT_LOCATION_FRAME;
	case DW_LANG_Go:
		/* Go's callers store parameters that are described like this. */
		return RT_LOCATION_MEMORY;
	default:
		return RT_LOCATION_COMPUTED;
	}
}

/* The value that a register had when the function was entered. */
static bool is_entry_value(Dwarf_Attribute *attr, const Dwarf_Op *op, int *reg)
{
	Dwarf_Attribute inner;
	Dwarf_Op *ops;
	size_t count;

	return (op->atom == DW_OP_entry_value || op->atom == DW_OP_GNU_entry_value) &&
	       !dwarf_getlocation_attr(attr, op, &inner) &&
	       !dwarf_getlocation(&inner, &ops, &count) && count == 1 && is_register(&ops[0], reg);
}

static bool is_entry(Dwarf_Die *function, Dwarf_Addr address)
{
	Dwarf_Addr entry;

	return !dwarf_entrypc(function, &entry) && entry == address;
}

static void decode(struct rt_debuginfo *d, Dwarf_Die *function, Dwarf_Addr address,
		   Dwarf_Attribute *attr, const Dwarf_Op *ops, size_t count,
		   struct rt_variable_location *out)
{
	int64_t frame;

	out->second = -1;
	out->kind = RT_LOCATION_NONE;
	if (!count)
		return;
	out->kind = RT_LOCATION_COMPUTED;
	if (count == 1 && is_register(&ops[0], &out->reg)) {
		out->kind = RT_LOCATION_REGISTER;
	} else if (count == 1 && is_based(&ops[0], &out->reg, &out->offset)) {
		out->kind = RT_LOCATION_MEMORY;
	} else if (count == 1 && ops[0].atom == DW_OP_fbreg) {
		if (!find_frame(d, function, address, &out->reg, &frame))
			return;
		out->offset = frame + (int64_t)ops[0].number;
		out->kind = RT_LOCATION_MEMORY;
	} else if (count == 1 && ops[0].atom == DW_OP_addr) {
		uint64_t offset;

		if (!rt_debuginfo_name_address(d, ops[0].number, out->symbol, sizeof(out->symbol),
					       &offset))
			return;
		out->offset = offset;
		out->value = ops[0].number;
		out->kind = RT_LOCATION_ADDRESS;
	} else if (count == 2 && ops[1].atom == DW_OP_stack_value &&
		   is_constant(&ops[0], &out->value)) {
		out->kind = RT_LOCATION_CONSTANT;
	} else if (count == 2 && ops[1].atom == DW_OP_stack_value &&
		   is_entry_value(attr, &ops[0], &out->reg)) {
		out->kind = is_entry(function, address) ? RT_LOCATION_REGISTER : RT_LOCATION_ENTRY;
	} else if (count == 4 && ops[1].atom == DW_OP_piece && ops[1].number == 8 &&
		   ops[3].atom == DW_OP_piece && is_register(&ops[0], &out->reg) &&
		   is_register(&ops[2], &out->second)) {
		out->kind = RT_LOCATION_REGISTER;
	} else if (ops[0].atom == DW_OP_implicit_pointer ||
		   ops[0].atom == DW_OP_GNU_implicit_pointer) {
		out->kind = RT_LOCATION_NONE;
	}
}

void rt_debuginfo_locate(struct rt_debuginfo *d, Dwarf_Die *variable, Dwarf_Die *function,
			 Dwarf_Addr address, struct rt_variable_location *location)
{
	Dwarf_Attribute attr;
	Dwarf_Word value;
	Dwarf_Op *ops;
	size_t count;

	memset(location, 0, sizeof(*location));
	if (dwarf_attr_integrate(variable, DW_AT_const_value, &attr) &&
	    !dwarf_formudata(&attr, &value)) {
		location->kind = RT_LOCATION_CONSTANT;
		location->value = value;
		return;
	}
	if (!dwarf_attr_integrate(variable, DW_AT_location, &attr) ||
	    dwarf_getlocation_addr(&attr, address, &ops, &count, 1) != 1)
		return;
	decode(d, function, address, &attr, ops, count, location);
	/*
	 * Unoptimised code describes one place for all of the function, which the prologue fills.  gcc
	 * describes it relative to the frame base, LLVM to a register, which the prologue sets.
	 */
	if (location->kind == RT_LOCATION_MEMORY &&
	    (dwarf_whatform(&attr) == DW_FORM_exprloc || dwarf_whatform(&attr) == DW_FORM_block1) &&
	    in_prologue(d, function, address))
		location->kind = before_prologue(function);
}

/* --- scopes ------------------------------------------------------------------------------- */

static bool is_variable(Dwarf_Die *die)
{
	return dwarf_tag(die) == DW_TAG_variable || dwarf_tag(die) == DW_TAG_formal_parameter;
}

/* Call each() for the variables of the scopes around an address, innermost first. */
static int walk(struct rt_debuginfo *d, Dwarf_Addr address,
		int (*each)(void *arg, Dwarf_Die *variable, Dwarf_Die *function), void *arg)
{
	Dwarf_Die child, scopes[RT_SCOPES_MAX];
	int i = rt_debuginfo_scopes(d, address, scopes), ret = 0;

	if (!i)
		return -ENOENT;
	while (i-- && !ret) {
		if (dwarf_child(&scopes[i], &child))
			continue;
		do {
			if (is_variable(&child) && dwarf_diename(&child))
				ret = each(arg, &child, &scopes[0]);
		} while (!ret && rt_debuginfo_sibling(&child));
	}
	return ret;
}

struct listing {
	struct rt_debuginfo *d;
	Dwarf_Addr address;
	int (*each)(void *arg, const struct rt_variable *variable);
	void *arg;
};

static void fill(struct rt_debuginfo *d, Dwarf_Die *die, Dwarf_Die *function, Dwarf_Addr address,
		 struct rt_variable *out)
{
	out->name = dwarf_diename(die);
	out->type = rt_debuginfo_type_of(d, die);
	out->parameter = dwarf_tag(die) == DW_TAG_formal_parameter;
	rt_debuginfo_locate(d, die, function, address, &out->location);
}

static int list_one(void *arg, Dwarf_Die *die, Dwarf_Die *function)
{
	struct listing *l = arg;
	struct rt_variable variable;

	fill(l->d, die, function, l->address, &variable);
	return l->each(l->arg, &variable);
}

int rt_debuginfo_variables(struct rt_debuginfo *d, uint64_t address,
			   int (*each)(void *arg, const struct rt_variable *variable), void *arg)
{
	RT_DEBUGINFO_HOLD(d);
	struct listing l = { d, address, each, arg };

	return walk(d, address, list_one, &l);
}

int rt_debuginfo_globals(struct rt_debuginfo *d, uint64_t address,
			 int (*each)(void *arg, const struct rt_variable *variable), void *arg)
{
	RT_DEBUGINFO_HOLD(d);
	struct listing l = { d, address, each, arg };
	Dwarf_Attribute attr;
	Dwarf_Die unit, die;
	int ret = 0;

	if (!rt_debuginfo_unit(d, address, &unit) || dwarf_child(&unit, &die))
		return -ENOENT;
	do {
		if (dwarf_tag(&die) == DW_TAG_variable && dwarf_diename(&die) &&
		    dwarf_attr_integrate(&die, DW_AT_location, &attr))
			ret = list_one(&l, &die, &unit);
	} while (!ret && rt_debuginfo_sibling(&die));
	return ret;
}

struct finding {
	struct rt_debuginfo *d;
	Dwarf_Addr address;
	const char *name;
	struct rt_nearest *near;
	struct rt_variable *out;
	Dwarf_Die die;
	bool found;
};

/* Of several variables of that name the innermost with a place counts. */
static int find_one(void *arg, Dwarf_Die *die, Dwarf_Die *function)
{
	struct finding *f = arg;

	if (strcmp(dwarf_diename(die), f->name)) {
		if (f->near)
			rt_nearest_offer(f->near, dwarf_diename(die));
		return 0;
	}
	f->found = true;
	f->die = *die;
	fill(f->d, die, function, f->address, f->out);
	return f->out->location.kind != RT_LOCATION_NONE;
}

int rt_debuginfo_variable(struct rt_debuginfo *d, uint64_t address, const char *name,
			  struct rt_variable *out, struct rt_nearest *near)
{
	RT_DEBUGINFO_HOLD(d);
	struct finding f = { .d = d, .address = address, .name = name, .near = near, .out = out };
	int ret = walk(d, address, find_one, &f);

	return ret < 0 ? ret : f.found ? 0 : -ENOENT;
}

const char *rt_debuginfo_live_lines(struct rt_debuginfo *d, uint64_t address, const char *name,
				    char *out, size_t size)
{
	RT_DEBUGINFO_HOLD(d);
	struct rt_variable variable;
	struct finding f = { .d = d, .address = address, .name = name, .out = &variable };
	Dwarf_Addr base, begin, end;
	Dwarf_Attribute attr;
	Dwarf_Line *line;
	Dwarf_Die unit;
	ptrdiff_t at = 0;
	Dwarf_Op *ops;
	size_t count, used = 0;
	int number, last = 0;

	out[0] = 0;
	if (walk(d, address, find_one, &f) < 0 || !f.found ||
	    !dwarf_attr_integrate(&f.die, DW_AT_location, &attr) ||
	    !rt_debuginfo_unit(d, address, &unit))
		return out;
	while ((at = dwarf_getlocations(&attr, at, &base, &begin, &end, &ops, &count)) > 0) {
		line = count ? dwarf_getsrc_die(&unit, begin) : NULL;
		if (!line || dwarf_lineno(line, &number) || !number || number == last)
			continue;
		used += snprintf(out + used, size - used, "%s%d", used ? ", " : "", number);
		last = number;
		if (used + 16 > size || used > 40)
			break;
	}
	return out;
}
