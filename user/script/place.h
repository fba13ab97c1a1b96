/* SPDX-License-Identifier: GPL-2.0 */
/*
 * place.h - what is at an address: which object, which symbol, how far into it.
 */
#ifndef RT_SCRIPT_PLACE_H
#define RT_SCRIPT_PLACE_H

#include "process/maps.h"
#include "script/script.h"

struct rt_place {
	uint64_t ip;
	uint64_t address;		/* in the object's own terms */
	struct rt_object *object;	/* NULL: nothing is mapped there */
	const struct rt_symbol *symbol; /* NULL: unknown */
	bool kernel;
};

/* The object; for a user address without its symbol yet. */
void rt_place_object(struct rt_place *p, struct rt_kernel *kernel, const struct rt_maps *maps,
		     unsigned int cpumode, uint64_t ip);
/* And the symbol. */
void rt_place_symbol(struct rt_place *p);

/* perf's text for its parts: "name+0x12" or "[unknown]", and "object" or "[unknown]". */
void rt_place_put_symbol(const struct rt_place *p, bool offset, struct rt_text *out);
const char *rt_place_object_name(const struct rt_place *p, const struct rt_script *script);

/* How far into the symbol. */
static inline uint64_t rt_place_offset(const struct rt_place *p)
{
	return p->address - p->symbol->start;
}

#endif
