// SPDX-License-Identifier: GPL-2.0
#include "stack/chain.h"

#include <stdlib.h>
#include <string.h>

#include "stack/leaf.h"
#include "symbols/unwind/codefile.h"
#include "symbols/unwind/unwind.h"

#define CONTEXT_MAX    RT_CHAIN_MARKERS
#define CONTEXT_HV     ((uint64_t)-32)
#define CONTEXT_KERNEL ((uint64_t)-128)
#define CONTEXT_USER   ((uint64_t)-512)

#define UNWIND_MAX 1024 /* no deeper stack is printed */

struct rt_chain {
	const struct rt_stack_how *how;
	rt_chain_leaf_fn is_leaf;
	void *arg;
	struct rt_chain_entry *list;
	size_t count, room;
	struct rt_unwinder *unwinder; /* both made on first use */
	struct rt_leaf *leaf;
	uint64_t known_maps; /* by id: has_file is valid for these maps */
	bool has_file;
	uint64_t ips[UNWIND_MAX];
};

struct rt_chain *rt_chain_new(const struct rt_stack_how *how, rt_chain_leaf_fn is_leaf, void *arg)
{
	struct rt_chain *c = calloc(1, sizeof(*c));

	if (c) {
		c->how = how;
		c->is_leaf = is_leaf;
		c->arg = arg;
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

/* Get the register's value if the sample has it. */
static bool get_reg(const struct rt_regs *regs, unsigned int reg, uint64_t *value)
{
	uint64_t below = (1ull << reg) - 1;

	if (!regs->abi || !regs->regs || !(regs->mask >> reg & 1))
		return false;
	*value = regs->regs[__builtin_popcountll(regs->mask & below)];
	return true;
}

/* A return address is behind its call, except the address to which a signal handler returns. */
static uint64_t call_of(struct rt_chain *c, const struct rt_maps *maps, uint64_t pc, uint64_t lr)
{
	const struct rt_map *m = rt_maps_find(maps, lr);

	if (!m || rt_object_kind(m->object) != RT_OBJECT_VDSO)
		return lr - 1;
	if (!c->leaf)
		c->leaf = rt_leaf_new(c->how);
	return c->leaf ? rt_leaf_caller(c->leaf, maps, pc, lr) : 0;
}

/*
 * perf 6.1 takes the start of an object's lowest mapping as its load address, even if that mapping
 * is left from before an exec or does not begin at the start of the file.  perf then finds no call
 * frame information, falls back on the link register and prints the caller twice.
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

/* perf 6.1 does not unwind a process until it could open one of its files. */
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

/* Insert the caller of the leaf function at PC, unless it is OTHER. */
static void add_leaf_caller(struct rt_chain *c, const struct rt_chain_sample *of, uint64_t pc,
			    uint64_t other)
{
	uint64_t lr, call;

	if (!get_reg(&of->sample->user_regs, RT_REG_ARM64_LR, &lr) || !lr)
		return;
	if (c->how->compat && !perf_unwinds(c, of->maps))
		return;
	if (!c->is_leaf(c->arg, of->maps, pc) && !(c->how->compat && perf_is_misled(of->maps, pc)))
		return;
	call = call_of(c, of->maps, pc, lr);
	if (call && call != other)
		add(c, call, RT_MISC_USER, false);
}

/* Before entry I of the chain: the one before it is where user code was left. */
static void add_before(struct rt_chain *c, const struct rt_chain_sample *of, size_t i)
{
	const uint64_t *ips = of->sample->callchain.ips;

	if (i >= 2 && ips[i - 2] == CONTEXT_USER && ips[i - 1] < CONTEXT_MAX)
		add_leaf_caller(c, of, ips[i - 1], ips[i]);
}

/* perf 6.1, from the outermost frame on, sees that also if no entry follows. */
static void add_behind(struct rt_chain *c, const struct rt_chain_sample *of, size_t i)
{
	const uint64_t *ips = of->sample->callchain.ips;

	if (i >= 1 && ips[i - 1] == CONTEXT_USER)
		add_leaf_caller(c, of, ips[i], ips[i]);
}

int rt_chain_mode(uint64_t marker)
{
	switch (marker) {
	case CONTEXT_HV:
		return RT_MISC_HYPERVISOR;
	case CONTEXT_KERNEL:
		return RT_MISC_KERNEL;
	case CONTEXT_USER:
		return RT_MISC_USER;
	default:
		return -1;
	}
}

bool rt_chain_is_plain(const struct rt_stack_how *how, const struct rt_perf_event *event)
{
	return rt_perf_event_has(event, RT_SAMPLE_CALLCHAIN) && !how->leaf_callers;
}

/* The number of frames in the chain beyond `max`. */
static uint64_t beyond(const struct rt_sample *s, unsigned int max)
{
	uint64_t i, frames = 0;

	for (i = 0; i < s->callchain.nr; i++)
		frames += s->callchain.ips[i] < CONTEXT_MAX;
	return frames > max ? frames - max : 0;
}

/* Return false if the chain is invalid; then nothing of it is printed. */
static bool walk(struct rt_chain *c, const struct rt_chain_sample *of)
{
	const struct rt_sample *s = of->sample;
	unsigned int cpumode = RT_MISC_USER, shown = 0;
	uint64_t i, skip = c->how->outermost ? beyond(s, c->how->max) : 0;
	bool behind = c->how->compat && c->how->outermost;

	for (i = 0; i < s->callchain.nr && shown < c->how->max; i++) {
		uint64_t ip = s->callchain.ips[i];

		if (ip >= CONTEXT_MAX) {
			int mode = rt_chain_mode(ip);

			if (mode < 0)
				return false;
			cpumode = (unsigned int)mode;
			continue;
		}
		if (skip) {
			skip--;
			continue;
		}
		shown++;
		if (c->how->leaf_callers && !behind)
			add_before(c, of, i);
		add(c, ip, cpumode, false);
		if (c->how->leaf_callers && behind)
			add_behind(c, of, i);
	}
	return true;
}

size_t rt_chain_unwind(struct rt_chain *c, const struct rt_chain_sample *of, const uint64_t **ips)
{
	const uint64_t copied = RT_SAMPLE_REGS_USER | RT_SAMPLE_STACK_USER;
	const struct rt_sample *s = of->sample;
	struct rt_unwind_sample sample = {
		.space = of->maps->id,
		.machine = c->how->elf,
		.abi = s->user_regs.abi,
		.regs_mask = s->user_regs.mask,
		.regs = s->user_regs.regs,
		.stack = s->user_stack.data,
		.stack_len = s->user_stack.size,
		.map = rt_maps_unwind,
		.map_arg = of->maps,
		.as_perf = c->how->compat,
		.lowest = rt_maps_lowest,
	};
	unsigned int max = c->how->max < UNWIND_MAX ? c->how->max : UNWIND_MAX;
	int n;

	*ips = c->ips;
	if ((of->event->attr.sample_type & copied) != copied || !s->user_regs.abi ||
	    !s->user_regs.regs || !s->user_stack.size || !max)
		return 0;
	if (c->how->compat && !perf_unwinds(c, of->maps))
		return 0;
	if (!c->unwinder)
		c->unwinder = rt_unwinder_new(c->how->symbols, RT_UNWIND_BEST);
	n = c->unwinder ? rt_unwind(c->unwinder, &sample, c->ips, max) : 0;
	return n > 0 ? (size_t)n : 0;
}

bool rt_chain_expand(struct rt_chain *c, const struct rt_chain_sample *of,
		     const struct rt_chain_entry **entries, size_t *count)
{
	const uint64_t *ips;
	size_t n, i;

	if (!rt_perf_event_has(of->event, RT_SAMPLE_CALLCHAIN))
		return false;
	c->count = 0;
	if (!walk(c, of))
		c->count = 0;
	n = rt_chain_unwind(c, of, &ips);
	for (i = 0; i < n; i++)
		add(c, ips[i], RT_MISC_USER, true);
	*entries = c->list;
	*count = c->count;
	return true;
}
