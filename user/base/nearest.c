// SPDX-License-Identifier: GPL-2.0
#include "base/nearest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int least(int a, int b)
{
	return a < b ? a : b;
}

int rt_nearest_distance(const char *a, const char *b, int limit)
{
	int rows[3][RT_NEAREST_LEN + 1], *before = rows[0], *above = rows[1], *row = rows[2], *old;
	int la = (int)strnlen(a, RT_NEAREST_LEN + 1), lb = (int)strnlen(b, RT_NEAREST_LEN + 1);
	int i, j, best;

	if (la > RT_NEAREST_LEN || lb > RT_NEAREST_LEN || abs(la - lb) > limit)
		return limit + 1;
	for (j = 0; j <= lb; j++)
		above[j] = j;
	for (i = 1; i <= la; i++) {
		best = row[0] = i;
		for (j = 1; j <= lb; j++) {
			row[j] = least(above[j - 1] + (a[i - 1] != b[j - 1]),
				       least(above[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[j] = least(row[j], before[j - 2] + 1);
			best = least(best, row[j]);
		}
		/* The least value of a row never decreases in later rows. */
		if (best > limit)
			return limit + 1;
		old = before;
		before = above;
		above = row;
		row = old;
	}
	return above[lb];
}

void rt_nearest_begin(struct rt_nearest *n, const char *asked)
{
	size_t length = strlen(asked);

	memset(n, 0, sizeof(*n));
	n->asked = asked;
	/* In a short name a single change can produce any other name. */
	n->limit = length < 4 ? 1 : length < 12 ? 2 : 3;
}

void rt_nearest_offer(struct rt_nearest *n, const char *name)
{
	int limit = n->limit, d, i, at;

	if (n->count == RT_NEAREST_MAX)
		limit = n->distance[n->count - 1] - 1;
	if (limit < 0)
		return;
	d = rt_nearest_distance(n->asked, name, limit);
	if (d > limit || strlen(name) > RT_NEAREST_LEN)
		return;
	for (i = 0; i < n->count; i++)
		if (!strcmp(n->name[i], name))
			return;
	for (at = n->count; at > 0 && n->distance[at - 1] > d; at--)
		;
	if (n->count < RT_NEAREST_MAX)
		n->count++;
	for (i = n->count - 1; i > at; i--) {
		n->distance[i] = n->distance[i - 1];
		memcpy(n->name[i], n->name[i - 1], sizeof(n->name[i]));
	}
	n->distance[at] = d;
	snprintf(n->name[at], sizeof(n->name[at]), "%s", name);
}

const char *rt_nearest_text(const struct rt_nearest *n, char *out, size_t size)
{
	size_t used = 0;
	int i;

	out[0] = 0;
	for (i = 0; i < n->count && used < size; i++)
		used += snprintf(out + used, size - used, "%s'%s'",
				 !i		  ? "; did you mean " :
				 i < n->count - 1 ? ", " :
						    " or ",
				 n->name[i]);
	if (n->count && used < size)
		snprintf(out + used, size - used, "?");
	return out;
}
