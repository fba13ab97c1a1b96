// SPDX-License-Identifier: GPL-2.0
#include "script/print/callers.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "stack/chain.h"

#define RUN	    4	  /* frames */
#define RUNS	    8192  /* a power of two */
#define SEEN	    32768 /* a power of two */
#define ENTRY	    512	  /* bytes: eight cache lines, the first has the key */
#define FROM_STACKS 4096  /* fewer stacks do not pay for the memory */
#define HUGE_PAGE   (2u << 20)
#define ROOM	    (HUGE_PAGE + RUNS * ENTRY)

/* The text of a run.  Longer texts are not kept. */
struct run {
	uint64_t ips[RUN];
	uint64_t who; /* maps, mode and parts; 0: empty */
	uint32_t len;
	char text[ENTRY - (RUN + 1) * sizeof(uint64_t) - sizeof(uint32_t)];
} __attribute__((aligned(64)));

struct rt_callers {
	const struct rt_script *script;
	struct rt_frames *frames;
	unsigned int stacks; /* printed before there were runs */
	void *room;
	struct run *runs;	/* two for each set; NULL: not yet, or no memory */
	uint8_t last[RUNS / 2]; /* in each set: which was used last */
	/* Hashes of runs that occurred once.  Most of those never occur again, so keep no text. */
	uint32_t seen[SEEN];
};

/*
 * `who`: parts, a bit that is always set, the mode, the number of frames in a shorter run, and the
 * id of the maps for user addresses.
 */
#define WHO_SET	   (1ull << 8)
#define WHO_KERNEL (1ull << 9)
#define WHO_COUNT  10
#define WHO_SHIFT  12

struct rt_callers *rt_callers_new(const struct rt_script *script, struct rt_frames *frames)
{
	struct rt_callers *k = calloc(1, sizeof(*k));

	if (k) {
		k->script = script;
		k->frames = frames;
	}
	return k;
}

void rt_callers_free(struct rt_callers *k)
{
	if (k && k->room)
		munmap(k->room, ROOM);
	free(k);
}

void rt_callers_clear(struct rt_callers *k)
{
	size_t i;

	for (i = 0; k->runs && i < RUNS; i++)
		k->runs[i].who = 0;
}

/* Return whether runs are kept; allocate their memory when there were enough stacks. */
static bool keeps_runs(struct rt_callers *k, unsigned int parts)
{
	char *edge;

	/* The frame cache decides for each frame whether a stack ends there or a text may change. */
	if (k->script->stop_at.count || rt_frames_change(k->frames, parts))
		return false;
	if (k->runs || k->stacks > FROM_STACKS || ++k->stacks <= FROM_STACKS)
		return k->runs;
	k->room = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (k->room == MAP_FAILED) {
		k->room = NULL;
		return false;
	}
	edge = (char *)(((uintptr_t)k->room + HUGE_PAGE - 1) & ~(uintptr_t)(HUGE_PAGE - 1));
	madvise(edge, ROOM - HUGE_PAGE, MADV_HUGEPAGE);
	k->runs = (struct run *)edge;
	return true;
}

static uint64_t hash(const uint64_t *ips, uint64_t who)
{
	uint64_t h = ips[0] * 0x9e3779b97f4a7c15ull + ips[1] * 0xc2b2ae3d27d4eb4full +
		     ips[2] * 0xff51afd7ed558ccdull + ips[3] * 0x165667b19e3779f9ull +
		     who * 0x27d4eb2f165667c5ull;

	h ^= h >> 32;
	return h * 0xd6e8feb86659fd93ull;
}

static bool same(const struct run *run, const uint64_t *ips, uint64_t who)
{
	return !((run->ips[0] ^ ips[0]) | (run->ips[1] ^ ips[1]) | (run->ips[2] ^ ips[2]) |
		 (run->ips[3] ^ ips[3]) | (run->who ^ who));
}

static void keep(struct run *run, const uint64_t *ips, uint64_t who, const char *text, size_t len)
{
	if (len > sizeof(run->text))
		return;
	memcpy(run->ips, ips, sizeof(run->ips));
	run->who = who;
	run->len = (uint32_t)len;
	memcpy(run->text, text, len);
}

static void put_run(struct rt_callers *k, const struct rt_maps *maps, unsigned int cpumode,
		    const uint64_t *ips, unsigned int count, unsigned int parts, uint64_t who,
		    struct rt_text *out)
{
	uint64_t h = hash(ips, who);
	size_t set = h >> 32 & (RUNS / 2 - 1), from = out->len;
	uint8_t way = k->last[set];
	struct run *run = &k->runs[2 * set + way];
	uint32_t *seen = &k->seen[h >> 32 & (SEEN - 1)];
	unsigned int i;

	if (same(run, ips, who)) {
		rt_text_put(out, run->text, run->len);
		return;
	}
	way ^= 1;
	run = &k->runs[2 * set + way];
	if (same(run, ips, who)) {
		k->last[set] = way;
		rt_text_put(out, run->text, run->len);
		return;
	}
	for (i = 0; i < count; i++)
		rt_frames_put(k->frames, maps, cpumode, ips[i], parts, out);
	if (*seen == (uint32_t)h && !out->failed) {
		keep(run, ips, who, out->base + from, out->len - from);
		k->last[set] = way;
	}
	*seen = (uint32_t)h;
}

/* Print `count` callers, all of one mode. */
static void put_runs(struct rt_callers *k, const struct rt_maps *maps, unsigned int cpumode,
		     const uint64_t *ip, size_t count, unsigned int parts, struct rt_text *out)
{
	uint64_t who = WHO_SET | parts, few[RUN] = { 0 };
	size_t rest = count % RUN, i;

	who |= cpumode == RT_MISC_KERNEL ? WHO_KERNEL : maps->id << WHO_SHIFT;
	if (rest) {
		for (i = 0; i < rest; i++)
			few[i] = ip[i];
		/* A run of fewer frames is another one than a run with a caller 0. */
		put_run(k, maps, cpumode, few, (unsigned int)rest, parts, who | rest << WHO_COUNT,
			out);
	}
	for (i = rest; i < count; i += RUN)
		put_run(k, maps, cpumode, ip + i, RUN, parts, who, out);
}

/* Print addresses of one mode; return whether the stack ends there. */
static bool put_addresses(struct rt_callers *k, const struct rt_item *item, unsigned int cpumode,
			  const uint64_t *ip, const uint64_t *end, bool innermost,
			  unsigned int parts, struct rt_text *out)
{
	bool known = cpumode == RT_MISC_KERNEL || (cpumode == RT_MISC_USER && item->maps);

	/* The innermost frame changes with every sample and belongs to no run. */
	if (innermost && rt_frames_put(k->frames, item->maps, cpumode, *ip++, parts, out))
		return true;
	if (known && end - ip > 1 && keeps_runs(k, parts)) {
		put_runs(k, item->maps, cpumode, ip, (size_t)(end - ip), parts, out);
		return false;
	}
	for (; ip < end; ip++)
		if (rt_frames_put(k->frames, item->maps, cpumode, *ip, parts, out))
			return true;
	return false;
}

bool rt_callers_put(struct rt_callers *k, const struct rt_item *item, unsigned int parts,
		    struct rt_text *out)
{
	const uint64_t *ip = item->sample.callchain.ips, *end = ip + item->sample.callchain.nr;
	unsigned int cpumode = RT_MISC_USER, left = k->script->stack.max;
	bool stop = false, innermost = true;
	const uint64_t *from;
	size_t start = out->len;
	int mode;

	while (ip < end && left) {
		if (*ip >= RT_CHAIN_MARKERS) {
			mode = rt_chain_mode(*ip++);
			if (mode < 0) { /* the chain is invalid: print nothing of it */
				out->len = start;
				return true;
			}
			cpumode = (unsigned int)mode;
			continue;
		}
		for (from = ip; ip < end && left && *ip < RT_CHAIN_MARKERS; ip++)
			left--;
		if (!stop)
			stop = put_addresses(k, item, cpumode, from, ip, innermost, parts, out);
		innermost = false;
	}
	return !stop;
}

void rt_callers_put_unwound(struct rt_callers *k, const struct rt_item *item, const uint64_t *ips,
			    size_t count, unsigned int parts, struct rt_text *out)
{
	put_addresses(k, item, RT_MISC_USER, ips, ips + count, true, parts, out);
}
