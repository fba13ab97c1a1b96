/* SPDX-License-Identifier: GPL-2.0 */
/*
 * srcline.h - source lines and inlined frames from DWARF, in this process.
 *
 * Every answer is kept by address, so asking again costs a hash look-up; the
 * text is owned by the context.
 */
#ifndef RT_SYMBOLS_SRCLINE_H
#define RT_SYMBOLS_SRCLINE_H

#include "symbols/kernel.h"
#include "symbols/object.h"

struct rt_srcline {
	const char *file; /* as DWARF spells it, directory included; NULL: unknown */
	unsigned int line;
};

/*
 * One function at an address.  frames[0] is the innermost (deepest inlined);
 * the last is the function that holds the code.
 */
struct rt_inline_frame {
	const char *name; /* demangled unless the context says no; NULL: unknown */
	const char *file; /* NULL: unknown */
	unsigned int line;
};

struct rt_inlines {
	unsigned int count; /* 0: no debug information here; 1: nothing inlined */
	const struct rt_inline_frame *frames;
};

/* `address` as in object.h / rt_kernel_hit.address. */
struct rt_srcline rt_object_srcline(struct rt_object *obj, uint64_t address);
const struct rt_inlines *rt_object_inlines(struct rt_object *obj, uint64_t address);

/*
 * The text perf prints for srcline: "file.c:12" (base name unless full), else
 * "symbol+0x1c", else "object[1234]".  Returns its length as snprintf does.
 */
int rt_object_srcline_text(struct rt_object *obj, const struct rt_symbol *sym, uint64_t address,
			   bool full, char *out, size_t size);

#endif
