/* SPDX-License-Identifier: GPL-2.0 */
/*
 * addrmap.h - map an address to a pointer, for answers that never change.
 *
 * Readers take no lock: they probe the published array.  Writers (one at a time, under the owner's
 * lock) fill free slots.  A writer stores the key last, with release [A], and a reader reads it
 * first, with acquire [B], so a reader that sees a key also sees its value.  Growing publishes a
 * bigger array with release [C], which readers load with acquire [D], and keeps the old array for
 * readers that still use it.
 */
#ifndef RT_SYMBOLS_LINES_ADDRMAP_H
#define RT_SYMBOLS_LINES_ADDRMAP_H

#include <stdbool.h>
#include <stdint.h>

struct rt_addrmap_array;

struct rt_addrmap {
	struct rt_addrmap_array *array;
	uint32_t count;
	void *of_none; /* the value of the one address that marks a free slot */
};

/* Return the value stored for addr, or NULL.  Any thread may call this at any time. */
void *rt_addrmap_get(const struct rt_addrmap *m, uint64_t addr);

/* addr must not be in the map yet; value must not be NULL. -ENOMEM.  One writer at a time. */
int rt_addrmap_put(struct rt_addrmap *m, uint64_t addr, void *value);

void rt_addrmap_free(struct rt_addrmap *m);

#endif
