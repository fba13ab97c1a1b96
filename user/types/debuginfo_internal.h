/* SPDX-License-Identifier: GPL-2.0 */
/* debuginfo_internal.h - shared by the parts of debuginfo. */
#ifndef RT_TYPES_DEBUGINFO_INTERNAL_H
#define RT_TYPES_DEBUGINFO_INTERNAL_H

#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <pthread.h>

#include "types/code_symbols.h"
#include "types/debug_index.h"
#include "types/debuginfo.h"

enum {
	RT_SCOPES_MAX = 64,
	RT_PATCHABLE_MAX = 16, /* bytes between a symbol and the code that DWARF describes */
};

/* Where .debug_info may refer to a name. */
struct rt_name_positions {
	uint64_t *list; /* sorted */
	size_t count, room;
	bool known; /* false: it may be anywhere */
};

struct rt_debuginfo {
	struct rt_types types;
	pthread_mutex_t
		lock; /* recursive; protects everything below: libdw keeps state for each file */
	Dwfl *dwfl;
	Dwfl_Module *module;
	Dwarf *dw;
	Dwarf_Addr bias;		    /* libdwfl's addresses minus the file's */
	Dwarf_CFI *cfi;			    /* NULL: none */
	struct rt_name_positions positions; /* of the name that is being looked for */
	struct { /* of the file with the debug information; NULL: not mapped, or changed in memory */
		void *base;
		size_t size;
	} mapping;
	Dwarf_Off units_read; /* the headers of the units up to this offset */
	Dwarf_CU *last_unit;  /* of these */
	size_t units_seen;    /* while going over them */
	struct {	      /* the last canonical frame address that was found */
		bool known;
		Dwarf_Addr address;
		int reg;
		int64_t offset;
	} frame;
	struct { /* the last answer of rt_debuginfo_scopes() */
		bool known;
		Dwarf_Addr address;
		int count;
		Dwarf_Die list[RT_SCOPES_MAX];
	} scopes;
	struct rt_code_symbols symbols;
	bool symbols_read;
	struct rt_debug_index *index[RT_DEBUG_INDEXES]; /* NULL: not there, or not needed yet */
	bool index_looked_for[RT_DEBUG_INDEXES], index_scanned[RT_DEBUG_INDEXES];
};

static inline struct rt_debuginfo *rt_debuginfo_lock(struct rt_debuginfo *d)
{
	pthread_mutex_lock(&d->lock);
	return d;
}

static inline void rt_debuginfo_unlock(struct rt_debuginfo **d)
{
	pthread_mutex_unlock(&(*d)->lock);
}

/* Hold the lock of D until the function returns.  Callbacks of the caller may ask D again. */
#define RT_DEBUGINFO_HOLD(d)                                                              \
	struct rt_debuginfo *held __attribute__((cleanup(rt_debuginfo_unlock), unused)) = \
		rt_debuginfo_lock(d)

/*
 * The index of a large file, kept from an earlier scan or, if SCAN, made now.  NULL: the units must be
 * searched.
 */
const struct rt_debug_index *rt_debuginfo_index(struct rt_debuginfo *d,
						enum rt_debug_index_what what, bool scan);

/* Where the code of an inlined copy begins; false if it has none. */
bool rt_debuginfo_instance_address(Dwarf_Die *instance, Dwarf_Addr *address);

/* The abstract function of which a DIE is a copy, as a place in .debug_info; NULL: none. */
const void *rt_debuginfo_origin(Dwarf_Die *die);

/*
 * Whether a copy of the function inside the function is not one of a call but a part: where the compiler has
 * split a function and joined it again, the line of the function itself calls the part.
 */
bool rt_debuginfo_is_part(Dwarf_Die *instance, Dwarf_Die *function);

/* The line and address of a row at which a statement begins; false if it is another row. */
bool rt_debuginfo_row(Dwarf_Line *row, unsigned int *line, Dwarf_Addr *address);

/*
 * Call each() for the beginnings of the functions of a unit, or of FUNCTION alone if it is not NULL, and of
 * the copies of others inside them, with the lines that call and that declare them, until it returns
 * non-zero.
 */
int rt_debuginfo_calls(Dwarf_Die *unit, Dwarf_Die *function,
		       int (*each)(void *arg, const char *path, unsigned int line,
				   uint64_t address),
		       void *arg);

/* The section as libdw reads it; NULL if it is missing or compressed. */
const void *rt_debuginfo_section(Dwarf *dw, const char *name, size_t *size);

extern const struct rt_types_ops rt_debuginfo_ops;

/* A type as a number: where it is in .debug_info; the top bit marks a file shared by several (dwz). */
rt_type_id rt_debuginfo_id(const struct rt_debuginfo *d, Dwarf_Die *die);
int rt_debuginfo_die(const struct rt_debuginfo *d, rt_type_id id, Dwarf_Die *die);

/* The type of a variable, member or parameter; 0: void. */
rt_type_id rt_debuginfo_type_of(const struct rt_debuginfo *d, Dwarf_Die *die);

/*
 * Give back the pages that libdw has read: going over all units touches all of a large file.  They are
 * read again where they are needed.
 */
void rt_debuginfo_find_mapping(struct rt_debuginfo *d);
void rt_debuginfo_give_back(const struct rt_debuginfo *d);

enum { RT_UNITS_STEP = 64 }; /* units after which pages are given back */

/* Whether sections can be read as they are: linked, 64-bit, in the byte order of this machine. */
bool rt_debuginfo_is_plain(Dwarf *dw);

/*
 * The canonical frame address at an address as register + offset.  False: libdw must be asked.
 */
bool rt_debuginfo_frame(Dwarf *dw, Dwarf_Addr address, int *reg, int64_t *offset);

/* Where in .debug_info the unit begins that contains an address; false if that is not known. */
bool rt_debuginfo_aranges(Dwarf *dw, Dwarf_Addr address, Dwarf_Off *unit);

/* The unit that contains an address; false if there is none. */
bool rt_debuginfo_unit(struct rt_debuginfo *d, Dwarf_Addr address, Dwarf_Die *unit);

/*
 * Go over the units that may have a DIE called NAME: begin, then next until it returns false, with *CU NULL
 * at first.
 */
void rt_debuginfo_named_begin(struct rt_debuginfo *d, const char *name);
bool rt_debuginfo_named_next(struct rt_debuginfo *d, Dwarf_CU **cu, Dwarf_Die *unit);

/*
 * The scopes with code at an address, outermost first: the function, blocks, inlined functions.  Returns
 * how many.  (libdw's own function leaves out what is around an inlined one.)
 */
int rt_debuginfo_scopes(struct rt_debuginfo *d, Dwarf_Addr address, Dwarf_Die out[RT_SCOPES_MAX]);

/* Step to the next sibling; false after the last.  In damaged data siblings may lead back. */
static inline bool rt_debuginfo_sibling(Dwarf_Die *die)
{
	const void *before = die->addr;

	return !dwarf_siblingof(die, die) && (const char *)die->addr > (const char *)before;
}

/*
 * Whether a function is called NAME, which may have some of the namespaces and classes around it:
 * "method", "Class::method", "ns::Class::method".
 */
bool rt_debuginfo_is_called(Dwarf_Die *die, const char *name);

/* The function called NAME in a unit, also one that has no code. */
bool rt_debuginfo_find_function(Dwarf_Die *unit, const char *name, Dwarf_Die *out);

/* Whether a unit is written in C, where no function is inside a struct, or in assembly. */
bool rt_debuginfo_is_c(Dwarf_Die *unit);

/* Whether functions may be inside: namespaces of C++ and Rust, classes. */
static inline bool rt_debuginfo_is_container(int tag, bool classes)
{
	return tag == DW_TAG_namespace ||
	       (classes && (tag == DW_TAG_structure_type || tag == DW_TAG_class_type));
}

/* The functions in the symbol table; empty if there is no memory. */
struct rt_code_symbols *rt_debuginfo_symbols(struct rt_debuginfo *d);

/* The address of the function symbol NAME in the file; false if there is none. */
bool rt_debuginfo_symbol_address(struct rt_debuginfo *d, const char *name, Dwarf_Addr *address);

/* The place at an address, or NULL. */
const struct rt_code_place *rt_debuginfo_find_place(const struct rt_code_places *places,
						    Dwarf_Addr address);

/* Append a place; an address that is there already is not added again. */
int rt_debuginfo_add_place(struct rt_debuginfo *d, Dwarf_Addr address, bool inlined,
			   struct rt_code_places *out);

/* Name the symbol before an address of code or data. */
bool rt_debuginfo_name_address(struct rt_debuginfo *d, Dwarf_Addr address, char *name, size_t size,
			       uint64_t *offset);

/* Fill LOCATION from the attribute of a variable at an address. */
void rt_debuginfo_locate(struct rt_debuginfo *d, Dwarf_Die *variable, Dwarf_Die *function,
			 Dwarf_Addr address, struct rt_variable_location *location);

#endif
