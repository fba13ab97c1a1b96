// SPDX-License-Identifier: GPL-2.0
#include "analysis/starts.h"

#include <stdlib.h>
#include <string.h>

void rt_starts_free(struct rt_starts *p)
{
	free(p->slots);
	memset(p, 0, sizeof(*p));
}

static size_t home_of(const struct rt_starts *p, uint64_t key)
{
	uint64_t h = key * 0x9e3779b97f4a7c15ULL;

	return (size_t)(h ^ h >> 31) & (p->size - 1);
}

/* The slot of the key, or the free one where it belongs. */
static size_t slot_of(const struct rt_starts *p, uint64_t key)
{
	size_t at = home_of(p, key);

	while (p->slots[at].taken && p->slots[at].key != key)
		at = (at + 1) & (p->size - 1);
	return at;
}

static bool grow(struct rt_starts *p)
{
	struct rt_starts larger = *p;
	size_t i;

	larger.size = p->size ? p->size * 2 : 256;
	larger.slots = calloc(larger.size, sizeof(*larger.slots));
	if (!larger.slots)
		return false;
	for (i = 0; i < p->size; i++)
		if (p->slots[i].taken)
			larger.slots[slot_of(&larger, p->slots[i].key)] = p->slots[i];
	free(p->slots);
	*p = larger;
	return true;
}

bool rt_starts_add(struct rt_starts *p, uint64_t key, uint64_t time, uint32_t charge)
{
	struct rt_starts_entry *s;

	if (p->used * 2 >= p->size && !grow(p))
		return false;
	s = &p->slots[slot_of(p, key)];
	if (s->taken)
		p->unknown++; /* it begins again: its end was not recorded */
	else
		p->used++;
	*s = (struct rt_starts_entry){ key, time, p->era, charge, true };
	return true;
}

/* Empty a slot, and move those back that were put behind it only because it was taken. */
static void take_out(struct rt_starts *p, size_t hole)
{
	size_t mask = p->size - 1, at = hole;

	for (;;) {
		at = (at + 1) & mask;
		if (!p->slots[at].taken)
			break;
		/* Does its own place lie behind the hole? */
		if (((at - home_of(p, p->slots[at].key)) & mask) < ((at - hole) & mask))
			continue;
		p->slots[hole] = p->slots[at];
		hole = at;
	}
	p->slots[hole].taken = false;
	p->used--;
}

bool rt_starts_end(struct rt_starts *p, uint64_t key, uint64_t time, uint32_t *charge, uint64_t *ns)
{
	struct rt_starts_entry s;
	size_t at;

	if (!p->used)
		return false;
	at = slot_of(p, key);
	s = p->slots[at];
	if (!s.taken)
		return false;
	take_out(p, at);
	if (s.era != p->era || time < s.time) {
		p->unknown++;
		return false;
	}
	*charge = s.charge;
	*ns = time - s.time;
	return true;
}

void rt_starts_forget(struct rt_starts *p, uint64_t key)
{
	size_t at = p->used ? slot_of(p, key) : 0;

	if (p->used && p->slots[at].taken)
		take_out(p, at);
}
