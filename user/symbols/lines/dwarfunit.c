// SPDX-License-Identifier: GPL-2.0
/* dwarfunit.c - see dwarfunit.h */
#include "symbols/lines/dwarfunit.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

/* No compiler nests deeper; a file that does is damaged. */
#define MAX_DEPTH 256
/* How far to follow names through abstract origins and specifications. */
#define MAX_ORIGINS 32

/* ---- names --------------------------------------------------------------------- */

static const char *string_attribute(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attr;

	return dwarf_attr(die, name, &attr) ? dwarf_formstring(&attr) : NULL;
}

static bool origin_of(Dwarf_Die *die, Dwarf_Die *origin)
{
	Dwarf_Attribute attr;

	if (!dwarf_attr(die, DW_AT_abstract_origin, &attr) &&
	    !dwarf_attr(die, DW_AT_specification, &attr))
		return false;
	return dwarf_formref_die(&attr, origin) != NULL;
}

/* Use a linkage name from anywhere on the way, otherwise the first plain name. */
static void name_function(struct rt_dwarf_function *f, Dwarf_Die *die, bool c_names)
{
	Dwarf_Die at = *die, next;
	const char *plain = NULL, *name;
	int i;

	for (i = 0; i < MAX_ORIGINS; i++) {
		name = string_attribute(&at, DW_AT_linkage_name);
		if (!name)
			name = string_attribute(&at, DW_AT_MIPS_linkage_name);
		if (name) {
			f->name = name;
			f->is_linkage = true;
			return;
		}
		if (!plain)
			plain = string_attribute(&at, DW_AT_name);
		if (!origin_of(&at, &next))
			break;
		at = next;
	}
	f->name = plain;
	f->is_linkage = plain && c_names;
}

static bool language_has_plain_symbols(Dwarf_Die *unit)
{
	switch (dwarf_srclang(unit)) {
	case DW_LANG_C89:
	case DW_LANG_C:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case DW_LANG_Cobol74:
	case DW_LANG_Cobol85:
	case DW_LANG_Fortran77:
	case DW_LANG_Pascal83:
	case DW_LANG_PLI:
	case DW_LANG_UPC:
	case DW_LANG_Mips_Assembler:
		return true;
	default:
		return false;
	}
}

/* ---- reading a unit --------------------------------------------------------------- */

/* Put the compilation directory, relative or not, in front of relative names. */
static const char *full_name(struct rt_dwarf *d, struct rt_dwarf_unit *u, const char *name)
{
	const char *dir = string_attribute(&u->die, DW_AT_comp_dir);
	char *full;

	if (name[0] == '/' || !dir)
		return name;
	full = rt_arena_alloc(&d->arena, strlen(dir) + strlen(name) + 2);
	if (!full)
		return name;
	stpcpy(stpcpy(stpcpy(full, dir), "/"), name);
	return full;
}

const char *rt_dwarf_unit_file(struct rt_dwarf *d, struct rt_dwarf_unit *u, Dwarf_Word index)
{
	const char *name;

	if (index >= u->file_count)
		return "<unknown>";
	if (u->file[index])
		return u->file[index];
	name = dwarf_filesrc(u->files, index, NULL, NULL);
	/* libdw returns "???" where DWARF before version 5 says "no file". */
	if (!name || !strcmp(name, "???"))
		name = "<unknown>";
	else
		name = full_name(d, u, name);
	u->file[index] = name;
	return name;
}

/* Join adjacent ranges, as addr2line does. */
static void add_function_range(struct rt_ranges *r, size_t first, uint64_t low, uint64_t high,
			       struct rt_dwarf_function *f, uint32_t order)
{
	size_t i;

	if (low >= high)
		return;
	for (i = first; i < r->count; i++) {
		if (low == r->range[i].high) {
			r->range[i].high = high;
			return;
		}
		if (high == r->range[i].low) {
			r->range[i].low = low;
			return;
		}
	}
	rt_ranges_add(r, low, high, f, order);
}

static struct rt_dwarf_function *read_function(struct rt_dwarf *d, struct rt_dwarf_unit *u,
					       Dwarf_Die *die, struct rt_dwarf_function *caller)
{
	struct rt_dwarf_function *f = rt_arena_alloc(&d->arena, sizeof(*f));
	size_t first = u->functions.count;
	uint32_t order = u->made++;
	Dwarf_Addr base, low, high;
	Dwarf_Attribute attr;
	ptrdiff_t at = 0;
	Dwarf_Word value;

	if (!f)
		return NULL;
	while ((at = dwarf_ranges(die, at, &base, &low, &high)) > 0)
		add_function_range(&u->functions, first, low, high, f, order);
	if (u->functions.count > first)
		f->low = u->functions.range[first].low;
	f->is_inlined = dwarf_tag(die) == DW_TAG_inlined_subroutine;
	if (f->is_inlined)
		f->caller = caller;
	name_function(f, die, u->c_names);
	if (dwarf_formudata(dwarf_attr(die, DW_AT_call_file, &attr), &value) == 0)
		f->call_file = rt_dwarf_unit_file(d, u, value);
	if (dwarf_formudata(dwarf_attr(die, DW_AT_call_line, &attr), &value) == 0)
		f->call_line = value;
	return f;
}

static bool may_hold_functions(int tag)
{
	switch (tag) {
	case DW_TAG_enumeration_type:
	case DW_TAG_array_type:
	case DW_TAG_subroutine_type:
	case DW_TAG_formal_parameter:
	case DW_TAG_GNU_call_site:
	case DW_TAG_call_site:
	case DW_TAG_variable:
		return false;
	default:
		return true;
	}
}

/* A declaration in a class has no code; its definition refers to it as its specification. */
static void read_children(struct rt_dwarf *d, struct rt_dwarf_unit *u, Dwarf_Die *parent,
			  struct rt_dwarf_function *caller, int depth)
{
	Dwarf_Die die;

	if (depth > MAX_DEPTH || dwarf_child(parent, &die))
		return;
	do {
		struct rt_dwarf_function *f = caller;
		int tag = dwarf_tag(&die);

		if (tag == DW_TAG_subprogram || tag == DW_TAG_entry_point ||
		    tag == DW_TAG_inlined_subroutine)
			f = read_function(d, u, &die, caller);
		if (may_hold_functions(tag) && dwarf_haschildren(&die) > 0)
			read_children(d, u, &die, f, depth + 1);
	} while (dwarf_siblingof(&die, &die) == 0);
}

/*
 * A sequence of rows begins with file 1, and compilers name a file only when it changes.  In DWARF
 * 5, addr2line 2.40 begins with 0.
 */
static void find_unnamed(struct rt_dwarf_unit *u, size_t count)
{
	Dwarf_Addr start = 0, addr;
	bool in_run = false, fresh = true, end;
	Dwarf_Files *files;
	Dwarf_Line *line;
	size_t i, file;

	for (i = 0; i < count; i++) {
		line = dwarf_onesrcline(u->lines, i);
		if (!line || dwarf_lineaddr(line, &addr) || dwarf_lineendsequence(line, &end) ||
		    dwarf_line_file(line, &files, &file))
			return;
		if (fresh) {
			in_run = file == 1;
			start = addr;
		}
		if (in_run && (file != 1 || end)) {
			if (start < addr)
				rt_ranges_add(&u->unnamed, start, addr, u, 0);
			in_run = false;
		}
		fresh = end;
	}
	rt_ranges_sort(&u->unnamed);
}

void rt_dwarf_unit_read(struct rt_dwarf *d, struct rt_dwarf_unit *u)
{
	size_t count;

	u->read = true;
	u->c_names = language_has_plain_symbols(&u->die);
	if (d->no_lines || dwarf_getsrclines(&u->die, &u->lines, &count))
		u->lines = NULL;
	else if (d->file_zero && u->version >= 5)
		find_unnamed(u, count);
	if (!d->no_lines && dwarf_getsrcfiles(&u->die, &u->files, &count) == 0) {
		u->file = rt_arena_alloc(&d->arena, count * sizeof(*u->file));
		u->file_count = u->file ? count : 0;
	}
	read_children(d, u, &u->die, NULL, 0);
	rt_ranges_sort(&u->functions);
}
