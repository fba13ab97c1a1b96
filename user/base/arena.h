/* SPDX-License-Identifier: GPL-2.0 */
/*
 * arena.h - memory that is freed all at once.
 *
 * The contents of a file's header, symbol names and cached answers live as long as their owner, so
 * they are cut from big blocks: no allocation header and no free for each string.  Not locked.
 */
#ifndef RT_BASE_ARENA_H
#define RT_BASE_ARENA_H

#include <stddef.h>

struct rt_arena_block;

struct rt_arena { /* all zero: empty */
	struct rt_arena_block *head;
};

/* Zeroed, aligned for any type; NULL when out of memory. */
void *rt_arena_alloc(struct rt_arena *a, size_t size);
/* The same for count elements of this size; NULL also on overflow. */
void *rt_arena_array(struct rt_arena *a, size_t count, size_t size);

/* Copy up to the NUL, or `len` bytes, and add a NUL. */
char *rt_arena_strn(struct rt_arena *a, const char *s, size_t len);
char *rt_arena_str(struct rt_arena *a, const char *s);

void rt_arena_free(struct rt_arena *a);

#endif
