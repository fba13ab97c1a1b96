/* SPDX-License-Identifier: GPL-2.0 */
/*
 * code_symbols.h - the functions in a file's symbol table, by name and by address.
 *
 * libdwfl goes over all symbols for each question, which takes a millisecond for a kernel; an inlined
 * function may have thousands of places.  Searching by name changes the struct.
 */
#ifndef RT_TYPES_CODE_SYMBOLS_H
#define RT_TYPES_CODE_SYMBOLS_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

struct rt_code_symbol {
	uint64_t address, size;
	const char *name; /* belongs to the module */
	uint32_t tag;	  /* of its first characters */
	uint8_t rank;	  /* of several at one address the one with the highest is shown */
};

struct rt_code_symbols {
	struct rt_code_symbol *list; /* sorted by address and rank */
	size_t count, room;
	unsigned int searches; /* by name; the first ones go over the list */
	struct rt_index names; /* numbers in the list + 1 */
};

/*
 * From the file with the debug information, or from where libdwfl finds symbols.  BIAS: libdwfl's addresses
 * minus the file's; the symbols have the file's.  0 or -ENOMEM.
 */
int rt_code_symbols_read(struct rt_code_symbols *s, Dwfl_Module *module, Dwarf *dw, uint64_t bias);
void rt_code_symbols_free(struct rt_code_symbols *s);

/* The next symbol called NAME, *AT 0 at first; NULL after the last. */
const struct rt_code_symbol *rt_code_symbols_next(struct rt_code_symbols *s, const char *name,
						  size_t *at);

/* The symbol at or before an address; NULL. */
const struct rt_code_symbol *rt_code_symbols_at(const struct rt_code_symbols *s, uint64_t address);

/* Whether symbols at different addresses have this name. */
bool rt_code_symbols_ambiguous(struct rt_code_symbols *s, const char *name);

#endif
