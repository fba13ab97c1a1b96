// SPDX-License-Identifier: GPL-2.0
/* Functions by name: their entries and their inlined copies. */
#include <dwarf.h>
#include <errno.h>
#include <string.h>

#include "types/debuginfo_internal.h"

struct search {
	struct rt_debuginfo *d;
	struct rt_code_places *out;
	bool header; /* the function is from a header: any unit may have copies */
	int ret;
};

/*
 * The compiler names the instruction at which a copy is entered.  It need not be the function's: instructions
 * may have been moved, also in front of the condition under which the copy runs.  Without a name it is where
 * the first range begins, even if that is empty.
 */
bool rt_debuginfo_instance_address(Dwarf_Die *instance, Dwarf_Addr *address)
{
	Dwarf_Addr base, end;

	return !dwarf_entrypc(instance, address) ||
	       dwarf_ranges(instance, 0, &base, address, &end) > 0;
}

/* The numbers of a file and a line in attributes of the DIE itself. */
static bool get_position(Dwarf_Die *die, unsigned int file_name, unsigned int line_name,
			 Dwarf_Word *file, Dwarf_Word *line)
{
	Dwarf_Attribute attr;

	return dwarf_attr(die, file_name, &attr) && !dwarf_formudata(&attr, file) &&
	       dwarf_attr(die, line_name, &attr) && !dwarf_formudata(&attr, line);
}

const void *rt_debuginfo_origin(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Die origin;

	return dwarf_attr(die, DW_AT_abstract_origin, &attr) && dwarf_formref_die(&attr, &origin) ?
		       origin.addr :
		       NULL;
}

bool rt_debuginfo_is_part(Dwarf_Die *instance, Dwarf_Die *function)
{
	Dwarf_Word call_file, call_line, file, line;

	return get_position(instance, DW_AT_call_file, DW_AT_call_line, &call_file, &call_line) &&
	       get_position(function, DW_AT_decl_file, DW_AT_decl_line, &file, &line) &&
	       call_file == file && call_line == line;
}

static void take_instance(struct search *s, Dwarf_Die *instance)
{
	Dwarf_Addr address;

	if (rt_debuginfo_instance_address(instance, &address))
		s->ret = rt_debuginfo_add_place(s->d, address, true, s->out);
}

/* Find where FUNCTION was inlined below a DIE, which is INSIDE the function itself or a copy of it. */
static void search_instances(struct search *s, Dwarf_Die *parent, Dwarf_Die *function, bool inside,
			     int depth)
{
	bool is_copy;
	Dwarf_Die die;
	int tag;

	if (depth == RT_SCOPES_MAX || dwarf_child(parent, &die))
		return;
	do {
		tag = dwarf_tag(&die);
		is_copy = (tag == DW_TAG_inlined_subroutine || tag == DW_TAG_subprogram) &&
			  rt_debuginfo_origin(&die) == function->addr;
		if (is_copy && tag == DW_TAG_inlined_subroutine &&
		    !(inside && rt_debuginfo_is_part(&die, function)))
			take_instance(s, &die);
		if (tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block ||
		    tag == DW_TAG_inlined_subroutine || tag == DW_TAG_namespace ||
		    tag == DW_TAG_structure_type || tag == DW_TAG_class_type)
			search_instances(s, &die, function,
					 is_copy || (inside && tag == DW_TAG_lexical_block),
					 depth + 1);
	} while (!s->ret && rt_debuginfo_sibling(&die));
}

/*
 * Kernels for arm64 put instructions for ftrace before the code that DWARF describes: a probe at the
 * entry is at the symbol.
 */
static int add_entry(struct search *s, Dwarf_Addr address)
{
	const struct rt_code_symbol *symbol =
		rt_code_symbols_at(rt_debuginfo_symbols(s->d), address);
	size_t before = s->out->count;
	int ret = rt_debuginfo_add_place(s->d, address, false, s->out);

	if (s->out->count > before && address - symbol->address <= RT_PATCHABLE_MAX) {
		s->out->list[before].before = address - symbol->address;
		s->out->list[before].offset -= address - symbol->address;
	}
	return ret;
}

/* Whether a function of C is written in a header, so that other units have it, too. */
static bool is_from_header(Dwarf_Die *function)
{
	const char *file = dwarf_decl_file(function);
	size_t size = file ? strlen(file) : 0;

	return size > 2 && !strcmp(file + size - 2, ".h");
}

/* Find NAME among the functions of a unit or namespace: its own code, and where it was inlined. */
static void search_in(struct search *s, Dwarf_Die *parent, const char *name, bool classes,
		      int depth)
{
	Dwarf_Addr address;
	Dwarf_Die die, unit;

	if (depth == RT_SCOPES_MAX || dwarf_child(parent, &die))
		return;
	do {
		if (rt_debuginfo_is_container(dwarf_tag(&die), classes))
			search_in(s, &die, name, classes, depth + 1);
		if (dwarf_tag(&die) != DW_TAG_subprogram || !rt_debuginfo_is_called(&die, name))
			continue;
		s->header |= is_from_header(&die);
		if (dwarf_func_inline(&die) && dwarf_diecu(&die, &unit, NULL, NULL))
			search_instances(s, &unit, &die, false, 0);
		else if (!dwarf_entrypc(&die, &address))
			s->ret = add_entry(s, address);
	} while (!s->ret && rt_debuginfo_sibling(&die));
}

static bool find_in(Dwarf_Die *parent, const char *name, bool classes, Dwarf_Die *out, int depth)
{
	Dwarf_Die die;

	if (depth == RT_SCOPES_MAX || dwarf_child(parent, &die))
		return false;
	do {
		if (dwarf_tag(&die) == DW_TAG_subprogram && rt_debuginfo_is_called(&die, name)) {
			*out = die;
			return true;
		}
		if (rt_debuginfo_is_container(dwarf_tag(&die), classes) &&
		    find_in(&die, name, classes, out, depth + 1))
			return true;
	} while (rt_debuginfo_sibling(&die));
	return false;
}

bool rt_debuginfo_find_function(Dwarf_Die *unit, const char *name, Dwarf_Die *out)
{
	return find_in(unit, name, !rt_debuginfo_is_c(unit), out, 0);
}

static void search_unit(struct search *s, Dwarf_Die *unit, const char *name)
{
	search_in(s, unit, name, !rt_debuginfo_is_c(unit), 0);
}

/* Whether the entry of the function at a symbol is among the places. */
static bool has_entry(const struct rt_code_places *places, Dwarf_Addr address)
{
	const struct rt_code_place *place;
	int i;

	for (i = 0; i <= RT_PATCHABLE_MAX; i++) {
		place = rt_debuginfo_find_place(places, address + i);
		if (place && !place->inlined)
			return true;
	}
	return false;
}

/* A function at a symbol: its entry, and its inlined copies in its unit. */
static int search_symbol(struct search *s, Dwarf_Addr address, const char *name)
{
	Dwarf_Die unit;

	if (rt_debuginfo_unit(s->d, address, &unit) ||
	    rt_debuginfo_unit(s->d, address + RT_PATCHABLE_MAX, &unit))
		search_unit(s, &unit, name);
	if (!s->ret && !has_entry(s->out, address))
		s->ret = rt_debuginfo_add_place(s->d, address, false, s->out);
	return s->ret;
}

static int take_place(void *arg, uint64_t address, bool inlined)
{
	struct search *s = arg;

	return inlined ? rt_debuginfo_add_place(s->d, address, true, s->out) :
			 add_entry(s, address);
}

int rt_debuginfo_function(struct rt_debuginfo *d, const char *name, struct rt_code_places *out)
{
	RT_DEBUGINFO_HOLD(d);
	struct search s = { .d = d, .out = out };
	const struct rt_code_symbol *symbol;
	const struct rt_debug_index *index;
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;
	size_t at = 0;

	while ((symbol = rt_code_symbols_next(rt_debuginfo_symbols(d), name, &at)))
		if (search_symbol(&s, symbol->address, name))
			return s.ret;
	if (at && !s.header)
		return 0;
	/* The index has no names with namespaces. */
	index = strchr(name, ':') ? NULL : rt_debuginfo_index(d, RT_DEBUG_INDEX_FUNCTIONS, true);
	if (index)
		s.ret = rt_debug_index_function(index, name, take_place, &s);
	else
		rt_debuginfo_named_begin(d, name);
	while (!index && !s.ret && rt_debuginfo_named_next(d, &cu, &unit))
		search_unit(&s, &unit, name);
	return s.ret ? s.ret : out->count ? 0 : -ENOENT;
}
