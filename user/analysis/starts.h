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

struct rt_starts_entry {
	uint64_t key, time, era;
	uint32_t charge;
	bool taken;
};

struct rt_starts { /* all zero: empty */
	struct rt_starts_entry *slots;
	size_t size, used;
	uint64_t era;	  /* starts of an earlier one had a loss behind them */
	uint64_t unknown; /* starts whose end was not seen, or is not sure */
};

void rt_starts_free(struct rt_starts *p);

/* Something begins; false if there is no memory. */
bool rt_starts_add(struct rt_starts *p, uint64_t key, uint64_t time, uint32_t charge);
/* It ends.  If its start was seen: true, what to charge, and the nanoseconds. */
bool rt_starts_end(struct rt_starts *p, uint64_t key, uint64_t time, uint32_t *charge,
		   uint64_t *ns);
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
	return p->unknown + p->used;
}

#endif
