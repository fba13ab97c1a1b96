// SPDX-License-Identifier: GPL-2.0
#include "profile/funcs.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "perfdata/layout.h"
#include "base/hash.h"
#include "stack/location.h"
#include "symbols/lines/srcline.h"

#define CACHE_SIZE 32768 /* a power of two */
#define BLOCK	   1024	 /* functions */
#define BLOCKS_MAX (1u << 20)

/* The answer for an address of one list of mappings, or of the kernel. */
struct cached {
	uint64_t space; /* id of the maps plus SPACE_FIRST, or SPACE_*; 0: empty */
	uint64_t ip;
	uint64_t address;
	uint32_t func;
};

#define SPACE_KERNEL 1
#define SPACE_OTHER  2
#define SPACE_FIRST  3

struct rt_funcs {
	struct rt_machine *machine;
	struct rt_profile_func **blocks; /* blocks never move, so pointers stay valid */
	uint32_t count, blocks_room;
	struct rt_index index;
	struct rt_arena names;
	bool any_inlined;
	uint64_t kernel_changes; /* the cache is valid up to this change */
	struct cached cache[CACHE_SIZE];
};

struct rt_funcs *rt_funcs_new(struct rt_machine *machine)
{
	struct rt_funcs *f = calloc(1, sizeof(*f));

	if (f)
		f->machine = machine;
	return f;
}

void rt_funcs_free(struct rt_funcs *f)
{
	uint32_t i;

	if (!f)
		return;
	for (i = 0; i < f->blocks_room; i++)
		free(f->blocks[i]);
	free(f->blocks);
	rt_index_free(&f->index);
	rt_arena_free(&f->names);
	free(f);
}

static struct rt_profile_func *at(const struct rt_funcs *f, uint32_t i)
{
	return &f->blocks[i / BLOCK][i % BLOCK];
}

const struct rt_profile_func *rt_funcs_get(const struct rt_funcs *f, uint32_t func)
{
	return at(f, func);
}

bool rt_funcs_any_inlined(const struct rt_funcs *f)
{
	return f->any_inlined;
}

uint32_t rt_funcs_count(const struct rt_funcs *f)
{
	return f->count;
}

static bool make_room(struct rt_funcs *f)
{
	if (f->count < f->blocks_room * BLOCK)
		return true;
	if (f->blocks_room == BLOCKS_MAX)
		return false;
	if (!(f->blocks_room & (f->blocks_room - 1))) {
		size_t room = f->blocks_room ? 2 * (size_t)f->blocks_room : 1;
		void *blocks = realloc(f->blocks, room * sizeof(*f->blocks));

		if (!blocks)
			return false;
		f->blocks = blocks;
	}
	f->blocks[f->blocks_room] = calloc(BLOCK, sizeof(struct rt_profile_func));
	if (!f->blocks[f->blocks_room])
		return false;
	f->blocks_room++;
	return true;
}

static uint64_t hash_of(const struct rt_profile_func *key)
{
	uint64_t h = rt_hash_mix((uintptr_t)key->object, key->symbol ? key->address : key->ip);

	if (key->inlined)
		h = rt_hash_bytes(h, key->name, strlen(key->name));
	return rt_hash_mix(h, (uint64_t)key->inlined << 1 | (key->symbol != NULL));
}

static bool same(const struct rt_profile_func *a, const struct rt_profile_func *b)
{
	if (a->object != b->object || a->inlined != b->inlined || !a->symbol != !b->symbol)
		return false;
	if (a->inlined && strcmp(a->name, b->name))
		return false;
	return a->symbol ? a->address == b->address : a->ip == b->ip && a->cpumode == b->cpumode;
}

/* The number of this function.  Without memory: 0, which is the first one. */
static uint32_t intern(struct rt_funcs *f, const struct rt_profile_func *key)
{
	uint64_t hash = hash_of(key);
	struct rt_index_probe probe;
	struct rt_profile_func *new;
	uint32_t i;

	for (i = rt_index_first(&f->index, hash, &probe); i; i = rt_index_next(&f->index, &probe))
		if (same(at(f, i - 1), key))
			return i - 1;
	if (!make_room(f) || !rt_index_add(&f->index, hash, f->count + 1))
		return 0;
	new = at(f, f->count);
	*new = *key;
	return f->count++;
}

static void describe(const struct rt_location *p, unsigned int cpumode, struct rt_profile_func *key)
{
	enum rt_object_kind kind = p->object ? rt_object_kind(p->object) : RT_OBJECT_NONE;

	memset(key, 0, sizeof(*key));
	key->object = p->object;
	key->symbol = p->symbol;
	key->name = p->symbol ? p->symbol->name : NULL;
	key->ip = p->symbol ? 0 : p->ip;
	key->address = p->symbol ? p->symbol->start : p->address;
	key->cpumode = (uint8_t)cpumode;
	key->kernel = p->kernel;
	key->jit = kind == RT_OBJECT_JIT;
}

static void find(struct rt_funcs *f, const struct rt_maps *maps, unsigned int cpumode, uint64_t ip,
		 struct rt_location *p)
{
	rt_location_object(p, f->machine->kernel, maps, cpumode, ip);
	rt_location_symbol(p);
}

struct rt_funcs_place rt_funcs_at(struct rt_funcs *f, const struct rt_maps *maps,
				  unsigned int cpumode, uint64_t ip)
{
	uint64_t space = cpumode == RT_MISC_KERNEL	 ? SPACE_KERNEL :
			 cpumode == RT_MISC_USER && maps ? maps->id + SPACE_FIRST :
							   SPACE_OTHER;
	struct cached *c = &f->cache[rt_hash_mix(ip, space) >> 32 & (CACHE_SIZE - 1)];
	struct rt_profile_func key;
	struct rt_location p;

	if (f->kernel_changes != f->machine->kernel_changes) {
		memset(f->cache, 0, sizeof(f->cache));
		f->kernel_changes = f->machine->kernel_changes;
	}
	if (c->space != space || c->ip != ip || space == SPACE_OTHER) {
		find(f, maps, cpumode, ip, &p);
		describe(&p, cpumode, &key);
		c->func = intern(f, &key);
		c->address = p.address;
		c->ip = ip;
		c->space = space;
	}
	return (struct rt_funcs_place){ c->func, c->address };
}

unsigned int rt_funcs_inlined(struct rt_funcs *f, const struct rt_maps *maps, unsigned int cpumode,
			      uint64_t ip, uint32_t *list, unsigned int max, uint64_t *address)
{
	const struct rt_inlines *in;
	struct rt_profile_func key;
	struct rt_location p;
	unsigned int i;

	find(f, maps, cpumode, ip, &p);
	if (!p.object || !p.symbol)
		return 0;
	*address = p.address;
	in = rt_object_inlines(p.object, p.address);
	for (i = 0; in && i < in->count && i < max; i++) {
		const char *name = in->frames[i].name ? in->frames[i].name : "??";

		describe(&p, cpumode, &key);
		if (strcmp(name, p.symbol->name)) {
			key.inlined = f->any_inlined = true;
			key.name = rt_arena_str(&f->names, name);
			if (!key.name)
				return 0;
		}
		list[i] = intern(f, &key);
	}
	return i;
}
