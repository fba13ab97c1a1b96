// SPDX-License-Identifier: GPL-2.0
/* dwarffile.c - see dwarffile.h */
#include "symbols/lines/dwarffile.h"

#include <dwarf.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/lines/dwarfunit.h"

static void add_unit(struct rt_dwarf *d, Dwarf_Die *die, Dwarf_Half version, size_t *room)
{
	if (d->units == *room) {
		size_t more = *room ? *room * 2 : 64;
		void *units = realloc(d->unit, more * sizeof(*d->unit));
		void *list = units ? realloc(d->rangeless, more * sizeof(*d->rangeless)) : NULL;

		if (units)
			d->unit = units;
		if (!list)
			return;
		d->rangeless = list;
		*room = more;
	}
	memset(&d->unit[d->units], 0, sizeof(*d->unit));
	d->unit[d->units].version = version;
	d->unit[d->units++].die = *die;
}

/* Index the units by address: .debug_aranges may be missing, but the units have ranges. */
static void index_units(struct rt_dwarf *d)
{
	Dwarf_Addr base, low, high;
	size_t i;

	for (i = 0; i < d->units; i++) {
		ptrdiff_t at = 0;
		bool any = false;

		while ((at = dwarf_ranges(&d->unit[i].die, at, &base, &low, &high)) > 0) {
			if (low < high)
				any |= rt_ranges_add(&d->ranges, low, high, &d->unit[i], i);
		}
		if (!any)
			d->rangeless[d->rangeless_count++] = i;
	}
	rt_ranges_sort(&d->ranges);
}

/* Find all units of d->dw; if there are none, close d and return NULL. */
static struct rt_dwarf *find_units(struct rt_dwarf *d)
{
	Dwarf_CU *cu = NULL;
	uint8_t type;
	Dwarf_Die die, skeleton;
	Dwarf_Half version;
	size_t room = 0;

	while (d->dw && dwarf_get_units(d->dw, cu, &cu, &version, &type, &die, &skeleton) == 0) {
		if (type == DW_UT_compile || type == DW_UT_skeleton)
			add_unit(d, &die, version, &room);
	}
	if (!d->units) {
		rt_dwarf_close(d);
		return NULL;
	}
	index_units(d);
	return d;
}

/*
 * When libdw opens a file, it unpacks every compressed section that it knows.  Nothing here uses
 * those for the locations of variables, or the indices, and not always the lines: make libdw see
 * them as empty.  This changes the private copy of the section header, not the file.
 */
static void hide_unused(Elf *elf, bool lines)
{
	static const char *const unused[] = {
		".debug_line", /* the first: see below */
		".debug_loclists", ".debug_loc",      ".debug_aranges",	 ".debug_frame",
		".debug_macro",	   ".debug_pubnames", ".debug_pubtypes",
	};
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;
	size_t names, i;

	if (elf_getshdrstrndx(elf, &names))
		return;
	while ((scn = elf_nextscn(elf, scn)) != NULL) {
		const char *name =
			gelf_getshdr(scn, &shdr) ? elf_strptr(elf, names, shdr.sh_name) : NULL;

		if (!name || !(shdr.sh_flags & SHF_COMPRESSED))
			continue;
		for (i = lines ? 1 : 0; i < sizeof(unused) / sizeof(*unused); i++) {
			if (strcmp(name, unused[i]))
				continue;
			shdr.sh_type = SHT_NOBITS;
			gelf_update_shdr(scn, &shdr);
		}
	}
}

struct rt_dwarf *rt_dwarf_open(Elf *elf, bool lines, bool file_zero)
{
	struct rt_dwarf *d = calloc(1, sizeof(*d));

	if (!d)
		return NULL;
	d->no_lines = !lines;
	d->file_zero = file_zero;
	hide_unused(elf, lines);
	d->dw = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	return find_units(d);
}

static bool text_address(Dwfl_Module *module, uint64_t *address)
{
	GElf_Addr bias;
	Elf *elf = dwfl_module_getelf(module, &bias);
	Elf_Scn *scn = NULL;
	size_t names;
	GElf_Shdr shdr;

	if (!elf || elf_getshdrstrndx(elf, &names))
		return false;
	while ((scn = elf_nextscn(elf, scn)) != NULL) {
		const char *name =
			gelf_getshdr(scn, &shdr) ? elf_strptr(elf, names, shdr.sh_name) : NULL;

		if (!name || strcmp(name, ".text"))
			continue;
		*address = shdr.sh_addr;
		return true;
	}
	return false;
}

/* libdwfl's own function would ask servers over the network. */
static int give_debuginfo(Dwfl_Module *module, void **userdata, const char *name, Dwarf_Addr base,
			  const char *file, const char *link, GElf_Word crc, char **found)
{
	return *userdata ? open(*userdata, O_RDONLY | O_CLOEXEC) : -1;
}

struct rt_dwarf *rt_dwarf_open_relocatable(const char *path, const char *debug_path, bool file_zero)
{
	static const Dwfl_Callbacks callbacks = {
		.find_elf = dwfl_build_id_find_elf,
		.find_debuginfo = give_debuginfo,
		.section_address = dwfl_offline_section_address,
	};
	struct rt_dwarf *d = calloc(1, sizeof(*d));
	Dwfl_Module *module;
	Dwarf_Addr bias;
	void **userdata;

	if (!d)
		return NULL;
	d->file_zero = file_zero;
	d->dwfl = dwfl_begin(&callbacks);
	if (d->dwfl) {
		dwfl_report_begin(d->dwfl);
		module = dwfl_report_offline(d->dwfl, "", path, -1);
		dwfl_report_end(d->dwfl, NULL, NULL);
		if (module &&
		    dwfl_module_info(module, &userdata, NULL, NULL, NULL, NULL, NULL, NULL))
			*userdata = (void *)debug_path;
		d->dw = module ? dwfl_module_getdwarf(module, &bias) : NULL;
		if (d->dw && !text_address(module, &d->text))
			d->dw = NULL;
	}
	return find_units(d);
}

void rt_dwarf_close(struct rt_dwarf *d)
{
	size_t i;

	if (!d)
		return;
	for (i = 0; i < d->units; i++) {
		free(d->unit[i].functions.range);
		free(d->unit[i].unnamed.range);
	}
	free(d->unit);
	free(d->ranges.range);
	free(d->rangeless);
	rt_arena_free(&d->arena);
	if (d->dwfl)
		dwfl_end(d->dwfl);
	else
		dwarf_end(d->dw);
	free(d);
}

static void find_line(struct rt_dwarf *d, struct rt_dwarf_unit *u, uint64_t vaddr,
		      struct rt_dwarf_place *place)
{
	Dwarf_Line *line;
	Dwarf_Files *files;
	size_t index;
	int number = 0;
	bool end = true;

	place->file = NULL;
	place->line = 0;
	if (!u->lines)
		return;
	line = dwarf_getsrc_die(&u->die, vaddr);
	if (!line || dwarf_lineendsequence(line, &end) || end)
		return;
	if (dwarf_line_file(line, &files, &index) == 0) {
		if (index == 1 && rt_ranges_smallest(&u->unnamed, vaddr))
			index = 0;
		place->file = rt_dwarf_unit_file(d, u, index);
	}
	if (place->file && dwarf_lineno(line, &number) == 0)
		place->line = number;
}

static bool find_in(struct rt_dwarf *d, struct rt_dwarf_unit *u, uint64_t vaddr,
		    struct rt_dwarf_place *place)
{
	if (!u->read)
		rt_dwarf_unit_read(d, u);
	place->function = rt_ranges_smallest(&u->functions, vaddr);
	find_line(d, u, vaddr, place);
	return place->function || place->file;
}

bool rt_dwarf_find(struct rt_dwarf *d, uint64_t vaddr, struct rt_dwarf_place *place)
{
	size_t i;

	vaddr += d->text;
	i = rt_ranges_upper_bound(&d->ranges, vaddr);
	memset(place, 0, sizeof(*place));
	while (i-- > 0 && d->ranges.range[i].reach > vaddr)
		if (vaddr < d->ranges.range[i].high &&
		    find_in(d, d->ranges.range[i].of, vaddr, place))
			return true;
	for (i = 0; i < d->rangeless_count; i++)
		if (find_in(d, &d->unit[d->rangeless[i]], vaddr, place))
			return true;
	memset(place, 0, sizeof(*place));
	return false;
}
