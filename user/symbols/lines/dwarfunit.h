/* SPDX-License-Identifier: GPL-2.0 */
/* dwarfunit.h - one compilation unit, read into arrays; internal to dwarffile.c. */
#ifndef RT_SYMBOLS_LINES_DWARFUNIT_H
#define RT_SYMBOLS_LINES_DWARFUNIT_H

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include "base/arena.h"
#include "symbols/lines/ranges.h"

struct rt_dwarf_function {
	const char *name; /* NULL: none */
	bool is_linkage;  /* the name is that of the ELF symbol */
	bool is_inlined;
	uint64_t low;	       /* of its first range */
	const char *call_file; /* inlined: where it was called; NULL: unknown */
	unsigned int call_line;
	struct rt_dwarf_function *caller; /* inlined: into which function, or NULL */
};

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
	bool no_lines; /* only functions are asked for */
	Dwfl *dwfl;    /* owns dw when set */
	uint64_t text; /* where relocation put .text; 0 for linked files */
	struct rt_dwarf_unit *unit;
	size_t units;
	struct rt_ranges ranges; /* of units */
	size_t *rangeless;	 /* units without an address range */
	size_t rangeless_count;
	struct rt_arena arena;
};

/* Read functions, lines and files of the unit, once. */
void rt_dwarf_unit_read(struct rt_dwarf *d, struct rt_dwarf_unit *u);

/* The full name of the file with that number, made once. */
const char *rt_dwarf_unit_file(struct rt_dwarf *d, struct rt_dwarf_unit *u, Dwarf_Word index);

#endif
