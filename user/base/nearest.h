/* SPDX-License-Identifier: GPL-2.0 */
/* nearest.h - find the existing names nearest to a wrong one, for "did you mean". */
#ifndef RT_BASE_NEAREST_H
#define RT_BASE_NEAREST_H

#include <stddef.h>

enum {
	RT_NEAREST_MAX = 3,  /* names to suggest */
	RT_NEAREST_LEN = 64, /* characters of a name; longer ones are not compared */
};

struct rt_nearest {
	const char *asked;
	int limit; /* names that differ more are not suggested */
	int count;
	int distance[RT_NEAREST_MAX];
	char name[RT_NEAREST_MAX][RT_NEAREST_LEN + 1];
};

/* ASKED must stay valid as long as the struct is used. */
void rt_nearest_begin(struct rt_nearest *n, const char *asked);
void rt_nearest_offer(struct rt_nearest *n, const char *name);
/* Format "; did you mean 'a', 'b' or 'c'?", or "" if no name is near. */
const char *rt_nearest_text(const struct rt_nearest *n, char *out, size_t size);

/*
 * How many characters must be inserted, removed, replaced or swapped with their neighbour to turn A
 * into B; a value above LIMIT if it is more than LIMIT.
 */
int rt_nearest_distance(const char *a, const char *b, int limit);

#endif
