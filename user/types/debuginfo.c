// SPDX-License-Identifier: GPL-2.0
/* Open the debug information of a file, find units, symbols and functions. */
#include <dwarf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "types/debuginfo_internal.h"
#include "types/separate.h"

enum { INDEX_MIN = 16 << 20 }; /* bytes of .debug_info; less is searched quickly */

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = rt_separate_find,
	.section_address = dwfl_offline_section_address,
};

int rt_debuginfo_open(struct rt_debuginfo **out, const char *path, struct rt_err *err)
{
	struct rt_debuginfo *d = calloc(1, sizeof(*d));
	pthread_mutexattr_t recursive;
	Dwarf_Addr bias;

	if (!d)
		return rt_err_set(err, ENOMEM, "out of memory");
	d->types.ops = &rt_debuginfo_ops;
	pthread_mutexattr_init(&recursive);
	pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&d->lock, &recursive);
	pthread_mutexattr_destroy(&recursive);
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
	rt_debuginfo_find_mapping(d);
	*out = d;
	return 0;
}

void rt_debuginfo_close(struct rt_debuginfo *d)
{
	int i;

	if (!d)
		return;
	if (d->dwfl)
		dwfl_end(d->dwfl);
	free(d->positions.list);
	for (i = 0; i < RT_DEBUG_INDEXES; i++)
		rt_debug_index_close(d->index[i]);
	rt_code_symbols_free(&d->symbols);
	pthread_mutex_destroy(&d->lock);
	free(d);
}

struct rt_types *rt_debuginfo_types(struct rt_debuginfo *d)
{
	return &d->types;
}

const struct rt_debug_index *rt_debuginfo_index(struct rt_debuginfo *d,
						enum rt_debug_index_what what, bool scan)
{
	const char *main_file, *debug_file, *home = getenv("HOME");
	struct rt_debug_index **index = &d->index[what];
	struct rt_buildid id;
	size_t size;

	if (!d->index_looked_for[what]) {
		d->index_looked_for[what] = true;
		d->index_scanned[what] =
			!rt_debuginfo_section(d->dw, ".debug_info", &size) || size < INDEX_MIN;
		if (!d->index_scanned[what] && rt_separate_id(d->module, &id))
			*index = rt_debug_index_open(home, &id, what);
	}
	if (*index || !scan || d->index_scanned[what])
		return *index;
	d->index_scanned[what] = true;
	rt_separate_id(d->module, &id);
	dwfl_module_info(d->module, NULL, NULL, NULL, NULL, NULL, &main_file, &debug_file);
	*index = rt_debug_index_scan(debug_file ? debug_file : main_file, &id, what, 0);
	if (*index && id.len)
		rt_debug_index_save(*index, home);
	return *index;
}

/* --- units and symbols ------------------------------------------------------------------ */

/*
 * Read the headers of the units up to OFFSET in .debug_info.  libdw does so on the way to a unit; this keeps
 * few of their pages.
 */
static void read_units(struct rt_debuginfo *d, Dwarf_Off offset)
{
	Dwarf_Die die;
	size_t i;

	for (i = 1; d->units_read <= offset; i++) {
		if (dwarf_get_units(d->dw, d->last_unit, &d->last_unit, NULL, NULL, &die, NULL)) {
			d->units_read = UINT64_MAX;
			break;
		}
		d->units_read = dwarf_dieoffset(&die) + 1;
		if (i % RT_UNITS_STEP == 0)
			rt_debuginfo_give_back(d);
	}
}

/* The unit at an offset in .debug_info. */
static bool unit_at(struct rt_debuginfo *d, Dwarf_Off offset, Dwarf_Die *unit)
{
	Dwarf_Off next;
	size_t size;

	if (dwarf_next_unit(d->dw, offset, &next, &size, NULL, NULL, NULL, NULL, NULL, NULL))
		return false;
	read_units(d, offset + size);
	return dwarf_offdie(d->dw, offset + size, unit);
}

bool rt_debuginfo_unit(struct rt_debuginfo *d, Dwarf_Addr address, Dwarf_Die *unit)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Off offset;
	Dwarf_Die die;

	if (rt_debuginfo_aranges(d->dw, address, &offset) && unit_at(d, offset, unit))
		return true;
	read_units(d, UINT64_MAX - 1);
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

struct rt_code_symbols *rt_debuginfo_symbols(struct rt_debuginfo *d)
{
	if (!d->symbols_read && rt_code_symbols_read(&d->symbols, d->module, d->dw, d->bias))
		memset(&d->symbols, 0, sizeof(d->symbols));
	d->symbols_read = true;
	return &d->symbols;
}

bool rt_debuginfo_symbol_address(struct rt_debuginfo *d, const char *name, Dwarf_Addr *address)
{
	size_t at = 0;
	const struct rt_code_symbol *symbol =
		rt_code_symbols_next(rt_debuginfo_symbols(d), name, &at);

	if (symbol)
		*address = symbol->address;
	return symbol;
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

/* Name a place by the symbol before it. */
static bool name_place(struct rt_debuginfo *d, struct rt_code_place *place)
{
	struct rt_code_symbols *symbols = rt_debuginfo_symbols(d);
	const struct rt_code_symbol *symbol = rt_code_symbols_at(symbols, place->address), *text;
	size_t at = 0;

	if (!symbol)
		return false;
	place->ambiguous = rt_code_symbols_ambiguous(symbols, symbol->name);
	place->function = symbol->name;
	text = place->ambiguous ? rt_code_symbols_next(symbols, "_text", &at) : NULL;
	if (text && text->address <= place->address)
		symbol = text;
	snprintf(place->symbol, sizeof(place->symbol), "%s", symbol->name);
	place->offset = place->address - symbol->address;
	return true;
}

static uint64_t hash_address(Dwarf_Addr address)
{
	return rt_hash_mix(address, 1);
}

const struct rt_code_place *rt_debuginfo_find_place(const struct rt_code_places *places,
						    Dwarf_Addr address)
{
	struct rt_index_probe probe;
	uint32_t number = rt_index_first(&places->seen, hash_address(address), &probe);

	while (number && places->list[number - 1].address != address)
		number = rt_index_next(&places->seen, &probe);
	return number ? &places->list[number - 1] : NULL;
}

int rt_debuginfo_add_place(struct rt_debuginfo *d, Dwarf_Addr address, bool inlined,
			   struct rt_code_places *out)
{
	struct rt_code_place *list;

	if (rt_debuginfo_find_place(out, address))
		return 0;
	if (!RT_ARRAY_ROOM(out->list, out->count, out->room))
		return -ENOMEM;
	list = memset(&out->list[out->count], 0, sizeof(*list));
	list->address = address;
	list->inlined = inlined;
	/* Without a symbol nobody could find the place again. */
	if (!name_place(d, list))
		return 0;
	return rt_index_add(&out->seen, hash_address(address), ++out->count) ? 0 : -ENOMEM;
}

void rt_code_places_free(struct rt_code_places *places)
{
	free(places->list);
	rt_index_free(&places->seen);
	memset(places, 0, sizeof(*places));
}

int rt_debuginfo_symbol(struct rt_debuginfo *d, const char *symbol, uint64_t offset,
			struct rt_code_places *out)
{
	RT_DEBUGINFO_HOLD(d);
	Dwarf_Addr address;

	if (!rt_debuginfo_symbol_address(d, symbol, &address))
		return -ENOENT;
	return rt_debuginfo_add_place(d, address + offset, false, out);
}

/* --- scopes ----------------------------------------------------------------------------- */

static bool descend(Dwarf_Die *parent, Dwarf_Addr address, bool classes, Dwarf_Die *out, int *count,
		    int depth)
{
	Dwarf_Die child;
	int tag;

	if (depth == RT_SCOPES_MAX || *count == RT_SCOPES_MAX || dwarf_child(parent, &child))
		return false;
	do {
		tag = dwarf_tag(&child);
		if (rt_debuginfo_is_container(tag, classes) &&
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

	/* Each variable of a place asks again. */
	if (!d->scopes.known || d->scopes.address != address) {
		d->scopes.count = 0;
		d->scopes.address = address;
		d->scopes.known = true;
		if (rt_debuginfo_unit(d, address, &unit))
			descend(&unit, address, !rt_debuginfo_is_c(&unit), d->scopes.list,
				&d->scopes.count, 0);
	}
	memcpy(out, d->scopes.list, d->scopes.count * sizeof(*out));
	return d->scopes.count;
}

int rt_debuginfo_function_type(struct rt_debuginfo *d, uint64_t address, rt_type_id *out)
{
	RT_DEBUGINFO_HOLD(d);
	Dwarf_Die scopes[RT_SCOPES_MAX];

	if (!rt_debuginfo_scopes(d, address, scopes) &&
	    !rt_debuginfo_scopes(d, address + RT_PATCHABLE_MAX, scopes))
		return -ENOENT;
	*out = rt_debuginfo_id(d, &scopes[0]);
	return 0;
}

bool rt_debuginfo_is_go(struct rt_debuginfo *d, uint64_t address)
{
	RT_DEBUGINFO_HOLD(d);
	Dwarf_Die unit;

	return rt_debuginfo_unit(d, address, &unit) && dwarf_srclang(&unit) == DW_LANG_Go;
}
