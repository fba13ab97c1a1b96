/* SPDX-License-Identifier: GPL-2.0 */
/* debug_index_internal.h - what the threads of a scan have found, shared by scan and build. */
#ifndef RT_TYPES_DEBUG_INDEX_INTERNAL_H
#define RT_TYPES_DEBUG_INDEX_INTERNAL_H

#include "base/text_set.h"
#include "types/debug_index_format.h"

struct rt_debug_file {
	int fd;
	void *image;
	size_t size;
	Elf *elf;
	uint64_t base, end; /* of its code */
};

/* False if it cannot be scanned; close it also then.  Its fd must be -1 before. */
bool rt_debug_file_open(struct rt_debug_file *f, const char *path);
void rt_debug_file_close(struct rt_debug_file *f);
/* Give back the pages that were read; they are read again where they are needed. */
void rt_debug_file_give_back(const struct rt_debug_file *f);

/* Something that a name has: a place of a function, a row of a file. */
struct rt_debug_item {
	uint32_t name; /* number in the set */
	uint32_t line; /* of a row; 0 for a place */
	uint32_t address;
};

struct rt_debug_items {
	struct rt_text_set names;
	struct rt_debug_item *list;
	size_t count, room;
};

void rt_debug_items_free(struct rt_debug_items *items);

/*
 * Make an index of what COUNT threads have found, and free that.  NULL: no memory, or too much was found.
 */
struct rt_debug_index *rt_debug_index_build(struct rt_debug_items *items, size_t count,
					    uint64_t base, const struct rt_buildid *id,
					    enum rt_debug_index_what what);

#endif
