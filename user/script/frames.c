// SPDX-License-Identifier: GPL-2.0
#include "script/frames.h"

#include <stdlib.h>
#include <string.h>

#include "script/leaf.h"
#include "symbols/srcline.h"

#define SETS	     4096 /* a power of two */
#define WAYS	     4	  /* the keys of a set fill a cache line */
#define SHORT_TEXT   112  /* longer ones are allocated; with the rest two cache lines */
#define SEEN_PAGES   256  /* a power of two */
#define PAGE_SHIFT   12
#define UNKNOWN_LINE "??:0"
#define SRCLINE_MAX  4096

struct key {
	uint64_t addr;
	uint64_t who; /* whose address, and which parts; 0: empty */
};

struct set {
	struct key way[WAYS];
} __attribute__((aligned(64)));

struct entry {
	struct rt_frame frame;
	char text[SHORT_TEXT];
} __attribute__((aligned(64)));

/* What was mapped where, of the pages asked for before. */
struct seen {
	uint64_t maps; /* by id; 0: empty */
	uint64_t start, end;
	uint64_t who;
	uint64_t to_address; /* to be added to an address of the process */
};

struct rt_frames {
	const struct rt_script *script;
	struct set *sets;
	struct entry *entries; /* WAYS for each set */
	uint8_t used[SETS];    /* a bit a way: asked for again since it was put there */
	uint8_t apart[SETS];   /* a bit a way: its text is allocated */
	struct rt_text scratch;
	struct rt_frame spare; /* when there is no memory to keep a frame */
	struct rt_leaf *leaf;
	struct seen seen[SEEN_PAGES];
};

/* `who`: an object's index, or one of these, above the parts. */
#define WHO_SHIFT   8
#define WHO_KERNEL  (1ull << 40)
#define WHO_NOTHING (1ull << 41)
#define WHO_OBJECT  (1ull << 42)

unsigned int rt_frame_parts(uint64_t fields)
{
	return (fields & RT_FIELD_IP ? RT_FRAME_IP : 0) |
	       (fields & RT_FIELD_SYM ? RT_FRAME_SYM : 0) |
	       (fields & RT_FIELD_SYMOFF ? RT_FRAME_SYMOFF : 0) |
	       (fields & RT_FIELD_DSO ? RT_FRAME_DSO : 0) |
	       (fields & RT_FIELD_SRCLINE ? RT_FRAME_SRCLINE : 0);
}

struct rt_frames *rt_frames_new(const struct rt_script *script)
{
	struct rt_frames *f = calloc(1, sizeof(*f));
	void *sets = NULL, *entries = NULL;

	if (!f)
		return NULL;
	f->script = script;
	rt_text_init(&f->scratch);
	/* An entry is written before it is read: memory not needed is never touched. */
	if (posix_memalign(&entries, sizeof(struct set), SETS * WAYS * sizeof(struct entry)) ||
	    posix_memalign(&sets, sizeof(struct set), SETS * sizeof(struct set))) {
		free(entries);
		rt_frames_free(f);
		return NULL;
	}
	f->entries = entries;
	f->sets = sets;
	memset(f->sets, 0, SETS * sizeof(*f->sets));
	return f;
}

/* The entry is seldom in the processor's cache, so it is not asked what it has. */
static void drop_text(struct rt_frames *f, size_t n, unsigned int way)
{
	if (f->apart[n] >> way & 1)
		free((char *)f->entries[n * WAYS + way].frame.text);
	f->apart[n] &= (uint8_t) ~(1u << way);
}

void rt_frames_clear(struct rt_frames *f)
{
	size_t i;

	for (i = 0; i < SETS * WAYS; i++)
		drop_text(f, i / WAYS, i % WAYS);
	memset(f->sets, 0, SETS * sizeof(*f->sets));
	memset(f->used, 0, sizeof(f->used));
}

void rt_frames_free(struct rt_frames *f)
{
	if (!f)
		return;
	if (f->sets)
		rt_frames_clear(f);
	rt_text_free(&f->scratch);
	rt_leaf_free(f->leaf);
	free(f->sets);
	free(f->entries);
	free(f);
}

static size_t set_of(uint64_t addr, uint64_t who)
{
	uint64_t h = (addr ^ who * 0x9e3779b97f4a7c15ull) * 0xff51afd7ed558ccdull;

	return (h >> 32) & (SETS - 1);
}

static const struct rt_frame *find(struct rt_frames *f, size_t n, uint64_t addr, uint64_t who)
{
	const struct set *set = &f->sets[n];
	unsigned int i;

	for (i = 0; i < WAYS; i++) {
		if (set->way[i].addr == addr && set->way[i].who == who) {
			f->used[n] |= 1u << i;
			return &f->entries[n * WAYS + i].frame;
		}
	}
	return NULL;
}

/*
 * Where a new frame goes: to the place of one that was asked for only once, so that
 * the many addresses that come up once do not push out those that come up again.
 */
static unsigned int victim(struct rt_frames *f, size_t n)
{
	unsigned int i;

	for (i = 0; i < WAYS; i++)
		if (!(f->used[n] >> i & 1))
			return i;
	f->used[n] = 0;
	return 0;
}

/* Keep the frame that was just made; in the scratch buffer it lasts for one call. */
static const struct rt_frame *keep(struct rt_frames *f, size_t n, uint64_t addr, uint64_t who)
{
	unsigned int way = victim(f, n);
	struct entry *e = &f->entries[n * WAYS + way];
	char *text = e->text;

	if (f->spare.len > SHORT_TEXT) {
		text = malloc(f->spare.len);
		if (!text)
			return &f->spare;
	}
	drop_text(f, n, way);
	if (text != e->text)
		f->apart[n] |= (uint8_t)(1u << way);
	if (f->spare.len)
		memcpy(text, f->spare.text, f->spare.len);
	e->frame = f->spare;
	e->frame.text = text;
	f->sets[n].way[way].addr = addr;
	f->sets[n].way[way].who = who;
	return &e->frame;
}

/* ---- making the text ---------------------------------------------------------- */

static void put_srcline(struct rt_frames *f, const struct rt_place *p)
{
	char text[SRCLINE_MAX];
	int n;

	if (!p->object)
		return;
	n = rt_object_srcline_text(p->object, NULL, p->address, f->script->full_source_path, text,
				   sizeof(text));
	if (n <= 0 || !strncmp(text, UNKNOWN_LINE, sizeof(UNKNOWN_LINE) - 1))
		return;
	rt_text_lit(&f->scratch, "\n  ");
	rt_text_put(&f->scratch, text, (size_t)n < sizeof(text) ? (size_t)n : sizeof(text) - 1);
}

static void put_ip(struct rt_frames *f, const struct rt_place *p)
{
	/* In a stack, perf shows where in the file; it has the kernel in one piece. */
	bool in_file = p->object && !p->kernel;

	rt_text_char(&f->scratch, '\t');
	rt_text_hex_width(&f->scratch, in_file ? p->address : p->ip, 16, ' ');
}

static void put_object(struct rt_frames *f, const struct rt_place *p)
{
	rt_text_lit(&f->scratch, " (");
	rt_text_str(&f->scratch, rt_place_object_name(p, f->script));
	rt_text_char(&f->scratch, ')');
}

/* The end of a sample's own line: the address is the sample's, printed by the caller. */
static void put_single(struct rt_frames *f, const struct rt_place *p, unsigned int parts)
{
	if (parts & RT_FRAME_SYM) {
		rt_text_char(&f->scratch, ' ');
		rt_place_put_symbol(p, parts & RT_FRAME_SYMOFF, &f->scratch);
	}
	if (parts & RT_FRAME_DSO)
		put_object(f, p);
	if (parts & RT_FRAME_SRCLINE)
		put_srcline(f, p);
}

/* A line of a stack; returns whether the stack ends here. */
static bool put_line(struct rt_frames *f, const struct rt_place *p, unsigned int parts)
{
	if (parts & RT_FRAME_IP)
		put_ip(f, p);
	put_single(f, p, parts);
	rt_text_char(&f->scratch, '\n');
	return p->symbol && rt_names_has(&f->script->stop_at, p->symbol->name);
}

static bool put_inlined(struct rt_frames *f, const struct rt_place *p,
			const struct rt_inline_frame *in, unsigned int parts)
{
	const char *name = in->name ? in->name : "??";
	bool inlined = strcmp(name, p->symbol->name);

	if (parts & RT_FRAME_IP)
		put_ip(f, p);
	if (parts & RT_FRAME_SYM) {
		rt_text_char(&f->scratch, ' ');
		rt_text_str(&f->scratch, name);
		if (parts & RT_FRAME_SYMOFF) {
			rt_text_lit(&f->scratch, "+0x");
			rt_text_hex(&f->scratch, rt_place_offset(p));
		}
	}
	if (parts & RT_FRAME_DSO && !inlined)
		put_object(f, p);
	if (parts & RT_FRAME_SRCLINE && in->file) {
		const char *base = strrchr(in->file, '/');

		rt_text_lit(&f->scratch, "\n  ");
		rt_text_str(&f->scratch,
			    base && !f->script->full_source_path ? base + 1 : in->file);
		rt_text_char(&f->scratch, ':');
		rt_text_u64(&f->scratch, in->line);
	}
	if (inlined)
		rt_text_lit(&f->scratch, " (inlined)");
	rt_text_char(&f->scratch, '\n');
	return rt_names_has(&f->script->stop_at, name);
}

static bool put_frame(struct rt_frames *f, const struct rt_place *p, unsigned int parts)
{
	const struct rt_inlines *in = NULL;
	unsigned int i;

	if (parts & RT_FRAME_INLINES && p->object && p->symbol)
		in = rt_object_inlines(p->object, p->address);
	if (!in || !in->count)
		return put_line(f, p, parts);
	for (i = 0; i < in->count; i++)
		if (put_inlined(f, p, &in->frames[i], parts))
			return true;
	return false;
}

static void make(struct rt_frames *f, struct rt_frame *frame, const struct rt_maps *maps,
		 struct rt_place *p, unsigned int parts)
{
	memset(frame, 0, sizeof(*frame));
	if (parts == RT_FRAME_LEAF) {
		if (!f->leaf)
			f->leaf = rt_leaf_new(f->script);
		frame->leaf = f->leaf && rt_leaf_in_register(f->leaf, maps, p->ip);
		return;
	}
	rt_text_reset(&f->scratch);
	rt_place_symbol(p);
	if (parts & RT_FRAME_SINGLE)
		put_single(f, p, parts);
	else
		frame->stop = put_frame(f, p, parts);
	frame->text = f->scratch.base;
	frame->len = (uint32_t)f->scratch.len;
}

/*
 * perf does not remember what addr2line said, and addr2line changes its mind; what perf
 * can read to find a caller depends on the mappings at the time.
 */
static bool changing(const struct rt_frames *f, unsigned int parts)
{
	return f->script->compat && parts & (RT_FRAME_SRCLINE | RT_FRAME_INLINES | RT_FRAME_LEAF);
}

/* Whose an address of the process is, and which in there; from memory if possible. */
static uint64_t whose(struct rt_frames *f, const struct rt_maps *maps, uint64_t ip, uint64_t *addr)
{
	struct seen *seen = &f->seen[(ip >> PAGE_SHIFT ^ maps->id) & (SEEN_PAGES - 1)];
	const struct rt_map *map;

	if (seen->maps != maps->id || ip < seen->start || ip >= seen->end) {
		map = rt_maps_find(maps, ip);
		if (!map)
			return WHO_NOTHING;
		seen->maps = maps->id;
		seen->start = map->start;
		seen->end = map->end;
		seen->who = WHO_OBJECT | (uint64_t)rt_object_index(map->object) << WHO_SHIFT;
		seen->to_address = rt_object_address(map->object, ip, map->start, map->pgoff) - ip;
	}
	*addr = ip + seen->to_address;
	return seen->who;
}

const struct rt_frame *rt_frames_get(struct rt_frames *f, const struct rt_maps *maps,
				     unsigned int cpumode, uint64_t ip, unsigned int parts)
{
	const struct rt_frame *frame;
	uint64_t who = WHO_NOTHING, addr = ip;
	struct rt_place p;
	size_t n;

	if (cpumode == RT_MISC_KERNEL)
		who = WHO_KERNEL;
	else if (cpumode == RT_MISC_USER && maps)
		who = whose(f, maps, ip, &addr);
	who |= parts;
	n = set_of(addr, who);
	frame = changing(f, parts) ? NULL : find(f, n, addr, who);
	if (frame)
		return frame;
	rt_place_object(&p, f->script->machine.kernel, maps, cpumode, ip);
	make(f, &f->spare, maps, &p, parts);
	return changing(f, parts) ? &f->spare : keep(f, n, addr, who);
}
