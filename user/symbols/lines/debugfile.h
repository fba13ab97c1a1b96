/* SPDX-License-Identifier: GPL-2.0 */
/* debugfile.h - the file with an object's DWARF, found as addr2line finds it. */
#ifndef RT_SYMBOLS_LINES_DEBUGFILE_H
#define RT_SYMBOLS_LINES_DEBUGFILE_H

#include "symbols/internal.h"
#include "symbols/elffile.h"

struct rt_debugfile {
	struct rt_elf main;	       /* the file that perf would pass to addr2line */
	struct rt_elf debug;	       /* the separate file to which it leads */
	const char *path, *debug_path; /* their paths */
	bool open, has_debug;
	bool has_dwarf; /* debug, or main if there is none, has .debug_info */
};

/* -ENOENT if the object has no file. */
int rt_debugfile_open(struct rt_debugfile *f, struct rt_object *obj);
void rt_debugfile_close(struct rt_debugfile *f);

/*
 * Find the section that contains vaddr, and the value to compare with that section's symbols: vaddr
 * itself or, in a relocatable file, the offset in the section.
 */
bool rt_debugfile_section(const struct rt_debugfile *f, uint64_t vaddr, size_t *section,
			  uint64_t *value);

#endif
