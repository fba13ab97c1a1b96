/* SPDX-License-Identifier: GPL-2.0 */
/*
 * dwarffile.h - functions, inlined functions and lines of a file's DWARF.
 *
 * A compilation unit is read once, when an address in it is asked for the first
 * time, into arrays made for binary search.  The choice among functions that hold
 * an address is addr2line's: the smallest range, the deeper one of equals.  One
 * thread at a time.
 */
#ifndef RT_SYMBOLS_DWARFFILE_H
#define RT_SYMBOLS_DWARFFILE_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

struct rt_dwarf;

struct rt_dwarf_function {
	const char *name; /* NULL: none */
	bool is_linkage;  /* the name is that of the ELF symbol */
	bool is_inlined;
	uint64_t low;	       /* of its first range */
	const char *call_file; /* inlined: where it was called; NULL: not said */
	unsigned int call_line;
	struct rt_dwarf_function *caller; /* inlined: into what, or NULL */
};

struct rt_dwarf_place {
	struct rt_dwarf_function *function; /* NULL: none holds the address */
	const char *file;		    /* NULL: no line */
	unsigned int line;
};

/*
 * NULL when the file has no debug information, or no memory.  `file_zero`: in DWARF 5
 * take file 0, as addr2line 2.40 does, where rows begin without naming one.
 */
struct rt_dwarf *rt_dwarf_open(Elf *elf, bool file_zero);

/*
 * The same for a relocatable file (a kernel module), whose debug information must
 * be relocated first; addresses are then offsets in its .text.  `debug_path`: the
 * file that has it, NULL when `path` itself does.
 */
struct rt_dwarf *rt_dwarf_open_relocatable(const char *path, const char *debug_path,
					   bool file_zero);

void rt_dwarf_close(struct rt_dwarf *d);

/* False when no unit knows the address. */
bool rt_dwarf_find(struct rt_dwarf *d, uint64_t vaddr, struct rt_dwarf_place *place);

#endif
