// SPDX-License-Identifier: GPL-2.0
#include "analysis/starts.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_SIZE 256 /* a power of two */

void rt_starts_free(struct rt_starts *p)
{
	free(p->slots);
	memset(p, 0, sizeof(*p));
}

/* Leave out the keys that are not open.  Grow if that does not make enough room. */
bool rt_starts_room(struct rt_starts *p)
{
	struct rt_starts larger = *p;
	size_t i;

	if (!p->size)
		larger.size = FIRST_SIZE;
	else if (p->open * 4 >= p->size)
		larger.size = p->size * 2;
	larger.held = p->open;
	larger.slots = calloc(larger.size, sizeof(*larger.slots));
	if (!larger.slots)
		return false;
	for (i = 0; i < p->size; i++)
		if (p->slots[i].state == RT_STARTS_OPEN)
			*rt_starts_slot(&larger, p->slots[i].key) = p->slots[i];
	free(p->slots);
	*p = larger;
	return true;
}

void rt_starts_forget(struct rt_starts *p, uint64_t key)
{
	struct rt_starts_entry *s = p->open ? rt_starts_slot(p, key) : NULL;

	if (s && s->state == RT_STARTS_OPEN) {
		s->state = RT_STARTS_ENDED;
		p->open--;
	}
}
