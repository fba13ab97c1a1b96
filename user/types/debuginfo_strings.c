// SPDX-License-Identifier: GPL-2.0
/*
 * Which units can have a DIE of a given name, without reading them.
 *
 * A name is in .debug_str, and a DIE has its offset there; short names are in .debug_info itself.  So a
 * unit whose bytes contain neither does not have the name.  The search may find bytes that mean something
 * else: the caller looks into these units in vain.
 */
#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "types/debuginfo_internal.h"

enum {
	OFFSETS_MAX = 256,	 /* strings that end with the name */
	POSITIONS_MAX = 1 << 20, /* places in .debug_info that may refer to it */
	FILTER_BITS = 16,	 /* of an offset, for a quick look */
};

struct bytes {
	const uint8_t *base;
	size_t size;
};

const void *rt_debuginfo_section(Dwarf *dw, const char *name, size_t *size)
{
	Elf *elf = dwarf_getelf(dw);
	Elf_Scn *scn = NULL;
	const char *called;
	GElf_Shdr shdr;
	Elf_Data *data;
	size_t strings;

	if (!elf || elf_getshdrstrndx(elf, &strings))
		return NULL;
	while ((scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, &shdr) || shdr.sh_type == SHT_NOBITS)
			continue;
		called = elf_strptr(elf, strings, shdr.sh_name);
		if (!called || strcmp(called, name))
			continue;
		data = shdr.sh_flags & SHF_COMPRESSED ? NULL : elf_getdata(scn, NULL);
		if (data)
			*size = data->d_size;
		return data ? data->d_buf : NULL;
	}
	return NULL;
}

static bool get_section(Dwarf *dw, const char *name, struct bytes *out)
{
	out->base = rt_debuginfo_section(dw, name, &out->size);
	return out->base;
}

/* The offsets of all strings that end with NAME; linkers share the ends of strings.  -1: too many. */
static int find_strings(const struct bytes *strings, const char *name, uint32_t *offsets)
{
	size_t size = strlen(name) + 1, at = 0;
	const uint8_t *found;
	int count = 0;

	while (at < strings->size &&
	       (found = memmem(strings->base + at, strings->size - at, name, size))) {
		if (count == OFFSETS_MAX)
			return -1;
		offsets[count++] = found - strings->base;
		at = found - strings->base + 1;
	}
	return count;
}

static int add_position(struct rt_name_positions *p, uint64_t position)
{
	if (!RT_ARRAY_ROOM(p->list, p->count, p->room))
		return -ENOMEM;
	p->list[p->count++] = position;
	return p->count > POSITIONS_MAX ? -E2BIG : 0;
}

/* Find the places in .debug_info that hold one of the offsets, in order. */
static int find_offsets(const struct bytes *info, const uint32_t *offsets, int count,
			struct rt_name_positions *out)
{
	static const uint32_t mask = (1U << FILTER_BITS) - 1;
	uint8_t *filter;
	uint32_t value;
	size_t at;
	int i, ret = 0;

	if (!count)
		return 0;
	filter = calloc(1, (mask + 1) / 8);
	if (!filter)
		return -ENOMEM;
	for (i = 0; i < count; i++)
		filter[(offsets[i] & mask) / 8] |= 1U << (offsets[i] & 7);
	for (at = 0; !ret && at + 4 <= info->size; at++) {
		memcpy(&value, info->base + at, 4);
		if (!(filter[(value & mask) / 8] & 1U << (value & 7)))
			continue;
		for (i = 0; !ret && i < count; i++)
			if (offsets[i] == value)
				ret = add_position(out, at);
	}
	free(filter);
	return ret;
}

/* Find the name itself in .debug_info. */
static int find_inline(const struct bytes *info, const char *name, struct rt_name_positions *out)
{
	size_t size = strlen(name) + 1, at = 0;
	const uint8_t *found;
	int ret = 0;

	while (!ret && at < info->size &&
	       (found = memmem(info->base + at, info->size - at, name, size))) {
		ret = add_position(out, found - info->base);
		at = found - info->base + 1;
	}
	return ret;
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* False: every unit must be looked at. */
static bool search(struct rt_debuginfo *d, const char *name)
{
	struct rt_name_positions *p = &d->positions;
	struct bytes info, strings, indirect;
	uint32_t offsets[OFFSETS_MAX];
	int count = 0;

	/* Names behind another table, or in a file that several share. */
	if (get_section(d->dw, ".debug_str_offsets", &indirect) || dwarf_getalt(d->dw) ||
	    !get_section(d->dw, ".debug_info", &info))
		return false;
	if (get_section(d->dw, ".debug_str", &strings))
		count = find_strings(&strings, name, offsets);
	if (count < 0 || find_offsets(&info, offsets, count, p) || find_inline(&info, name, p))
		return false;
	if (p->count)
		qsort(p->list, p->count, sizeof(*p->list), compare);
	return true;
}

/* Whether one of the positions is inside the bytes FROM to TO. */
static bool any_in(const struct rt_name_positions *p, uint64_t from, uint64_t to)
{
	size_t low = 0, high = p->count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (p->list[middle] < from)
			low = middle + 1;
		else
			high = middle;
	}
	return low < p->count && p->list[low] < to;
}

void rt_debuginfo_named_begin(struct rt_debuginfo *d, const char *name)
{
	const char *colons = name + strlen(name);

	/* Of a name with namespaces the last part. */
	while (colons > name && colons[-1] != ':')
		colons--;
	d->positions.count = 0;
	/* "<" and ">" may be around "::". */
	d->positions.known = !strchr(name, '>') && search(d, colons);
}

bool rt_debuginfo_named_next(struct rt_debuginfo *d, Dwarf_CU **cu, Dwarf_Die *unit)
{
	Dwarf_Off begin, next;
	size_t size;

	while (!dwarf_get_units(d->dw, *cu, cu, NULL, NULL, unit, NULL)) {
		if (++d->units_seen % RT_UNITS_STEP == 0)
			rt_debuginfo_give_back(d);
		if (!d->positions.known)
			return true;
		begin = dwarf_dieoffset(unit) - dwarf_cuoffset(unit);
		if (dwarf_next_unit(d->dw, begin, &next, &size, NULL, NULL, NULL, NULL, NULL,
				    NULL) ||
		    any_in(&d->positions, begin, next))
			return true;
	}
	return false;
}
