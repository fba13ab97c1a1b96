/* SPDX-License-Identifier: GPL-2.0 */
/*
 * symbol_table.h - the symbols of one object: a sorted array and binary search.
 *
 * One thread fills it: add, fix ends and duplicates (more than once, as perf does for .symtab and
 * .dynsym), finish.  After rt_symbol_table_finish() any thread may look up without a lock.
 */
#ifndef RT_SYMBOLS_SYMBOL_TABLE_H
#define RT_SYMBOLS_SYMBOL_TABLE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "symbols/overlap_tree.h"
#include "symbols/symbol_table_entry.h"

struct rt_symbol_table {
	struct rt_symbol_table_entry *entry; /* sorted by start, equal ones by age */
	uint32_t count, room;
	uint32_t sorted; /* entry[0..sorted) are in order */
	struct rt_arena names;
	bool failed; /* out of memory while adding: rt_symbol_table_finish() reports it */
	bool demangle, params;
	bool unlogged; /* the log equals the entries in order; it is made when needed */

	/* The order of insertions and removals, for tables whose ranges overlap. */
	struct rt_overlap_log log;
	struct rt_overlap_tree *overlaps; /* NULL: no overlaps */
	uint32_t *by_seq;		  /* with overlaps: entry index of a sequence number */

	/* For each stretch of addresses, the first entry that begins behind its start; or NULL. */
	uint32_t *first;
	unsigned int first_shift; /* a stretch has 1 << first_shift bytes */
	uint32_t stretches;

	pthread_mutex_t lock; /* protects names, once finished */
};

void rt_symbol_table_init(struct rt_symbol_table *t, bool demangle, bool params);
void rt_symbol_table_free(struct rt_symbol_table *t);

/* Allocate room for so many symbols at once. */
void rt_symbol_table_reserve(struct rt_symbol_table *t, uint32_t count);

/* `name` is copied; len 0: rt_symbol_table_fix_ends() finds the end. */
void rt_symbol_table_add(struct rt_symbol_table *t, uint64_t start, uint64_t len, uint8_t binding,
			 uint8_t type, const char *name);
/* The same with a name that need not be copied or demangled. */
void rt_symbol_table_add_static(struct rt_symbol_table *t, uint64_t start, uint64_t end,
				uint8_t binding, uint8_t type, const char *name);

/* Mark the symbol added last as a module's. */
void rt_symbol_table_mark_module(struct rt_symbol_table *t);

/*
 * Move what `from` holds, in the order in which it was added, into an empty table, together with
 * its memory.  `from` must be unlogged from its beginning; afterwards it can only be freed.
 */
void rt_symbol_table_take_over(struct rt_symbol_table *t, struct rt_symbol_table *from);

/* Extend symbols without a size to the next one; `kallsyms`: but not into another module. */
void rt_symbol_table_fix_ends(struct rt_symbol_table *t, bool kallsyms);

/* Of several symbols at one address, keep the one that perf would print. */
void rt_symbol_table_fix_duplicates(struct rt_symbol_table *t);

/* Make the table ready for lookups; -ENOMEM if an earlier call ran out of memory. */
int rt_symbol_table_finish(struct rt_symbol_table *t);

const struct rt_symbol *rt_symbol_table_find(struct rt_symbol_table *t, uint64_t address);
const struct rt_symbol *rt_symbol_table_find_name(struct rt_symbol_table *t, const char *name);
const struct rt_symbol *rt_symbol_table_at(struct rt_symbol_table *t, uint32_t index);

#endif
