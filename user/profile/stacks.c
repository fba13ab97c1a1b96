// SPDX-License-Identifier: GPL-2.0
#include "profile/stacks.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/large.h"
#include "stack/leaf.h"

#define FIRST_RAW 1024u
#define MAX_RAW	  (1u << 18) /* a power of two */
#define INLINES	  64	     /* at one address; perf has no limit */

/* A raw stack: the hashes stand for its addresses, mappings and kernel. */
struct raw {
	uint64_t one, two; /* two independent hashes; both 0: empty */
	uint32_t node;
};

/* The last stack of a process, outermost frame first. */
struct last {
	uint64_t maps, kernel_changes;
	struct last_frame {
		uint64_t ip;
		uint32_t node;
		uint8_t cpumode;
		bool unwound;
	} * frames;
	size_t count, room;
};

#define LASTS 16 /* processes */

struct rt_stacks {
	struct last lasts[LASTS];
	struct rt_stacks_how how;
	struct rt_funcs *funcs;
	struct rt_nodes *nodes;
	struct rt_chain *chain;
	struct rt_leaf *leaf;
	struct raw *raws;
	uint32_t raw_mask, raw_used;
	struct rt_profile_node *frames; /* of the stack being resolved, innermost first */
	size_t count, room;
};

static bool is_leaf(void *arg, const struct rt_maps *maps, uint64_t pc)
{
	struct rt_stacks *s = arg;

	if (!s->leaf)
		s->leaf = rt_leaf_new(s->how.stack);
	return s->leaf && rt_leaf_in_register(s->leaf, maps, pc);
}

struct rt_stacks *rt_stacks_new(const struct rt_stacks_how *how, struct rt_funcs *funcs,
				struct rt_nodes *nodes)
{
	struct rt_stacks *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->how = *how;
	s->funcs = funcs;
	s->nodes = nodes;
	s->chain = rt_chain_new(how->stack, is_leaf, s);
	s->raws = calloc(FIRST_RAW, sizeof(*s->raws));
	s->raw_mask = FIRST_RAW - 1;
	if (!s->chain || !s->raws) {
		rt_stacks_free(s);
		return NULL;
	}
	return s;
}

void rt_stacks_free(struct rt_stacks *s)
{
	size_t i;

	if (!s)
		return;
	rt_chain_free(s->chain);
	rt_leaf_free(s->leaf);
	for (i = 0; i < LASTS; i++)
		free(s->lasts[i].frames);
	free(s->raws);
	free(s->frames);
	free(s);
}

/* ---- resolving ------------------------------------------------------------------- */

static void add(struct rt_stacks *s, uint32_t func, uint64_t ip, uint64_t address)
{
	if (s->count == s->room) {
		size_t room = s->room ? 2 * s->room : 128;
		void *frames = realloc(s->frames, room * sizeof(*s->frames));

		if (!frames)
			return;
		s->frames = frames;
		s->room = room;
	}
	s->frames[s->count].func = func;
	s->frames[s->count].ip = ip;
	s->frames[s->count++].address = address;
}

static void add_entry(struct rt_stacks *s, const struct rt_maps *maps,
		      const struct rt_chain_entry *e)
{
	struct rt_funcs_place place;
	uint32_t list[INLINES];
	unsigned int n = 0, i;
	uint64_t address;

	if (s->how.all_inlines || (e->unwound && !s->how.no_inlines))
		n = rt_funcs_inlined(s->funcs, maps, e->cpumode, e->ip, list, INLINES, &address);
	for (i = 0; i < n; i++)
		add(s, list[i], e->ip, address);
	if (n)
		return;
	place = rt_funcs_at(s->funcs, maps, e->cpumode, e->ip);
	if (!s->how.hide_unresolved || rt_funcs_get(s->funcs, place.func)->symbol)
		add(s, place.func, e->ip, place.address);
}

/* Enter what one address stands for below `node`: the function, and what is inlined in it. */
static uint32_t enter(struct rt_stacks *s, const struct rt_maps *maps,
		      const struct rt_chain_entry *e, uint32_t node)
{
	size_t i;

	s->count = 0;
	add_entry(s, maps, e);
	for (i = s->count; i--;) {
		s->frames[i].caller = node;
		node = rt_nodes_enter(s->nodes, &s->frames[i]);
	}
	return node;
}

static bool make_room(struct last *last, size_t n)
{
	struct last_frame *frames;

	if (n <= last->room)
		return true;
	frames = realloc(last->frames, 2 * n * sizeof(*frames));
	if (!frames)
		return false;
	last->frames = frames;
	last->room = 2 * n;
	return true;
}

/*
 * Enter the stack from its outermost caller inwards.  It mostly begins like the last stack of the
 * same process.
 */
static uint32_t resolve(struct rt_stacks *s, const struct rt_chain_sample *of)
{
	uint64_t maps = of->maps ? of->maps->id : 0, changes = s->how.machine->kernel_changes;
	struct last *last = &s->lasts[maps % LASTS];
	const struct rt_chain_entry *entries;
	uint32_t node = 0;
	size_t n, k = 0;

	if (!rt_chain_expand(s->chain, of, &entries, &n) || !make_room(last, n))
		return 0;
	if (last->maps != maps || last->kernel_changes != changes)
		last->count = 0;
	last->maps = maps;
	last->kernel_changes = changes;
	for (; k < n && k < last->count; k++) {
		const struct last_frame *f = &last->frames[k];
		const struct rt_chain_entry *e = &entries[n - 1 - k];

		if (f->ip != e->ip || f->cpumode != e->cpumode || f->unwound != e->unwound)
			break;
		node = f->node;
	}
	for (; k < n; k++) {
		const struct rt_chain_entry *e = &entries[n - 1 - k];

		node = enter(s, of->maps, e, node);
		last->frames[k] = (struct last_frame){ e->ip, node, e->cpumode, e->unwound };
	}
	last->count = n;
	return node;
}

/* ---- the cache of raw stacks ------------------------------------------------------- */

static void hash_words(struct raw *key, const uint64_t *words, uint64_t n)
{
	uint64_t one = key->one, two = key->two, i;

	for (i = 0; i < n; i++) {
		one = (one ^ words[i]) * 0x9e3779b97f4a7c15ull;
		one ^= one >> 32;
		two = (two + words[i]) * 0xd6e8feb86659fd93ull;
		two ^= two >> 29;
	}
	key->one = one;
	key->two = two;
}

static void hash_sample(struct rt_stacks *s, const struct rt_chain_sample *of, struct raw *key)
{
	const struct rt_sample *sample = of->sample;
	uint64_t head[3] = { of->maps ? of->maps->id : 0, s->how.machine->kernel_changes,
			     sample->callchain.nr };

	key->one = key->two = 1;
	hash_words(key, head, 3);
	hash_words(key, sample->callchain.ips, sample->callchain.nr);
	if (s->how.stack->leaf_callers && sample->user_regs.regs)
		hash_words(key, sample->user_regs.regs,
			   (uint64_t)__builtin_popcountll(sample->user_regs.mask));
	key->one |= !(key->one | key->two);
}

static struct raw *slot_of(struct rt_stacks *s, const struct raw *key)
{
	uint32_t at = (uint32_t)(key->one >> 20) & s->raw_mask & ~3u, i;

	for (i = 0; i < 4; i++) {
		struct raw *r = &s->raws[at + i];

		if ((r->one == key->one && r->two == key->two) || !(r->one | r->two))
			return r;
	}
	return &s->raws[at + (key->two & 3)];
}

/* Grow while the table fills; at its greatest size, later stacks replace earlier ones. */
static void grow(struct rt_stacks *s)
{
	uint32_t size = s->raw_mask + 1, i;
	struct raw *old = s->raws;

	if (size >= MAX_RAW || s->raw_used < size / 2)
		return;
	s->raws = rt_large_table(4 * (size_t)size, sizeof(*s->raws));
	if (!s->raws) {
		s->raws = old;
		return;
	}
	s->raw_mask = 4 * size - 1;
	for (i = 0; i < size; i++)
		if (old[i].one | old[i].two)
			*slot_of(s, &old[i]) = old[i];
	free(old);
}

uint32_t rt_stacks_node(struct rt_stacks *s, const struct rt_chain_sample *of)
{
	const uint64_t copied = RT_SAMPLE_REGS_USER | RT_SAMPLE_STACK_USER;
	struct raw key, *slot;

	if (!rt_perf_event_has(of->event, RT_SAMPLE_CALLCHAIN))
		return 0;
	/* Copies of stack memory are seldom equal. */
	if ((of->event->attr.sample_type & copied) == copied)
		return resolve(s, of);
	hash_sample(s, of, &key);
	slot = slot_of(s, &key);
	if (slot->one == key.one && slot->two == key.two)
		return slot->node;
	key.node = resolve(s, of);
	if (!(slot->one | slot->two))
		s->raw_used++;
	*slot = key;
	grow(s);
	return key.node;
}
