/* SPDX-License-Identifier: GPL-2.0 */
/*
 * addrmap.h - from an address to a pointer, for answers that never change.
 *
 * Readers take no lock: they probe the published array.  Writers (one at a time,
 * the owner's lock) fill free slots; the key is stored last, with release [A],
 * and read first, with acquire [B], so a reader that sees a key sees its value.
 * Growing publishes a bigger array [C, D] and keeps the old one for readers that
 * still look at it.
 */
#ifndef RT_SYMBOLS_ADDRMAP_H
#define RT_SYMBOLS_ADDRMAP_H

#include <stdbool.h>
#include <stdint.h>

struct rt_addrmap_array;

struct rt_addrmap {
	struct rt_addrmap_array *array;
	uint32_t count;
	void *of_none; /* the value of the one address that marks a free slot */
};

/* The value put for addr, or NULL.  Any thread, any time. */
void *rt_addrmap_get(const struct rt_addrmap *m, uint64_t addr);

/* addr must not be there yet; value not NULL.  -ENOMEM.  One writer at a time. */
int rt_addrmap_put(struct rt_addrmap *m, uint64_t addr, void *value);

void rt_addrmap_free(struct rt_addrmap *m);

#endif
