/* SPDX-License-Identifier: GPL-2.0 */
/*
 * elfsyms.h - from the symbol sections of ELF files into a table.
 *
 * Two files take part, as in perf: `syms` has the symbols (perhaps a debug file
 * whose code sections are empty), `runtime` is what is really mapped.  They may
 * be the same.
 */
#ifndef RT_SYMBOLS_ELFSYMS_H
#define RT_SYMBOLS_ELFSYMS_H

#include "symbols/elffile.h"
#include "symbols/table.h"

/* The table for the symbols of one section of a kernel image; NULL leaves them out. */
typedef struct rt_table *(*rt_section_table_fn)(void *arg, const char *name, const GElf_Shdr *shdr);

struct rt_elfsyms {
	const struct rt_elf *syms, *runtime;
	struct rt_table *table;
	rt_section_table_fn section_table; /* NULL for user code: all into `table` */
	void *arg;
};

/* Adds .symtab and .dynsym, ends and duplicates fixed; how many, or -errno. */
int rt_elfsyms_load(const struct rt_elfsyms *from);

/* Adds a "name@plt" for every stub; how many. */
int rt_elfsyms_load_plt(const struct rt_elf *runtime, struct rt_table *table);

/* Value of a symbol of .symtab by name; -ENOENT. */
int rt_elfsyms_value(const struct rt_elf *e, const char *name, uint64_t *value);

#endif
