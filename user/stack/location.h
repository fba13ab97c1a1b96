/* SPDX-License-Identifier: GPL-2.0 */
/* location.h - resolve an address to an object, a symbol and an offset. */
#ifndef RT_STACK_LOCATION_H
#define RT_STACK_LOCATION_H

#include "process/maps.h"
#include "base/text.h"
#include "symbols/kernel/kernel.h"

struct rt_location {
	uint64_t ip;
	uint64_t address;		/* in the object's address space */
	struct rt_object *object;	/* NULL: nothing is mapped there */
	const struct rt_symbol *symbol; /* NULL: unknown */
	bool kernel;
};

/* Find the object; for a user address, not yet its symbol. */
void rt_location_object(struct rt_location *p, struct rt_kernel *kernel, const struct rt_maps *maps,
			unsigned int cpumode, uint64_t ip);
/* Find the symbol too. */
void rt_location_symbol(struct rt_location *p);

/* Print perf's text for the parts: "name+0x12" or "[unknown]", and "object" or "[unknown]". */
void rt_location_put_symbol(const struct rt_location *p, bool offset, struct rt_text *out);
/* kernel_path: name the file that the kernel's symbols came from. */
const char *rt_location_object_name(const struct rt_location *p, bool kernel_path);

/* The offset into the symbol. */
static inline uint64_t rt_location_offset(const struct rt_location *p)
{
	return p->address - p->symbol->start;
}

#endif
