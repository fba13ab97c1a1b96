/* SPDX-License-Identifier: GPL-2.0 */
/*
 * debuginfo.h - DWARF of one file (vmlinux, a .ko, a program or a library): types, the addresses of
 * lines and inlined functions, and where variables are at an address.
 *
 * libdwfl finds the debug information: in the file, through .gnu_debuglink, by build-id below
 * /usr/lib/debug, or debuginfod has it.  Addresses are those of the file; a place is also named by the ELF
 * symbol before it, so that kernels and programs at other addresses understand it.
 *
 * Several threads may make any call on one struct rt_debuginfo at once, except rt_debuginfo_close(); a
 * lock orders them.  Names in the answers live as long as the struct.
 */
#ifndef RT_TYPES_DEBUGINFO_H
#define RT_TYPES_DEBUGINFO_H

#include "base/error.h"
#include "base/hash.h"
#include "types/types.h"

struct rt_debuginfo;

/* -ENOENT with a sentence if PATH has no debug information. */
int rt_debuginfo_open(struct rt_debuginfo **out, const char *path, struct rt_err *err);
void rt_debuginfo_close(struct rt_debuginfo *d);

/* Its types; they live as long as D. */
struct rt_types *rt_debuginfo_types(struct rt_debuginfo *d);

/* --- places ---------------------------------------------------------------------------- */

#define RT_CODE_NAME 256

struct rt_code_place {
	uint64_t address;
	/* The function that contains it; of a kernel "_text" if several functions have that name. */
	char symbol[RT_CODE_NAME];
	const char *function; /* its own name, also if `symbol` is "_text" */
	uint64_t offset;      /* from that symbol */
	uint64_t before;      /* bytes from symbol + offset to the address: what ftrace patches */
	bool inlined;	      /* the beginning of an inlined function */
	bool ambiguous;	      /* several functions have that name */
};

struct rt_code_places {
	struct rt_code_place *list;
	size_t count, room;
	struct rt_index seen; /* by address: numbers in the list + 1 */
};

void rt_code_places_free(struct rt_code_places *places);

/*
 * Each function appends to OUT and returns 0 or a negative errno; -ENOENT if there is nothing.
 *
 * The entry of the function NAME, the entries of its clones and parts (f.isra.0, f.part.0), and the
 * beginnings of its inlined copies: in the units that define NAME if it also exists as a symbol and is
 * not from a header, otherwise everywhere.
 */
int rt_debuginfo_function(struct rt_debuginfo *d, const char *name, struct rt_code_places *out);

/* SYMBOL + OFFSET. */
int rt_debuginfo_symbol(struct rt_debuginfo *d, const char *symbol, uint64_t offset,
			struct rt_code_places *out);

/*
 * Line LINE of the source file FILE; or, with a function, LINE lines below its declaration.  If there is
 * no code, ERR has the nearest lines with code.
 */
int rt_debuginfo_file_line(struct rt_debuginfo *d, const char *file, unsigned int line,
			   struct rt_code_places *out, struct rt_err *err);
int rt_debuginfo_function_line(struct rt_debuginfo *d, const char *function, unsigned int line,
			       struct rt_code_places *out, struct rt_err *err);

/* The source of a function: its file and lines; those with code are marked in has_code[line - first]. */
struct rt_source_lines {
	char *file;
	unsigned int first, last;
	bool *has_code;
};

int rt_debuginfo_source(struct rt_debuginfo *d, const char *function, struct rt_source_lines *out,
			struct rt_err *err);
/* The same for the lines FIRST to LAST of a source file; out->last is the last one with code. */
int rt_debuginfo_file_source(struct rt_debuginfo *d, const char *file, unsigned int first,
			     unsigned int last, struct rt_source_lines *out, struct rt_err *err);
void rt_source_lines_free(struct rt_source_lines *lines);

/* --- variables ------------------------------------------------------------------------- */

struct rt_variable_location {
	enum {
		RT_LOCATION_NONE,     /* optimised out, or not live at the address */
		RT_LOCATION_COMPUTED, /* by an expression that a probe cannot evaluate */
		RT_LOCATION_ENTRY,    /* only its value at the function's entry is known: in reg */
		RT_LOCATION_REGISTER, /* reg; second for the bytes from 8 on, or -1 */
		RT_LOCATION_MEMORY,   /* at reg + offset */
		RT_LOCATION_ADDRESS,  /* at the symbol + offset; value is the address in the file */
		RT_LOCATION_CONSTANT,
		RT_LOCATION_FRAME, /* of unoptimised code before its prologue has stored it */
	} kind;
	int reg, second; /* DWARF's numbers */
	int64_t offset;
	uint64_t value;
	char symbol[RT_CODE_NAME];
};

struct rt_variable {
	const char *name;
	rt_type_id type;
	bool parameter;
	struct rt_variable_location location;
};

/* Call each() for every variable and parameter in scope, innermost first, until it returns non-zero. */
int rt_debuginfo_variables(struct rt_debuginfo *d, uint64_t address,
			   int (*each)(void *arg, const struct rt_variable *variable), void *arg);

/* The same for the variables outside functions that the source file of the code there defines. */
int rt_debuginfo_globals(struct rt_debuginfo *d, uint64_t address,
			 int (*each)(void *arg, const struct rt_variable *variable), void *arg);

/* Find a variable outside functions by name; -ENOENT. */
int rt_debuginfo_global(struct rt_debuginfo *d, const char *name, struct rt_variable *out);

/* Find a variable by name; -ENOENT. */
int rt_debuginfo_variable(struct rt_debuginfo *d, uint64_t address, const char *name,
			  struct rt_variable *out, struct rt_nearest *near);

/* The lines at which the variable has a place, "12, 15 and 20"; "" if there are none. */
const char *rt_debuginfo_live_lines(struct rt_debuginfo *d, uint64_t address, const char *name,
				    char *out, size_t size);

/* Whether the code at an address is Go's, whose functions say in their own way what they return. */
bool rt_debuginfo_is_go(struct rt_debuginfo *d, uint64_t address);

/* The function at an address, for rt_types_member() and what it returns; -ENOENT. */
int rt_debuginfo_function_type(struct rt_debuginfo *d, uint64_t address, rt_type_id *out);

#endif
