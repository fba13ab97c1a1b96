// SPDX-License-Identifier: GPL-2.0
/*
 * Lines whose code is that of another function: the calls of functions that were inlined.
 *
 * The compiler may move the instructions of an inlined function away from those of the line that calls it,
 * or the call may have no instruction of its own.  So the beginning of an inlined function belongs to the
 * line of the call, too, and to the line of the function's declaration.
 */
#include <dwarf.h>

#include "types/debuginfo_internal.h"

struct walk {
	Dwarf_Files *files; /* of the unit */
	size_t count;
	int (*each)(void *arg, const char *path, unsigned int line, uint64_t address);
	void *arg;
	int ret;
};

/* The number in an attribute of the DIE itself. */
static bool get_number(Dwarf_Die *die, unsigned int name, Dwarf_Word *out)
{
	Dwarf_Attribute attr;

	return dwarf_attr(die, name, &attr) && !dwarf_formudata(&attr, out);
}

static void give(struct walk *w, Dwarf_Word file, Dwarf_Word line, Dwarf_Addr address)
{
	const char *path = file < w->count ? dwarf_filesrc(w->files, file, NULL, NULL) : NULL;

	if (path && line && line <= INT32_MAX)
		w->ret = w->each(w->arg, path, (unsigned int)line, address);
}

/* The line of the declaration of the function that DIE is, or is a copy of. */
static void give_declaration(struct walk *w, Dwarf_Die *die, Dwarf_Addr address)
{
	const char *path = dwarf_decl_file(die);
	int line;

	if (path && !dwarf_decl_line(die, &line) && line > 0)
		w->ret = w->each(w->arg, path, (unsigned int)line, address);
}

static void take_copy(struct walk *w, Dwarf_Die *copy)
{
	Dwarf_Word file, line;
	Dwarf_Addr address;

	if (!rt_debuginfo_instance_address(copy, &address))
		return;
	if (get_number(copy, DW_AT_call_file, &file) && get_number(copy, DW_AT_call_line, &line))
		give(w, file, line, address);
	if (!w->ret)
		give_declaration(w, copy, address);
}

/* The copies of other functions inside a function with code. */
static void walk_function(struct walk *w, Dwarf_Die *parent, int depth)
{
	Dwarf_Die die;
	int tag;

	if (depth == RT_SCOPES_MAX || dwarf_child(parent, &die))
		return;
	do {
		tag = dwarf_tag(&die);
		if (tag == DW_TAG_inlined_subroutine)
			take_copy(w, &die);
		if (!w->ret && (tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block))
			walk_function(w, &die, depth + 1);
	} while (!w->ret && rt_debuginfo_sibling(&die));
}

static void take_function(struct walk *w, Dwarf_Die *function)
{
	Dwarf_Addr address;

	if (dwarf_entrypc(function, &address))
		return;
	give_declaration(w, function, address);
	if (!w->ret)
		walk_function(w, function, 0);
}

static void walk_unit(struct walk *w, Dwarf_Die *parent, bool classes, int depth)
{
	Dwarf_Die die;
	int tag;

	if (depth == RT_SCOPES_MAX || dwarf_child(parent, &die))
		return;
	do {
		tag = dwarf_tag(&die);
		if (tag == DW_TAG_subprogram)
			take_function(w, &die);
		else if (rt_debuginfo_is_container(tag, classes))
			walk_unit(w, &die, classes, depth + 1);
	} while (!w->ret && rt_debuginfo_sibling(&die));
}

int rt_debuginfo_calls(Dwarf_Die *unit, Dwarf_Die *function,
		       int (*each)(void *arg, const char *path, unsigned int line,
				   uint64_t address),
		       void *arg)
{
	struct walk w = { .each = each, .arg = arg };

	if (dwarf_getsrcfiles(unit, &w.files, &w.count))
		return 0;
	if (function)
		take_function(&w, function);
	else
		walk_unit(&w, unit, !rt_debuginfo_is_c(unit), 0);
	return w.ret;
}
