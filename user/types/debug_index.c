// SPDX-License-Identifier: GPL-2.0
/* Read, check and keep an index. */
#include "types/debug_index.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/hash.h"
#include "host/cache_file.h"
#include "host/source_file.h"
#include "types/debug_index_format.h"

enum {
	SIZE_LIMIT = 1 << 30,
	KEPT = 8, /* files */
};

#define PREFIX	   "debug-"
#define SUFFIX_MAX sizeof(".functions")

static const char *const suffixes[RT_DEBUG_INDEXES] = { ".functions", ".lines", ".units" };

struct rt_debug_index {
	const struct rt_debug_index_head *head;
	size_t size;
	bool mapped;
	const struct rt_debug_index_entry *functions, *files;
	const uint64_t *rows;
	const uint32_t *places;
	const char *names;
};

/* Whether the entries lead to names and to parts of a table with LIMIT elements. */
static bool is_table(const struct rt_debug_index_entry *entries, uint32_t count, uint32_t names,
		     uint32_t limit)
{
	uint32_t i;

	for (i = 0; i < count; i++)
		if (entries[i].name >= names || entries[i].first > entries[i + 1].first)
			return false;
	return !entries[0].first && entries[count].first == limit;
}

static bool is_sound(struct rt_debug_index *x, const struct rt_buildid *id,
		     enum rt_debug_index_what what)
{
	const struct rt_debug_index_head *h = x->head;
	uint64_t size;

	if (x->size < sizeof(*h) || memcmp(h->magic, RT_DEBUG_INDEX_MAGIC, sizeof(h->magic)) ||
	    h->id_size != id->len || memcmp(h->id, id->data, id->len) || !h->names ||
	    h->what != what)
		return false;
	size = sizeof(*h) + (uint64_t)h->names +
	       ((uint64_t)h->functions + h->files + 2) * sizeof(*x->functions) +
	       (uint64_t)h->rows * sizeof(*x->rows) + (uint64_t)h->places * sizeof(*x->places);
	if (x->size != size || rt_hash_large(h + 1, x->size - sizeof(*h)) != h->sum)
		return false;
	x->functions = (const struct rt_debug_index_entry *)(h + 1);
	x->files = x->functions + h->functions + 1;
	x->rows = (const uint64_t *)(x->files + h->files + 1);
	x->places = (const uint32_t *)(x->rows + h->rows);
	x->names = (const char *)(x->places + h->places);
	/* The checksum finds damage but not a forged file. */
	return !x->names[h->names - 1] &&
	       is_table(x->functions, h->functions, h->names, h->places) &&
	       is_table(x->files, h->files, h->names, h->rows);
}

static void drop(const void *bytes, size_t size, bool mapped)
{
	if (mapped)
		munmap((void *)bytes, size);
	else
		free((void *)bytes);
}

static struct rt_debug_index *take(void *bytes, size_t size, bool mapped,
				   const struct rt_buildid *id, enum rt_debug_index_what what)
{
	struct rt_debug_index *x = calloc(1, sizeof(*x));

	if (!x) {
		drop(bytes, size, mapped);
		return NULL;
	}
	x->head = bytes;
	x->size = size;
	x->mapped = mapped;
	if (is_sound(x, id, what))
		return x;
	rt_debug_index_close(x);
	return NULL;
}

struct rt_debug_index *rt_debug_index_of_bytes(void *bytes, size_t size,
					       const struct rt_buildid *id,
					       enum rt_debug_index_what what)
{
	return take(bytes, size, false, id, what);
}

const void *rt_debug_index_bytes(const struct rt_debug_index *x, size_t *size)
{
	*size = x->size;
	return x->head;
}

void rt_debug_index_close(struct rt_debug_index *x)
{
	if (!x)
		return;
	drop(x->head, x->size, x->mapped);
	free(x);
}

struct name {
	char text[sizeof(PREFIX) + RT_BUILDID_HEX + SUFFIX_MAX];
};

static const char *file_name(struct name *name, const struct rt_buildid *id,
			     enum rt_debug_index_what what)
{
	char hex[RT_BUILDID_HEX];

	snprintf(name->text, sizeof(name->text), PREFIX "%s%s", rt_buildid_hex(id, hex),
		 suffixes[what]);
	return name->text;
}

struct rt_debug_index *rt_debug_index_open(const char *home, const struct rt_buildid *id,
					   enum rt_debug_index_what what)
{
	char path[PATH_MAX];
	struct name name;
	size_t size;
	void *bytes;

	if (!id->len || !rt_cache_path(home, false, file_name(&name, id, what), path, sizeof(path)))
		return NULL;
	bytes = rt_cache_map(path, SIZE_LIMIT, &size);
	return bytes ? take(bytes, size, true, id, what) : NULL;
}

bool rt_debug_index_save(const struct rt_debug_index *x, const char *home)
{
	struct rt_cache_part part = { x->head, x->size };
	struct rt_buildid id;
	struct name name;

	rt_buildid_set(&id, x->head->id, x->head->id_size);
	if (!id.len || x->size > SIZE_LIMIT ||
	    !rt_cache_write(home, file_name(&name, &id, x->head->what), &part, 1))
		return false;
	rt_cache_trim(home, PREFIX, KEPT);
	return true;
}

/* --- answers ---------------------------------------------------------------------------- */

int rt_debug_index_function(const struct rt_debug_index *x, const char *name,
			    int (*each)(void *arg, uint64_t address, bool inlined), void *arg)
{
	uint32_t low = 0, high = x->head->functions, middle, i;
	int order, ret = 0;

	while (low < high) {
		middle = low + (high - low) / 2;
		order = strcmp(x->names + x->functions[middle].name, name);
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == x->head->functions || strcmp(x->names + x->functions[low].name, name))
		return 0;
	for (i = x->functions[low].first; !ret && i < x->functions[low + 1].first; i++)
		ret = each(arg, x->head->base + (x->places[i] & ~RT_DEBUG_INDEX_INLINED),
			   x->places[i] & RT_DEBUG_INDEX_INLINED);
	return ret;
}

int rt_debug_index_lines(
	const struct rt_debug_index *x, const char *file, unsigned int first, unsigned int last,
	int (*each)(void *arg, const char *path, unsigned int line, uint64_t address), void *arg)
{
	uint32_t i, low, high, middle;
	const char *path;
	int ret = 0;

	for (i = 0; !ret && i < x->head->files; i++) {
		path = x->names + x->files[i].name;
		if (!rt_source_file_matches(path, file))
			continue;
		low = x->files[i].first;
		high = x->files[i + 1].first;
		while (low < high) {
			middle = low + (high - low) / 2;
			if (rt_debug_index_line(x->rows[middle]) < first)
				low = middle + 1;
			else
				high = middle;
		}
		for (; !ret && low < x->files[i + 1].first &&
		       rt_debug_index_line(x->rows[low]) <= last;
		     low++)
			ret = each(arg, path, rt_debug_index_line(x->rows[low]),
				   x->head->base + (uint32_t)x->rows[low]);
	}
	return ret;
}

int rt_debug_index_units(const struct rt_debug_index *x, const char *file,
			 int (*each)(void *arg, uint64_t offset), void *arg)
{
	uint32_t i, j;
	int ret = 0;

	for (i = 0; !ret && i < x->head->functions; i++)
		if (rt_source_file_matches(x->names + x->functions[i].name, file))
			for (j = x->functions[i].first; !ret && j < x->functions[i + 1].first; j++)
				ret = each(arg, x->places[j]);
	return ret;
}
