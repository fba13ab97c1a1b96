// SPDX-License-Identifier: GPL-2.0
/*
 * key_place.c - sort keys of the other addresses that a sample has: that of its data, and those
 * between which a branch jumped.
 */
#include <stdio.h>
#include <string.h>

#include "report/key_list.h"
#include "report/key_text.h"
#include "symbols/lines/srcline.h"

#define ADDRESS_WIDTH 16

enum { OF_DATA, OF_CODE, OF_BRANCH_FROM, OF_BRANCH_TO };

/* What is kept of an address, in the pool. */
struct place {
	uint64_t raw, address; /* in the process, in the object */
	uint32_t func;
	uint32_t level; /* of an end of a branch */
};

static uint64_t take(struct rt_report *r, const struct rt_key *key,
		     const struct rt_profile_sample *s)
{
	const struct rt_profile_func *f;
	struct place place = { 0 };
	struct rt_funcs_place at;

	place.raw = key->type->which == OF_DATA	       ? s->raw->addr :
		    key->type->which == OF_CODE	       ? s->raw->ip :
		    !r->branch			       ? 0 :
		    key->type->which == OF_BRANCH_FROM ? r->branch->from :
							 r->branch->to;
	at = r->branch ? rt_profile_find(r->profile, s, place.raw) :
			 rt_profile_at(r->profile, s, place.raw);
	place.func = at.func;
	place.address = at.address;
	f = rt_profile_func(r->profile, at.func);
	/* perf tries the hypervisor last. */
	place.level = f->kernel ? 'k' : f->object ? '.' : 'H';
	return rt_pool_bytes(&r->pool, &place, sizeof(place));
}

static struct place place_of(struct rt_report *r, const struct rt_key *key,
			     const struct rt_where *w)
{
	uint32_t number = (uint32_t)rt_key_extra_id(r, key, w);
	struct place place = { 0 };

	if (number)
		memcpy(&place, rt_pool_get(&r->pool, number), sizeof(place));
	return place;
}

static bool is_branch(const struct rt_key *key)
{
	return key->type->which == OF_BRANCH_FROM || key->type->which == OF_BRANCH_TO;
}

/* ---- symbols -------------------------------------------------------------------------------- */

/* perf tells data and code apart by address, the ends of branches by symbol. */
static uint64_t symbol_id(struct rt_report *r, const struct rt_key *key, const struct rt_where *w)
{
	struct place place = place_of(r, key, w);

	if (is_branch(key) && rt_profile_func(r->profile, place.func)->symbol)
		return place.func;
	return place.raw ^ 1ull << 62;
}

static int symbol_order(struct rt_report *r, const struct rt_key *key, const struct rt_where *a,
			const struct rt_where *b)
{
	struct place in_a = place_of(r, key, a), in_b = place_of(r, key, b);
	const char *name_a = rt_profile_func(r->profile, in_a.func)->name;
	const char *name_b = rt_profile_func(r->profile, in_b.func)->name;

	if (is_branch(key) && name_a && name_b)
		return strcmp(name_b, name_a);
	return (in_a.raw > in_b.raw) - (in_a.raw < in_b.raw);
}

static unsigned int symbol_width(struct rt_report *r, const struct rt_key *key,
				 const struct rt_where *w)
{
	const char *name = rt_profile_func(r->profile, place_of(r, key, w).func)->name;
	unsigned int width = name ? (unsigned int)strlen(name) + 4 : 0;

	if (!name || !is_branch(key))
		width += ADDRESS_WIDTH + 2 + (name ? 0 : 4);
	return width;
}

static void symbol_text(struct rt_report *r, const struct rt_key *key, const struct rt_where *w,
			unsigned int width, struct rt_text *out)
{
	struct place place = place_of(r, key, w);
	struct rt_where at = { w->sum, place.func, place.address, w->level, place.address };

	if (is_branch(key))
		at.level = (char)place.level;
	rt_key_put_symbol(r, &at, is_branch(key) ? place.address : place.raw, width, out);
}

/* ---- objects -------------------------------------------------------------------------------- */

static uint64_t object_id(struct rt_report *r, const struct rt_key *key, const struct rt_where *w)
{
	return rt_key_object_name(r, place_of(r, key, w).func);
}

static int object_order(struct rt_report *r, const struct rt_key *key, const struct rt_where *a,
			const struct rt_where *b)
{
	return strcmp(rt_pool_get(&r->pool, (uint32_t)object_id(r, key, b)),
		      rt_pool_get(&r->pool, (uint32_t)object_id(r, key, a)));
}

static unsigned int object_width(struct rt_report *r, const struct rt_key *key,
				 const struct rt_where *w)
{
	const struct rt_profile_func *f = rt_profile_func(r->profile, place_of(r, key, w).func);
	unsigned int width = 0;

	if (is_branch(key) ? f->symbol != NULL : f->object != NULL)
		return (unsigned int)strlen(rt_pool_get(&r->pool, (uint32_t)object_id(r, key, w)));
	if (!r->opt->separator && !r->opt->widths && !r->opt->objects.count)
		width = ADDRESS_WIDTH;
	return width;
}

static void object_text(struct rt_report *r, const struct rt_key *key, const struct rt_where *w,
			unsigned int width, struct rt_text *out)
{
	rt_key_put(r, rt_pool_get(&r->pool, (uint32_t)object_id(r, key, w)), width, true, out);
}

/* ---- source lines ----------------------------------------------------------------------------- */

static uint64_t line_id(struct rt_report *r, const struct rt_key *key, const struct rt_where *w)
{
	struct place place = place_of(r, key, w);
	struct rt_where at = { w->sum, place.func, place.address, w->level, place.address };

	return rt_key_line_name(r, &at);
}

static int line_order(struct rt_report *r, const struct rt_key *key, const struct rt_where *a,
		      const struct rt_where *b)
{
	return strcmp(rt_pool_get(&r->pool, (uint32_t)line_id(r, key, a)),
		      rt_pool_get(&r->pool, (uint32_t)line_id(r, key, b)));
}

static unsigned int line_width(struct rt_report *r, const struct rt_key *key,
			       const struct rt_where *w)
{
	return (unsigned int)strlen(rt_pool_get(&r->pool, (uint32_t)line_id(r, key, w)));
}

static void line_text(struct rt_report *r, const struct rt_key *key, const struct rt_where *w,
		      unsigned int width, struct rt_text *out)
{
	rt_key_put(r, rt_pool_get(&r->pool, (uint32_t)line_id(r, key, w)), width, true, out);
}

#define PLACE(where, kind, title, part)                                                       \
	{                                                                                     \
		.name = kind, .header = title, .which = where, .take = take, .id = part##_id, \
		.order = part##_order, .width = part##_width, .text = part##_text,            \
	}

const struct rt_key_type rt_key_data_symbol = PLACE(OF_DATA, "symbol_daddr", "Data Symbol", symbol);
const struct rt_key_type rt_key_data_object = PLACE(OF_DATA, "dso_daddr", "Data Object", object);
const struct rt_key_type rt_key_code_symbol = PLACE(OF_CODE, "symbol_iaddr", "Code Symbol", symbol);
const struct rt_key_type rt_key_from_symbol =
	PLACE(OF_BRANCH_FROM, "symbol_from", "Source Symbol", symbol);
const struct rt_key_type rt_key_to_symbol =
	PLACE(OF_BRANCH_TO, "symbol_to", "Target Symbol", symbol);
const struct rt_key_type rt_key_from_object =
	PLACE(OF_BRANCH_FROM, "dso_from", "Source Shared Object", object);
const struct rt_key_type rt_key_to_object =
	PLACE(OF_BRANCH_TO, "dso_to", "Target Shared Object", object);
const struct rt_key_type rt_key_from_line =
	PLACE(OF_BRANCH_FROM, "srcline_from", "From Source:Line", line);
const struct rt_key_type rt_key_to_line = PLACE(OF_BRANCH_TO, "srcline_to", "To Source:Line", line);
