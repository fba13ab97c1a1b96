/* SPDX-License-Identifier: GPL-2.0 */
/*
 * dwarfunit.h - one compilation unit, read into arrays; the insides of dwarffile.c.
 */
#ifndef RT_SYMBOLS_DWARFUNIT_H
#define RT_SYMBOLS_DWARFUNIT_H

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include "base/arena.h"
#include "symbols/dwarffile.h"
#include "symbols/ranges.h"

struct rt_dwarf_unit {
	Dwarf_Die die;
	bool read;
	bool c_names; /* names of this language are symbol names */
	struct rt_ranges functions;
	uint32_t made;
	Dwarf_Half version;
	struct rt_ranges unnamed; /* file_zero: rows before the first that names its file */
	Dwarf_Lines *lines;
	Dwarf_Files *files;
	const char **file; /* full names by number */
	size_t file_count;
};

struct rt_dwarf {
	Dwarf *dw;
	bool file_zero;
	Dwfl *dwfl;    /* owns dw when set */
	uint64_t text; /* where relocation put .text; 0 for linked files */
	struct rt_dwarf_unit *unit;
	size_t units;
	struct rt_ranges ranges; /* of units */
	size_t *rangeless;	 /* units that do not say where they are */
	size_t rangeless_count;
	struct rt_arena arena;
};

/* Read functions, lines and files of the unit, once. */
void rt_dwarf_unit_read(struct rt_dwarf *d, struct rt_dwarf_unit *u);

/* The file of that number, its full name made once. */
const char *rt_dwarf_unit_file(struct rt_dwarf *d, struct rt_dwarf_unit *u, Dwarf_Word index);

#endif
