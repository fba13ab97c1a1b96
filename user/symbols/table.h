/* SPDX-License-Identifier: GPL-2.0 */
/*
 * table.h - the symbols of one object: a sorted array and binary search.
 *
 * Filled by one thread: add, fix ends and duplicates (more than once, as perf
 * does for .symtab and .dynsym), finish.  After rt_table_finish() any thread may
 * look up without a lock.
 */
#ifndef RT_SYMBOLS_TABLE_H
#define RT_SYMBOLS_TABLE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "symbols/object.h"
#include "symbols/shape.h"

struct rt_table_entry {
	struct rt_symbol sym;
	uint32_t seq;	 /* when it was added, from 0 */
	uint8_t mangled; /* sym.name has not been through rt_demangle() yet */
	uint8_t module;	 /* sym.name ends in the module's: "name\t[module]" */
};

struct rt_table {
	struct rt_table_entry *entry; /* sorted by start, equal ones by age */
	uint32_t count, room;
	uint32_t sorted; /* entry[0..sorted) are in order */
	struct rt_arena names;
	bool failed; /* out of memory on the way: rt_table_finish() says so */
	bool demangle, params;
	bool unlogged; /* the log would be all entries as they lie, and is made when needed */

	/* What happened in which order, for tables whose ranges overlap. */
	struct rt_shape_log log;
	struct rt_shape *shape; /* NULL: no overlaps */
	uint32_t *by_seq;	/* with shape: entry index of a sequence number */

	/* For each stretch of addresses the first entry that begins behind its start; or NULL. */
	uint32_t *first;
	unsigned int first_shift; /* a stretch has 1 << first_shift bytes */
	uint32_t stretches;

	pthread_mutex_t lock; /* of names, once finished */
};

void rt_table_init(struct rt_table *t, bool demangle, bool params);
void rt_table_free(struct rt_table *t);

/* `name` is copied; len 0 means that rt_table_fix_ends() shall find the end. */
void rt_table_add(struct rt_table *t, uint64_t start, uint64_t len, uint8_t binding, uint8_t type,
		  const char *name);
/* The same with a name that need not be copied or demangled. */
void rt_table_add_static(struct rt_table *t, uint64_t start, uint64_t end, uint8_t binding,
			 uint8_t type, const char *name);

/* The symbol added last is a module's. */
void rt_table_mark_module(struct rt_table *t);

/*
 * Put what `from` holds, all of it added in this order, into an empty table, with the memory
 * it lies in.  `from` was unlogged from its beginning; it can only be freed then.
 */
void rt_table_take_over(struct rt_table *t, struct rt_table *from);

/* Symbols without a size reach to the next one; `kallsyms`: but not across a module's edge. */
void rt_table_fix_ends(struct rt_table *t, bool kallsyms);

/* Of several symbols at one address keep the one perf would print. */
void rt_table_fix_duplicates(struct rt_table *t);

/* Ready for look-ups; -ENOMEM when something was lost on the way. */
int rt_table_finish(struct rt_table *t);

const struct rt_symbol *rt_table_find(struct rt_table *t, uint64_t address);
const struct rt_symbol *rt_table_find_name(struct rt_table *t, const char *name);
const struct rt_symbol *rt_table_at(struct rt_table *t, uint32_t index);

#endif
