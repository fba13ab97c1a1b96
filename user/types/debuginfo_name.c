// SPDX-License-Identifier: GPL-2.0
/* Names of functions with their namespaces and classes. */
#include <dwarf.h>
#include <string.h>

#include "types/debuginfo_internal.h"

enum { ORIGINS_MAX = 8 }; /* from code to the declaration of its function */

bool rt_debuginfo_is_c(Dwarf_Die *unit)
{
	switch (dwarf_srclang(unit)) {
	case DW_LANG_C:
	case DW_LANG_C89:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case DW_LANG_Mips_Assembler:
		return true;
	default:
		return false;
	}
}

/* The part of NAME behind the last "::" that is not inside template arguments. */
static const char *last_part(const char *name)
{
	const char *at;
	int depth = 0;

	for (at = name + strlen(name); at > name; at--) {
		if (at[-1] == '>' && at - name >= 2 && at[-2] != '-')
			depth++;
		else if (at[-1] == '<')
			depth--;
		else if (!depth && at[-1] == ':' && at - name >= 2 && at[-2] == ':')
			return at;
	}
	return name;
}

/* Where a function is declared: inside its class, while its code is outside. */
static void find_declaration(const Dwarf_Die *die, Dwarf_Die *out)
{
	Dwarf_Attribute attr;
	int i;

	*out = *die;
	for (i = 0; i < ORIGINS_MAX; i++)
		if ((!dwarf_attr(out, DW_AT_abstract_origin, &attr) &&
		     !dwarf_attr(out, DW_AT_specification, &attr)) ||
		    !dwarf_formref_die(&attr, out))
			return;
}

/* The scopes around a DIE, outermost first; DIEs are in the order of their offsets. */
static int find_parents(const Dwarf_Die *die, Dwarf_Die out[RT_SCOPES_MAX])
{
	Dwarf_Die at, child, next;
	int count = 0;

	if (!dwarf_diecu((Dwarf_Die *)die, &at, NULL, NULL))
		return 0;
	while (count < RT_SCOPES_MAX && at.addr != die->addr && !dwarf_child(&at, &child)) {
		for (next = child; (const char *)next.addr <= (const char *)die->addr;) {
			child = next;
			if (!rt_debuginfo_sibling(&next))
				break;
		}
		if (child.addr != die->addr)
			out[count++] = child;
		at = child;
	}
	return count;
}

/* Whether SCOPES, outermost first, end with those that the text from NAME to END names. */
static bool is_inside(Dwarf_Die *scopes, int count, const char *name, const char *end)
{
	const char *part;
	ptrdiff_t size;

	while (count--) {
		part = dwarf_diename(&scopes[count]);
		/* A namespace without a name. */
		if (!part)
			continue;
		size = strlen(part);
		if (end - name < size || memcmp(end - size, part, size))
			return false;
		end -= size;
		if (end == name)
			return true;
		if (end - name < 2 || memcmp(end - 2, "::", 2))
			return false;
		end -= 2;
	}
	return false;
}

bool rt_debuginfo_is_called(Dwarf_Die *die, const char *name)
{
	const char *last = last_part(name), *called = dwarf_diename(die);
	Dwarf_Die declaration, scopes[RT_SCOPES_MAX];

	if (!called || strcmp(called, last))
		return false;
	if (last == name)
		return true;
	find_declaration(die, &declaration);
	return is_inside(scopes, find_parents(&declaration, scopes), name, last - 2);
}
