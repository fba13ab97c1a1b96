/* SPDX-License-Identifier: GPL-2.0 */
/*
 * dwarffile.h - functions, inlined functions and lines from a file's DWARF.
 *
 * The first lookup of an address in a compilation unit reads the unit into arrays for binary
 * search.  If several functions contain an address, the choice is addr2line's: the smallest range,
 * and among equals the deeper one.  Only one thread may use it at a time.
 */
#ifndef RT_SYMBOLS_LINES_DWARFFILE_H
#define RT_SYMBOLS_LINES_DWARFFILE_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

#include "symbols/lines/dwarfunit.h"

struct rt_dwarf_place {
	struct rt_dwarf_function *function; /* NULL: none contains the address */
	const char *file;		    /* NULL: no line */
	unsigned int line;
};

/*
 * NULL if the file has no debug information, or no memory.  `lines`: not only functions, but also
 * files and lines will be asked for.  `file_zero`: in DWARF 5, use file 0 for
 * rows that begin without naming a file, like addr2line 2.40.
 */
struct rt_dwarf *rt_dwarf_open(Elf *elf, bool lines, bool file_zero);

/*
 * The same for a relocatable file (a kernel module), whose debug information must be relocated
 * first; addresses are then offsets in its .text.  `debug_path`: the file that has the debug
 * information, NULL if `path` itself does.
 */
struct rt_dwarf *rt_dwarf_open_relocatable(const char *path, const char *debug_path,
					   bool file_zero);

void rt_dwarf_close(struct rt_dwarf *d);

/* False if no unit contains the address. */
bool rt_dwarf_find(struct rt_dwarf *d, uint64_t vaddr, struct rt_dwarf_place *place);

#endif
