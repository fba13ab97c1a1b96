/* SPDX-License-Identifier: GPL-2.0 */
/*
 * funcs.h - the functions of a recording, each with a number.
 *
 * The same function of the same object is one entry, whatever the process and the address it was
 * mapped at.  An address without a symbol is an entry of its own.
 */
#ifndef RT_PROFILE_FUNCS_H
#define RT_PROFILE_FUNCS_H

#include <stdbool.h>
#include <stdint.h>

#include "process/machine.h"
#include "symbols/object.h"

struct rt_profile_func {
	struct rt_object *object;	/* NULL: nothing was mapped at the address */
	const struct rt_symbol *symbol; /* NULL: unknown.  Of an inlined function: its container */
	const char *name;		/* NULL: unknown */
	uint64_t ip;			/* without a symbol: the address in the process */
	uint64_t address; /* in the object: the start of the symbol, or the address itself */
	uint8_t cpumode;  /* RT_MISC_USER, RT_MISC_KERNEL, … */
	bool kernel, inlined, jit;
};

struct rt_funcs;

struct rt_funcs *rt_funcs_new(struct rt_machine *machine);
void rt_funcs_free(struct rt_funcs *f);

/* Where an address is. */
struct rt_funcs_place {
	uint32_t func;
	uint64_t address; /* in the object */
};

/* Resolve an address.  The answers are cached. */
struct rt_funcs_place rt_funcs_at(struct rt_funcs *f, const struct rt_maps *maps,
				  unsigned int cpumode, uint64_t ip);

/*
 * The functions that are inlined at the address, innermost first, and then the function itself.
 * Returns how many, at most `max`; 0: nothing is known, use rt_funcs_at().
 */
unsigned int rt_funcs_inlined(struct rt_funcs *f, const struct rt_maps *maps, unsigned int cpumode,
			      uint64_t ip, uint32_t *list, unsigned int max, uint64_t *address);

const struct rt_profile_func *rt_funcs_get(const struct rt_funcs *f, uint32_t func);
bool rt_funcs_any_inlined(const struct rt_funcs *f);
uint32_t rt_funcs_count(const struct rt_funcs *f);

#endif
