/* SPDX-License-Identifier: GPL-2.0 */
/*
 * srcline.h - source lines and inlined frames from DWARF, in this process.
 *
 * Every answer is cached by address, so asking again costs a hash lookup; the context owns the
 * text.
 *
 * This folder: source lines and inlined functions from DWARF.  May use: base, symbols,
 * symbols/kernel; libdw.
 */
#ifndef RT_SYMBOLS_LINES_SRCLINE_H
#define RT_SYMBOLS_LINES_SRCLINE_H

#include "symbols/kernel/kernel.h"
#include "symbols/object.h"

struct rt_srcline {
	const char *file; /* as in DWARF, with its directory; NULL: unknown */
	unsigned int line;
};

/*
 * One function at an address.  frames[0] is the innermost (deepest inlined); the last is the
 * function that contains the code.
 */
struct rt_inline_frame {
	const char *name; /* demangled unless the context forbids it; NULL: unknown */
	const char *file; /* NULL: unknown */
	unsigned int line;
};

struct rt_inlines {
	unsigned int count; /* 0: no debug information here; 1: nothing inlined */
	const struct rt_inline_frame *frames;
};

/* `address` is as in object.h and rt_kernel_hit.address. */
struct rt_srcline rt_object_srcline(struct rt_object *obj, uint64_t address);
const struct rt_inlines *rt_object_inlines(struct rt_object *obj, uint64_t address);

/*
 * The text that perf prints for srcline: "file.c:12" (base name unless full), otherwise
 * "symbol+0x1c", otherwise "object[1234]".  Returns its length as snprintf does.
 */
int rt_object_srcline_text(struct rt_object *obj, const struct rt_symbol *sym, uint64_t address,
			   bool full, char *out, size_t size);

#endif
