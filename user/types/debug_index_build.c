// SPDX-License-Identifier: GPL-2.0
/* Put what the threads of a scan have found in order. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "types/debug_index_internal.h"

/* Names, and what they have. */
struct table {
	struct rt_text_set names;
	struct rt_debug_index_entry *entries; /* one more than names; .name is set later */
	uint32_t *order;		      /* numbers of names, sorted by the names */
	uint64_t *values;		      /* the line above, the address below */
	size_t count;			      /* of values */
};

void rt_debug_items_free(struct rt_debug_items *items)
{
	rt_text_set_free(&items->names);
	free(items->list);
	memset(items, 0, sizeof(*items));
}

static void free_table(struct table *t)
{
	rt_text_set_free(&t->names);
	free(t->entries);
	free(t->order);
	free(t->values);
}

/* Give the items of a thread the numbers that their names have for all threads. */
static bool renumber(struct rt_debug_items *items, struct rt_text_set *names)
{
	uint32_t *number = malloc((items->names.count + 1) * sizeof(*number));
	int64_t n = 0;
	size_t i;

	for (i = 0; number && n >= 0 && i < items->names.count; i++) {
		n = rt_text_set_number(names, items->names.texts[i]);
		number[i] = (uint32_t)n;
	}
	for (i = 0; number && n >= 0 && i < items->count; i++)
		items->list[i].name = number[items->list[i].name];
	free(number);
	return number && n >= 0;
}

static int by_name(const void *a, const void *b, void *names)
{
	const struct rt_text_set *set = names;

	return strcmp(set->texts[*(const uint32_t *)a], set->texts[*(const uint32_t *)b]);
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Sort the values of each name, and keep each once. */
static void sort_values(struct table *t)
{
	uint32_t i, j, first, end, kept = 0;

	for (i = 0; i < t->names.count; i++) {
		first = t->entries[i].first;
		end = t->entries[i + 1].first;
		qsort(t->values + first, end - first, sizeof(*t->values), by_value);
		t->entries[i].first = kept;
		for (j = first; j < end; j++)
			if (j == first || t->values[j] != t->values[j - 1])
				t->values[kept++] = t->values[j];
	}
	t->entries[i].first = kept;
	t->count = kept;
}

/* Put the values of each name together, in the order of the names. */
static bool gather(struct table *t, struct rt_debug_items *items, size_t threads)
{
	uint32_t *place = NULL, sum = 0;
	const struct rt_debug_item *item;
	size_t i, j;

	for (i = 0; i < threads; i++) {
		if (!renumber(&items[i], &t->names))
			return false;
		t->count += items[i].count;
	}
	if (t->count >= UINT32_MAX)
		return false;
	t->entries = calloc(t->names.count + 1, sizeof(*t->entries));
	t->order = malloc((t->names.count + 1) * sizeof(*t->order));
	t->values = malloc((t->count + 1) * sizeof(*t->values));
	place = calloc(t->names.count + 1, sizeof(*place));
	if (!t->entries || !t->order || !t->values || !place) {
		free(place);
		return false;
	}
	for (i = 0; i < t->names.count; i++)
		t->order[i] = i;
	if (t->names.count)
		qsort_r(t->order, t->names.count, sizeof(*t->order), by_name, &t->names);
	for (i = 0; i < threads; i++)
		for (j = 0; j < items[i].count; j++)
			place[items[i].list[j].name]++;
	for (i = 0; i < t->names.count; i++) {
		t->entries[i].first = sum;
		sum += place[t->order[i]];
		place[t->order[i]] = t->entries[i].first;
	}
	t->entries[i].first = sum;
	for (i = 0; i < threads; i++) {
		for (j = 0; j < items[i].count; j++) {
			item = &items[i].list[j];
			t->values[place[item->name]++] = (uint64_t)item->line << 32 | item->address;
		}
		rt_debug_items_free(&items[i]);
	}
	free(place);
	sort_values(t);
	return true;
}

static size_t names_size(const struct table *t)
{
	size_t i, size = 0;

	for (i = 0; i < t->names.count; i++)
		size += strlen(t->names.texts[i]) + 1;
	return size;
}

static void write_entries(struct table *t, struct rt_debug_index_entry *out, char *names,
			  size_t *at)
{
	const char *name;
	size_t i, size;

	for (i = 0; i < t->names.count; i++) {
		name = t->names.texts[t->order[i]];
		size = strlen(name) + 1;
		t->entries[i].name = *at;
		memcpy(names + *at, name, size);
		*at += size;
	}
	memcpy(out, t->entries, (t->names.count + 1) * sizeof(*out));
}

static struct rt_debug_index *assemble(struct table *t, uint64_t base, const struct rt_buildid *id,
				       enum rt_debug_index_what what)
{
	bool lines = what == RT_DEBUG_INDEX_LINES;
	size_t i, at = 1, names = 1 + names_size(t), entries = t->names.count + 2;
	struct rt_debug_index_entry *entry;
	struct rt_debug_index_head *h;
	uint32_t *places;
	char *text;
	size_t size = sizeof(*h) + entries * sizeof(*entry) + names +
		      t->count * (lines ? sizeof(*t->values) : sizeof(*places));

	h = names > UINT32_MAX ? NULL : calloc(1, size);
	if (!h)
		return NULL;
	memcpy(h->magic, RT_DEBUG_INDEX_MAGIC, sizeof(h->magic));
	memcpy(h->id, id->data, id->len);
	h->id_size = id->len;
	h->base = base;
	h->what = what;
	h->names = names;
	*(lines ? &h->files : &h->functions) = t->names.count;
	*(lines ? &h->rows : &h->places) = t->count;
	/* The table that is empty has one entry. */
	entry = (struct rt_debug_index_entry *)(h + 1) + lines;
	places = (uint32_t *)((struct rt_debug_index_entry *)(h + 1) + entries);
	if (lines)
		memcpy(places, t->values, t->count * sizeof(*t->values));
	for (i = 0; !lines && i < t->count; i++)
		places[i] = (uint32_t)t->values[i];
	text = (char *)places + t->count * (lines ? sizeof(*t->values) : sizeof(*places));
	write_entries(t, entry, text, &at);
	h->sum = rt_hash_large(h + 1, size - sizeof(*h));
	return rt_debug_index_of_bytes(h, size, id, what);
}

struct rt_debug_index *rt_debug_index_build(struct rt_debug_items *items, size_t count,
					    uint64_t base, const struct rt_buildid *id,
					    enum rt_debug_index_what what)
{
	struct rt_debug_index *x = NULL;
	struct table t = { 0 };

	if (gather(&t, items, count))
		x = assemble(&t, base, id, what);
	free_table(&t);
	return x;
}
