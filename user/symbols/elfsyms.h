/* SPDX-License-Identifier: GPL-2.0 */
/*
 * elfsyms.h - load the symbol sections of ELF files into a table.
 *
 * As in perf, this uses two files: `syms` has the symbols (perhaps a debug file whose code sections
 * are empty), `runtime` is the file that is mapped.  They may be the same.
 */
#ifndef RT_SYMBOLS_ELFSYMS_H
#define RT_SYMBOLS_ELFSYMS_H

#include "symbols/elffile.h"
#include "symbols/symbol_table.h"

/* Return the table for the symbols of one section of a kernel image; NULL skips them. */
typedef struct rt_symbol_table *(*rt_section_table_fn)(void *arg, const char *name,
						       const GElf_Shdr *shdr);

struct rt_elfsyms {
	const struct rt_elf *syms, *runtime;
	struct rt_symbol_table *table;
	rt_section_table_fn section_table; /* NULL for user code: put all into `table` */
	void *arg;
};

/* Add .symtab and .dynsym, and fix ends and duplicates; return how many, or -errno. */
int rt_elfsyms_load(const struct rt_elfsyms *from);

/* Add a "name@plt" for every stub; return how many. */
int rt_elfsyms_load_plt(const struct rt_elf *runtime, struct rt_symbol_table *table);

/* The value of a symbol in .symtab by name; -ENOENT. */
int rt_elfsyms_value(const struct rt_elf *e, const char *name, uint64_t *value);

#endif
