// SPDX-License-Identifier: GPL-2.0
/* Answers about types from DWARF. */
#include <dwarf.h>
#include <errno.h>
#include <string.h>

#include "types/debuginfo_internal.h"

enum { STRIP_MAX = 64 }; /* typedefs and qualifiers on the way to a type */

#define SHARED_FILE (1ULL << 63)

/* One DIE describes an array of arrays: a number has how many dimensions were taken from the left. */
#define DIMENSION_SHIFT 56
#define DIMENSION_MAX	127U
#define OFFSET_MASK	((1ULL << DIMENSION_SHIFT) - 1)

rt_type_id rt_debuginfo_id(const struct rt_debuginfo *d, Dwarf_Die *die)
{
	return dwarf_dieoffset(die) | (dwarf_cu_getdwarf(die->cu) == d->dw ? 0 : SHARED_FILE);
}

int rt_debuginfo_die(const struct rt_debuginfo *d, rt_type_id id, Dwarf_Die *die)
{
	Dwarf *dw = id & SHARED_FILE ? dwarf_getalt(d->dw) : d->dw;

	return dw && id && dwarf_offdie(dw, id & OFFSET_MASK, die) ? 0 : -EINVAL;
}

rt_type_id rt_debuginfo_type_of(const struct rt_debuginfo *d, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Die type;

	if (!dwarf_attr_integrate(die, DW_AT_type, &attr) || !dwarf_formref_die(&attr, &type))
		return RT_TYPE_NONE;
	return rt_debuginfo_id(d, &type);
}

static bool is_qualifier(int tag)
{
	return tag == DW_TAG_const_type || tag == DW_TAG_volatile_type ||
	       tag == DW_TAG_restrict_type || tag == DW_TAG_atomic_type;
}

/* Follow qualifiers and, if TYPEDEFS, typedefs; 1: it is void. */
static int strip(const struct rt_debuginfo *d, rt_type_id id, bool typedefs, Dwarf_Die *die)
{
	int i, tag;

	for (i = 0; i < STRIP_MAX; i++) {
		if (!id)
			return 1;
		if (rt_debuginfo_die(d, id, die))
			return -EINVAL;
		tag = dwarf_tag(die);
		if (!is_qualifier(tag) && (!typedefs || tag != DW_TAG_typedef))
			return 0;
		id = rt_debuginfo_type_of(d, die);
	}
	return -EINVAL;
}

static bool is_member(Dwarf_Die *die)
{
	int tag = dwarf_tag(die);

	/* A base class is a member without a name. */
	return tag == DW_TAG_member || tag == DW_TAG_inheritance ||
	       tag == DW_TAG_formal_parameter || tag == DW_TAG_enumerator;
}

static uint32_t count_members(Dwarf_Die *die)
{
	Dwarf_Die child;
	uint32_t n = 0;

	if (!dwarf_child(die, &child))
		do {
			n += is_member(&child);
		} while (rt_debuginfo_sibling(&child));
	return n;
}

static int find_member(Dwarf_Die *die, uint32_t n, Dwarf_Die *out)
{
	if (dwarf_child(die, out))
		return -EINVAL;
	do {
		if (is_member(out) && !n--)
			return 0;
	} while (rt_debuginfo_sibling(out));
	return -EINVAL;
}

static bool get_number(Dwarf_Die *die, unsigned int name, Dwarf_Word *out)
{
	Dwarf_Attribute attr;

	return dwarf_attr_integrate(die, name, &attr) && !dwarf_formudata(&attr, out);
}

static void describe_base(Dwarf_Die *die, struct rt_type *out)
{
	Dwarf_Word encoding = 0;

	get_number(die, DW_AT_encoding, &encoding);
	out->kind = encoding == DW_ATE_float	     ? RT_TYPE_FLOAT :
		    encoding == DW_ATE_complex_float ? RT_TYPE_DECLARED :
						       RT_TYPE_INT;
	out->is_signed = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
	out->is_bool = encoding == DW_ATE_boolean;
	out->is_char = out->size == 1 && out->name && !strcmp(out->name, "char");
}

/* The array that is left after the first TAKEN dimensions. */
static void describe_array(const struct rt_debuginfo *d, Dwarf_Die *die, unsigned int taken,
			   struct rt_type *out)
{
	unsigned int dimensions = 0;
	Dwarf_Word count;
	Dwarf_Die child;

	out->kind = RT_TYPE_ARRAY;
	out->size = 0;
	if (!dwarf_child(die, &child))
		do {
			if (dwarf_tag(&child) != DW_TAG_subrange_type || dimensions++ != taken)
				continue;
			if (get_number(&child, DW_AT_count, &count))
				out->count = count;
			else if (get_number(&child, DW_AT_upper_bound, &count))
				out->count = count + 1;
		} while (rt_debuginfo_sibling(&child));
	if (dimensions > DIMENSION_MAX)
		out->kind = RT_TYPE_DECLARED;
	else if (taken + 1 < dimensions)
		out->target = out->id + (1ULL << DIMENSION_SHIFT);
	else
		out->target = rt_debuginfo_type_of(d, die);
}

static int debuginfo_get(struct rt_types *t, rt_type_id id, struct rt_type *out)
{
	struct rt_debuginfo *d = (struct rt_debuginfo *)t;
	RT_DEBUGINFO_HOLD(d);
	Dwarf_Attribute attr;
	Dwarf_Die die, base;
	Dwarf_Word size;
	int ret;

	memset(out, 0, sizeof(*out));
	ret = strip(d, id, true, &die);
	if (ret)
		return ret < 0 ? ret : 0;
	out->id = rt_debuginfo_id(d, &die);
	out->name = dwarf_diename(&die);
	out->size = get_number(&die, DW_AT_byte_size, &size) ? size : 0;
	switch (dwarf_tag(&die)) {
	case DW_TAG_base_type:
		describe_base(&die, out);
		return 0;
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		out->kind = RT_TYPE_POINTER;
		out->size = 8;
		out->target = rt_debuginfo_type_of(d, &die);
		return 0;
	case DW_TAG_array_type:
		/* Nothing leads to a part of an array but the array. */
		out->id |= id & ~OFFSET_MASK & ~SHARED_FILE;
		describe_array(d, &die, (out->id & ~SHARED_FILE) >> DIMENSION_SHIFT, out);
		return 0;
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
		out->kind = dwarf_tag(&die) == DW_TAG_union_type ? RT_TYPE_UNION : RT_TYPE_STRUCT;
		out->is_union = out->kind == RT_TYPE_UNION;
		out->count = count_members(&die);
		if (dwarf_attr(&die, DW_AT_declaration, &attr))
			out->kind = RT_TYPE_DECLARED;
		return 0;
	case DW_TAG_enumeration_type:
		out->kind = RT_TYPE_ENUM;
		out->count = count_members(&die);
		if (!strip(d, rt_debuginfo_type_of(d, &die), true, &base) &&
		    get_number(&base, DW_AT_encoding, &size))
			out->is_signed = size == DW_ATE_signed || size == DW_ATE_signed_char;
		return 0;
	case DW_TAG_subroutine_type:
	case DW_TAG_subprogram:
		out->kind = RT_TYPE_FUNCTION;
		out->target = rt_debuginfo_type_of(d, &die);
		out->count = count_members(&die);
		out->size = 0;
		return 0;
	default:
		out->kind = RT_TYPE_DECLARED;
		return 0;
	}
}

static const char *debuginfo_alias(struct rt_types *t, rt_type_id id)
{
	struct rt_debuginfo *d = (struct rt_debuginfo *)t;
	RT_DEBUGINFO_HOLD(d);
	Dwarf_Die die;

	if (strip(d, id, false, &die) || dwarf_tag(&die) != DW_TAG_typedef)
		return NULL;
	return dwarf_diename(&die);
}

/* DWARF up to 3 counts bits of a bitfield from the top of its container. */
static void place_bits(const struct rt_debuginfo *d, Dwarf_Die *die, struct rt_member *out)
{
	Dwarf_Word bits, bit, size;
	Dwarf_Die base;

	if (!get_number(die, DW_AT_bit_size, &bits))
		return;
	out->bits = bits;
	if (get_number(die, DW_AT_data_bit_offset, &bit)) {
		out->bit = bit;
	} else if (get_number(die, DW_AT_bit_offset, &bit)) {
		if (!get_number(die, DW_AT_byte_size, &size) &&
		    (strip(d, out->type, true, &base) ||
		     !get_number(&base, DW_AT_byte_size, &size)))
			size = 4;
		out->bit += 8 * size - bit - bits;
	}
}

static int debuginfo_member(struct rt_types *t, rt_type_id id, uint32_t n, struct rt_member *out)
{
	struct rt_debuginfo *d = (struct rt_debuginfo *)t;
	RT_DEBUGINFO_HOLD(d);
	Dwarf_Die die, child;
	Dwarf_Word offset;

	memset(out, 0, sizeof(*out));
	if (rt_debuginfo_die(d, id, &die) || find_member(&die, n, &child))
		return -EINVAL;
	out->name = dwarf_tag(&child) == DW_TAG_inheritance ? NULL : dwarf_diename(&child);
	out->type = rt_debuginfo_type_of(d, &child);
	if (get_number(&child, DW_AT_data_member_location, &offset))
		out->bit = 8 * offset;
	place_bits(d, &child, out);
	return 0;
}

static int debuginfo_enumerator(struct rt_types *t, rt_type_id id, uint32_t n,
				struct rt_enumerator *out)
{
	struct rt_debuginfo *d = (struct rt_debuginfo *)t;
	RT_DEBUGINFO_HOLD(d);
	Dwarf_Attribute attr;
	Dwarf_Die die, child;
	Dwarf_Sword value;

	if (rt_debuginfo_die(d, id, &die) || find_member(&die, n, &child) ||
	    dwarf_tag(&child) != DW_TAG_enumerator ||
	    !dwarf_attr(&child, DW_AT_const_value, &attr) || dwarf_formsdata(&attr, &value))
		return -EINVAL;
	out->name = dwarf_diename(&child);
	out->value = value;
	return 0;
}

static int debuginfo_function(struct rt_types *t, const char *name, rt_type_id *out)
{
	struct rt_debuginfo *d = (struct rt_debuginfo *)t;
	RT_DEBUGINFO_HOLD(d);
	Dwarf_Addr address;

	if (!rt_debuginfo_symbol_address(d, name, &address))
		return -ENOENT;
	return rt_debuginfo_function_type(d, address, out);
}

/* Look for a variable of this name with a place among those that units define. */
static int find_variable(struct rt_debuginfo *d, const char *name, Dwarf_Die *out)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Attribute attr;
	Dwarf_Die unit, die;
	const char *called;

	rt_debuginfo_named_begin(d, name);
	while (rt_debuginfo_named_next(d, &cu, &unit)) {
		if (dwarf_child(&unit, &die))
			continue;
		do {
			if (dwarf_tag(&die) != DW_TAG_variable ||
			    !dwarf_attr(&die, DW_AT_location, &attr))
				continue;
			called = dwarf_diename(&die);
			if (!called || strcmp(called, name))
				continue;
			*out = die;
			return 0;
		} while (rt_debuginfo_sibling(&die));
	}
	return -ENOENT;
}

static int debuginfo_variable(struct rt_types *t, const char *name, rt_type_id *out)
{
	struct rt_debuginfo *d = (struct rt_debuginfo *)t;
	RT_DEBUGINFO_HOLD(d);
	Dwarf_Die die;
	int ret = find_variable(d, name, &die);

	if (!ret)
		*out = rt_debuginfo_type_of(d, &die);
	return ret;
}

int rt_debuginfo_global(struct rt_debuginfo *d, const char *name, struct rt_variable *out)
{
	RT_DEBUGINFO_HOLD(d);
	Dwarf_Die die;
	int ret = find_variable(d, name, &die);

	memset(out, 0, sizeof(*out));
	if (ret)
		return ret;
	out->name = dwarf_diename(&die);
	out->type = rt_debuginfo_type_of(d, &die);
	rt_debuginfo_locate(d, &die, &die, 0, &out->location);
	return 0;
}

static void debuginfo_close(struct rt_types *t)
{
	rt_debuginfo_close((struct rt_debuginfo *)t);
}

const struct rt_types_ops rt_debuginfo_ops = {
	.get = debuginfo_get,
	.alias = debuginfo_alias,
	.member = debuginfo_member,
	.enumerator = debuginfo_enumerator,
	.function = debuginfo_function,
	.variable = debuginfo_variable,
	.close = debuginfo_close,
};
