/* SPDX-License-Identifier: GPL-2.0 */
/*
 * debugfile.h - the file with an object's DWARF, found as addr2line finds it.
 */
#ifndef RT_SYMBOLS_DEBUGFILE_H
#define RT_SYMBOLS_DEBUGFILE_H

#include "symbols/context.h"
#include "symbols/elffile.h"

struct rt_debugfile {
	struct rt_elf main;	       /* the one perf would give to addr2line */
	struct rt_elf debug;	       /* the separate one it leads to */
	const char *path, *debug_path; /* theirs */
	bool open, has_debug;
	bool has_dwarf; /* debug if there is one, else main, has .debug_info */
};

/* -ENOENT when the object has no file to ask. */
int rt_debugfile_open(struct rt_debugfile *f, struct rt_object *obj);
void rt_debugfile_close(struct rt_debugfile *f);

/*
 * The section that holds vaddr, and what symbols of that section are counted from:
 * vaddr itself, but for a relocatable file the offset in the section.
 */
bool rt_debugfile_section(const struct rt_debugfile *f, uint64_t vaddr, size_t *section,
			  uint64_t *value);

#endif
