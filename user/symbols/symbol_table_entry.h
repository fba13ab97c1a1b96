/* SPDX-License-Identifier: GPL-2.0 */
/*
 * symbol_table_entry.h - one symbol of a table.
 */
#ifndef RT_SYMBOLS_SYMBOL_TABLE_ENTRY_H
#define RT_SYMBOLS_SYMBOL_TABLE_ENTRY_H

#include "symbols/object.h"

struct rt_symbol_table_entry {
	struct rt_symbol sym;
	uint32_t seq;	 /* when it was added, from 0 */
	uint8_t mangled; /* sym.name has not been demangled yet */
	uint8_t module;	 /* sym.name ends with the module's name: "name\t[module]" */
};

#endif
