// SPDX-License-Identifier: GPL-2.0
#include "script/chain.h"

#include <stdlib.h>
#include <string.h>

#include "script/leaf.h"
#include "symbols/codefile.h"
#include "symbols/unwind.h"

/* Markers in a chain: everything from here up. */
#define CONTEXT_MAX    ((uint64_t)-4095)
#define CONTEXT_HV     ((uint64_t)-32)
#define CONTEXT_KERNEL ((uint64_t)-128)
#define CONTEXT_USER   ((uint64_t)-512)

#define UNWIND_MAX 1024 /* no stack is shown deeper than this */

struct rt_chain {
	const struct rt_script *script;
	struct rt_frames *frames;
	struct rt_chain_entry *list;
	size_t count, room;
	struct rt_unwinder *unwinder; /* both made when first needed */
	struct rt_leaf *leaf;
	uint64_t known_maps; /* by id: whether there is a file among them */
	bool has_file;
	uint64_t ips[UNWIND_MAX];
};

struct rt_chain *rt_chain_new(const struct rt_script *script, struct rt_frames *frames)
{
	struct rt_chain *c = calloc(1, sizeof(*c));

	if (c) {
		c->script = script;
		c->frames = frames;
	}
	return c;
}

void rt_chain_free(struct rt_chain *c)
{
	if (!c)
		return;
	if (c->unwinder)
		rt_unwinder_free(c->unwinder);
	rt_leaf_free(c->leaf);
	free(c->list);
	free(c);
}

static void add(struct rt_chain *c, uint64_t ip, unsigned int cpumode, bool unwound)
{
	if (c->count == c->room) {
		size_t room = c->room ? c->room * 2 : 128;
		struct rt_chain_entry *list = realloc(c->list, room * sizeof(*list));

		if (!list)
			return;
		c->list = list;
		c->room = room;
	}
	c->list[c->count].ip = ip;
	c->list[c->count].cpumode = (uint8_t)cpumode;
	c->list[c->count++].unwound = unwound;
}

/* The register's value, when the sample has it. */
static bool get_reg(const struct rt_regs *regs, unsigned int reg, uint64_t *value)
{
	uint64_t below = (1ull << reg) - 1;

	if (!regs->abi || !regs->regs || !(regs->mask >> reg & 1))
		return false;
	*value = regs->regs[__builtin_popcountll(regs->mask & below)];
	return true;
}

/* A return address is behind the call; not so where a signal handler returns to. */
static uint64_t call_of(struct rt_chain *c, const struct rt_maps *maps, uint64_t pc, uint64_t lr)
{
	const struct rt_map *m = rt_maps_find(maps, lr);

	if (!m || rt_object_kind(m->object) != RT_OBJECT_VDSO)
		return lr - 1;
	if (!c->leaf)
		c->leaf = rt_leaf_new(c->script);
	return c->leaf ? rt_leaf_caller(c->leaf, maps, pc, lr) : 0;
}

/*
 * perf 6.1 takes the start of an object's lowest mapping for the address it was loaded at,
 * also when that one is left from before an exec or is not the beginning of the file.  Then
 * it finds no call frame information, falls back on the link register, and shows the caller
 * twice.
 */
static bool perf_is_misled(const struct rt_maps *maps, uint64_t pc)
{
	const struct rt_map *m = rt_maps_find(maps, pc), *lowest;

	if (!m)
		return false;
	for (lowest = maps->list; lowest->object != m->object; lowest++)
		;
	return lowest->start != m->start - m->pgoff;
}

/* perf 6.1 does not unwind in a process until it could open one of its files. */
static bool perf_unwinds(struct rt_chain *c, const struct rt_maps *maps)
{
	size_t i;

	if (c->known_maps != maps->id) {
		c->known_maps = maps->id;
		c->has_file = false;
		for (i = 0; i < maps->count && !c->has_file; i++) {
			const struct rt_codefile *code = rt_codefile_of(maps->list[i].object);

			c->has_file = code && code->bytes;
		}
	}
	return c->has_file;
}

/* A leaf function's caller belongs between the sampled address and the next. */
static void add_leaf_caller(struct rt_chain *c, const struct rt_item *item, size_t i)
{
	const uint64_t *ips = item->sample.callchain.ips;
	uint64_t lr, call, pc;

	if (i < 2 || ips[i - 2] != CONTEXT_USER || ips[i - 1] >= CONTEXT_MAX)
		return;
	pc = ips[i - 1];
	if (!get_reg(&item->sample.user_regs, RT_REG_ARM64_LR, &lr) || !lr)
		return;
	if (c->script->compat && !perf_unwinds(c, item->maps))
		return;
	if (!rt_frames_get(c->frames, item->maps, RT_MISC_USER, pc, RT_FRAME_LEAF)->leaf &&
	    !(c->script->compat && perf_is_misled(item->maps, pc)))
		return;
	call = call_of(c, item->maps, pc, lr);
	if (call && call != ips[i])
		add(c, call, RT_MISC_USER, false);
}

/* False: the chain makes no sense, and nothing of it is shown. */
static bool walk(struct rt_chain *c, const struct rt_item *item)
{
	const struct rt_sample *s = &item->sample;
	unsigned int cpumode = RT_MISC_USER, shown = 0;
	uint64_t i;

	for (i = 0; i < s->callchain.nr && shown < c->script->max_stack; i++) {
		uint64_t ip = s->callchain.ips[i];

		if (ip >= CONTEXT_MAX) {
			if (ip == CONTEXT_HV)
				cpumode = RT_MISC_HYPERVISOR;
			else if (ip == CONTEXT_KERNEL)
				cpumode = RT_MISC_KERNEL;
			else if (ip == CONTEXT_USER)
				cpumode = RT_MISC_USER;
			else
				return false;
			continue;
		}
		shown++;
		if (c->script->leaf_callers)
			add_leaf_caller(c, item, i);
		add(c, ip, cpumode, false);
	}
	return true;
}

static void unwind(struct rt_chain *c, const struct rt_item *item)
{
	const struct rt_sample *s = &item->sample;
	struct rt_unwind_sample sample = {
		.space = item->maps->id,
		.machine = c->script->elf,
		.abi = s->user_regs.abi,
		.regs_mask = s->user_regs.mask,
		.regs = s->user_regs.regs,
		.stack = s->user_stack.data,
		.stack_len = s->user_stack.size,
		.map = rt_maps_unwind,
		.map_arg = item->maps,
		.as_perf = c->script->compat,
		.lowest = rt_maps_lowest,
	};
	unsigned int max = c->script->max_stack < UNWIND_MAX ? c->script->max_stack : UNWIND_MAX;
	int n, i;

	if (!s->user_regs.abi || !s->user_regs.regs || !s->user_stack.size || !max)
		return;
	if (c->script->compat && !perf_unwinds(c, item->maps))
		return;
	if (!c->unwinder)
		c->unwinder = rt_unwinder_new(c->script->symtab, RT_UNWIND_BEST);
	n = c->unwinder ? rt_unwind(c->unwinder, &sample, c->ips, max) : 0;
	for (i = 0; i < n; i++)
		if (c->ips[i])
			add(c, c->ips[i], RT_MISC_USER, true);
}

bool rt_chain_expand(struct rt_chain *c, const struct rt_item *item,
		     const struct rt_chain_entry **entries, size_t *count)
{
	const uint64_t copied = RT_SAMPLE_REGS_USER | RT_SAMPLE_STACK_USER;

	if (!c->script->fields.callchain || !rt_event_has(item->event, RT_SAMPLE_CALLCHAIN))
		return false;
	c->count = 0;
	if (!walk(c, item))
		c->count = 0;
	if ((item->event->attr.sample_type & copied) == copied)
		unwind(c, item);
	*entries = c->list;
	*count = c->count;
	return true;
}
