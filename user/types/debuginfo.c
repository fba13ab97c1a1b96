// SPDX-License-Identifier: GPL-2.0
/* Open the debug information of a file, find units, symbols and functions. */
#include <dwarf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "types/debuginfo_internal.h"
#include "types/separate.h"

enum { PATCHABLE_MAX = 16 }; /* bytes between a symbol and the code that DWARF describes */

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = rt_separate_find,
	.section_address = dwfl_offline_section_address,
};

int rt_debuginfo_open(struct rt_debuginfo **out, const char *path, struct rt_err *err)
{
	struct rt_debuginfo *d = calloc(1, sizeof(*d));
	Dwarf_Addr bias;

	if (!d)
		return rt_err_set(err, ENOMEM, "out of memory");
	d->types.ops = &rt_debuginfo_ops;
	d->dwfl = dwfl_begin(&callbacks);
	if (d->dwfl) {
		dwfl_report_begin(d->dwfl);
		d->module = dwfl_report_offline(d->dwfl, "", path, -1);
		dwfl_report_end(d->dwfl, NULL, NULL);
	}
	if (d->module)
		d->dw = dwfl_module_getdwarf(d->module, &d->bias);
	if (!d->dw) {
		const char *why = rt_separate_why();

		rt_err_set(err, ENOENT, "%s: no debug information (%s)", path,
			   *why ? why : dwfl_errmsg(-1));
		rt_debuginfo_close(d);
		return -ENOENT;
	}
	d->cfi = dwfl_module_dwarf_cfi(d->module, &bias);
	if (!d->cfi)
		d->cfi = dwfl_module_eh_cfi(d->module, &bias);
	*out = d;
	return 0;
}

void rt_debuginfo_close(struct rt_debuginfo *d)
{
	if (!d)
		return;
	if (d->dwfl)
		dwfl_end(d->dwfl);
	free(d->positions.list);
	free(d);
}

struct rt_types *rt_debuginfo_types(struct rt_debuginfo *d)
{
	return &d->types;
}

/* --- units and symbols ------------------------------------------------------------------ */

bool rt_debuginfo_unit(struct rt_debuginfo *d, Dwarf_Addr address, Dwarf_Die *unit)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die die;

	if (dwarf_addrdie(d->dw, address, unit))
		return true;
	/* .debug_aranges may be missing or incomplete. */
	while (!dwarf_get_units(d->dw, cu, &cu, NULL, NULL, &die, NULL))
		if (dwarf_haspc(&die, address) > 0) {
			*unit = die;
			return true;
		}
	return false;
}

bool rt_debuginfo_symbol_address(struct rt_debuginfo *d, const char *name, Dwarf_Addr *address)
{
	int i, count = dwfl_module_getsymtab(d->module);
	const char *called;
	GElf_Addr value;
	GElf_Sym sym;

	for (i = 1; i < count; i++) {
		called = dwfl_module_getsym_info(d->module, i, &sym, &value, NULL, NULL, NULL);
		if (!called || strcmp(called, name) || sym.st_shndx == SHN_UNDEF ||
		    GELF_ST_TYPE(sym.st_info) > STT_FUNC)
			continue;
		*address = value - d->bias;
		return true;
	}
	return false;
}

bool rt_debuginfo_name_address(struct rt_debuginfo *d, Dwarf_Addr address, char *name, size_t size,
			       uint64_t *offset)
{
	GElf_Sym sym;
	GElf_Off from;
	const char *called =
		dwfl_module_addrinfo(d->module, address + d->bias, &from, &sym, NULL, NULL, NULL);

	if (!called)
		return false;
	snprintf(name, size, "%s", called);
	*offset = from;
	return true;
}

int rt_debuginfo_add_place(struct rt_debuginfo *d, Dwarf_Addr address, bool inlined,
			   struct rt_code_places *out)
{
	struct rt_code_place *list;
	size_t i;

	for (i = 0; i < out->count; i++)
		if (out->list[i].address == address)
			return 0;
	list = realloc(out->list, (out->count + 1) * sizeof(*list));
	if (!list)
		return -ENOMEM;
	out->list = list;
	list += out->count;
	memset(list, 0, sizeof(*list));
	list->address = address;
	list->inlined = inlined;
	/* Without a symbol nobody could find the place again. */
	if (rt_debuginfo_name_address(d, address, list->symbol, sizeof(list->symbol),
				      &list->offset))
		out->count++;
	return 0;
}

void rt_code_places_free(struct rt_code_places *places)
{
	free(places->list);
	places->list = NULL;
	places->count = 0;
}

int rt_debuginfo_symbol(struct rt_debuginfo *d, const char *symbol, uint64_t offset,
			struct rt_code_places *out)
{
	Dwarf_Addr address;

	if (!rt_debuginfo_symbol_address(d, symbol, &address))
		return -ENOENT;
	return rt_debuginfo_add_place(d, address + offset, false, out);
}

/* --- functions -------------------------------------------------------------------------- */

struct search {
	struct rt_debuginfo *d;
	struct rt_code_places *out;
	int ret;
};

/* The first address of code that a scope has. */
static bool first_range(Dwarf_Die *scope, Dwarf_Addr *address)
{
	Dwarf_Addr base, end;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(scope, at, &base, address, &end)) > 0)
		if (*address < end)
			return true;
	return false;
}

static void take_instance(struct search *s, Dwarf_Die *instance)
{
	Dwarf_Addr address;

	/* GCC may name an entry with no instruction of the function at it. */
	if ((dwarf_entrypc(instance, &address) || dwarf_haspc(instance, address) <= 0) &&
	    !first_range(instance, &address))
		return;
	s->ret = rt_debuginfo_add_place(s->d, address, true, s->out);
}

/* Find where FUNCTION was inlined below a DIE. */
static void search_instances(struct search *s, Dwarf_Die *parent, const Dwarf_Die *function,
			     int depth)
{
	Dwarf_Attribute attr;
	Dwarf_Die die, origin;
	int tag;

	if (depth == RT_SCOPES_MAX || dwarf_child(parent, &die))
		return;
	do {
		tag = dwarf_tag(&die);
		if (tag == DW_TAG_inlined_subroutine &&
		    dwarf_attr(&die, DW_AT_abstract_origin, &attr) &&
		    dwarf_formref_die(&attr, &origin) && origin.addr == function->addr)
			take_instance(s, &die);
		if (tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block ||
		    tag == DW_TAG_inlined_subroutine || tag == DW_TAG_namespace ||
		    tag == DW_TAG_structure_type || tag == DW_TAG_class_type)
			search_instances(s, &die, function, depth + 1);
	} while (!s->ret && rt_debuginfo_sibling(&die));
}

/*
 * Kernels for arm64 put instructions for ftrace before the code that DWARF describes: a probe at the
 * entry is at the symbol.
 */
static int add_entry(struct search *s, Dwarf_Addr address)
{
	size_t before = s->out->count;
	int ret = rt_debuginfo_add_place(s->d, address, false, s->out);

	if (s->out->count > before && s->out->list[before].offset <= PATCHABLE_MAX)
		s->out->list[before].offset = 0;
	return ret;
}

/* Whether functions may be inside: namespaces of C++ and Rust, classes. */
static bool is_container(int tag, bool classes)
{
	return tag == DW_TAG_namespace ||
	       (classes && (tag == DW_TAG_structure_type || tag == DW_TAG_class_type));
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
		if (is_container(dwarf_tag(&die), classes))
			search_in(s, &die, name, classes, depth + 1);
		if (dwarf_tag(&die) != DW_TAG_subprogram || !rt_debuginfo_is_called(&die, name))
			continue;
		if (dwarf_func_inline(&die) && dwarf_diecu(&die, &unit, NULL, NULL))
			search_instances(s, &unit, &die, 0);
		else if (!dwarf_entrypc(&die, &address))
			s->ret = add_entry(s, address);
	} while (!s->ret && rt_debuginfo_sibling(&die));
}

static void search_unit(struct search *s, Dwarf_Die *unit, const char *name)
{
	search_in(s, unit, name, !rt_debuginfo_is_c(unit), 0);
}

static bool has_entry(const struct rt_code_places *places)
{
	size_t i;

	for (i = 0; i < places->count; i++)
		if (!places->list[i].inlined && !places->list[i].offset)
			return true;
	return false;
}

int rt_debuginfo_function(struct rt_debuginfo *d, const char *name, struct rt_code_places *out)
{
	struct search s = { .d = d, .out = out };
	Dwarf_CU *cu = NULL;
	Dwarf_Addr address;
	Dwarf_Die unit;

	if (rt_debuginfo_symbol_address(d, name, &address)) {
		if (rt_debuginfo_unit(d, address, &unit) ||
		    rt_debuginfo_unit(d, address + PATCHABLE_MAX, &unit))
			search_unit(&s, &unit, name);
		if (!s.ret && !has_entry(out))
			s.ret = rt_debuginfo_add_place(d, address, false, out);
		return s.ret;
	}
	rt_debuginfo_named_begin(d, name);
	while (!s.ret && rt_debuginfo_named_next(d, &cu, &unit))
		search_unit(&s, &unit, name);
	return s.ret ? s.ret : out->count ? 0 : -ENOENT;
}

static bool descend(Dwarf_Die *parent, Dwarf_Addr address, bool classes, Dwarf_Die *out, int *count,
		    int depth)
{
	Dwarf_Die child;
	int tag;

	if (depth == RT_SCOPES_MAX || *count == RT_SCOPES_MAX || dwarf_child(parent, &child))
		return false;
	do {
		tag = dwarf_tag(&child);
		if (is_container(tag, classes) &&
		    descend(&child, address, classes, out, count, depth + 1))
			return true;
		if ((tag != DW_TAG_subprogram && tag != DW_TAG_lexical_block &&
		     tag != DW_TAG_inlined_subroutine) ||
		    dwarf_haspc(&child, address) <= 0)
			continue;
		out[(*count)++] = child;
		descend(&child, address, classes, out, count, depth + 1);
		return true;
	} while (rt_debuginfo_sibling(&child));
	return false;
}

int rt_debuginfo_scopes(struct rt_debuginfo *d, Dwarf_Addr address, Dwarf_Die out[RT_SCOPES_MAX])
{
	Dwarf_Die unit;
	int count = 0;

	if (rt_debuginfo_unit(d, address, &unit))
		descend(&unit, address, !rt_debuginfo_is_c(&unit), out, &count, 0);
	return count;
}

int rt_debuginfo_function_type(struct rt_debuginfo *d, uint64_t address, rt_type_id *out)
{
	Dwarf_Die scopes[RT_SCOPES_MAX];

	if (!rt_debuginfo_scopes(d, address, scopes) &&
	    !rt_debuginfo_scopes(d, address + PATCHABLE_MAX, scopes))
		return -ENOENT;
	*out = rt_debuginfo_id(d, &scopes[0]);
	return 0;
}
