/* SPDX-License-Identifier: GPL-2.0 */
/*
 * starts.h - times from a start to its end: a task that leaves its CPU and returns, a request that
 * is issued and completed.
 *
 * A key says which end belongs to which start.  The caller names what the time is charged to, for
 * example the stack at which a task left its CPU.  A time is counted only if both ends were seen
 * and nothing was lost between them.
 */
#ifndef RT_ANALYSIS_STARTS_H
#define RT_ANALYSIS_STARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum rt_starts_state {
	RT_STARTS_EMPTY,
	RT_STARTS_ENDED, /* the key is likely to begin again */
	RT_STARTS_OPEN,
};

struct rt_starts_entry {
	uint64_t key, time, era;
	uint32_t charge;
	uint8_t state;
};

struct rt_starts { /* all zero: empty */
	struct rt_starts_entry *slots;
	size_t size, held, open; /* slots: all, those with a key, those of open starts */
	uint64_t era;		 /* starts of an earlier one had a loss behind them */
	uint64_t unknown;	 /* starts whose end was not seen, or is not sure */
};

void rt_starts_free(struct rt_starts *p);
/* Make room for one more key; false if there is no memory. */
bool rt_starts_room(struct rt_starts *p);

/* The slot of the key, or the empty one where it belongs. */
static inline struct rt_starts_entry *rt_starts_slot(const struct rt_starts *p, uint64_t key)
{
	uint64_t h = key * 0x9e3779b97f4a7c15ULL;
	size_t at = (size_t)(h ^ h >> 31) & (p->size - 1);

	while (p->slots[at].key != key && p->slots[at].state != RT_STARTS_EMPTY)
		at = (at + 1) & (p->size - 1);
	return &p->slots[at];
}

/* Something begins; false if there is no memory. */
static inline bool rt_starts_add(struct rt_starts *p, uint64_t key, uint64_t time, uint32_t charge)
{
	struct rt_starts_entry *s;

	if (p->held * 2 >= p->size && !rt_starts_room(p))
		return false;
	s = rt_starts_slot(p, key);
	if (s->state == RT_STARTS_OPEN)
		p->unknown++; /* it begins again: its end was not recorded */
	else
		p->open++;
	p->held += s->state == RT_STARTS_EMPTY;
	s->key = key;
	s->time = time;
	s->era = p->era;
	s->charge = charge;
	s->state = RT_STARTS_OPEN;
	return true;
}

/* Whether it has begun, not ended, and nothing was lost since. */
static inline bool rt_starts_is_open(const struct rt_starts *p, uint64_t key)
{
	const struct rt_starts_entry *s = p->size ? rt_starts_slot(p, key) : NULL;

	return s && s->state == RT_STARTS_OPEN && s->era == p->era;
}

/* It ends.  If its start was seen: true, what to charge, and the nanoseconds. */
static inline bool rt_starts_end(struct rt_starts *p, uint64_t key, uint64_t time, uint32_t *charge,
				 uint64_t *ns)
{
	struct rt_starts_entry *s;

	if (!p->open)
		return false;
	s = rt_starts_slot(p, key);
	if (s->state != RT_STARTS_OPEN)
		return false;
	s->state = RT_STARTS_ENDED;
	p->open--;
	if (s->era != p->era || time < s->time) {
		p->unknown++;
		return false;
	}
	*charge = s->charge;
	*ns = time - s->time;
	return true;
}

/* The key is used anew, such as the id of a dead task. */
void rt_starts_forget(struct rt_starts *p, uint64_t key);
/* Records were lost: any end may be among them. */
static inline void rt_starts_lost(struct rt_starts *p)
{
	p->era++;
}

/* How many starts have no sure end. */
static inline uint64_t rt_starts_unknown(const struct rt_starts *p)
{
	return p->unknown + p->open;
}

#endif
