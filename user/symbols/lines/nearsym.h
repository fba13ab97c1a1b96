/* SPDX-License-Identifier: GPL-2.0 */
/*
 * nearsym.h - find the symbol before an address as addr2line does.
 *
 * perf asks addr2line for inlined frames, and addr2line falls back on the ELF symbols with its own
 * rules: the nearest symbol before the address in the same section, at any distance, and the last
 * STT_FILE before it as its file.
 */
#ifndef RT_SYMBOLS_LINES_NEARSYM_H
#define RT_SYMBOLS_LINES_NEARSYM_H

#include "symbols/elffile.h"

struct rt_nearsym {
	uint64_t value;
	size_t section;
	const char *name;
	const char *file; /* or NULL */
	uint64_t size;
	size_t order; /* in the symbol table */
};

struct rt_nearsyms {
	struct rt_nearsym *sym; /* sorted by section and value */
	size_t count;
};

/* The names live in `e`, which must stay open. -ENOMEM; a file without symbols is not an error. */
int rt_nearsyms_load(struct rt_nearsyms *n, const struct rt_elf *e);
void rt_nearsyms_free(struct rt_nearsyms *n);

const struct rt_nearsym *rt_nearsyms_find(const struct rt_nearsyms *n, size_t section,
					  uint64_t value);

#endif
