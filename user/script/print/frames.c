// SPDX-License-Identifier: GPL-2.0
#include "script/print/frames.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "stack/leaf.h"
#include "symbols/lines/srcline.h"

#define SETS	     16384 /* a power of two; enough for the addresses of a whole machine */
#define WAYS	     4	   /* the keys of a set fill a cache line */
#define SHORT_TEXT   112   /* longer texts are allocated; an entry takes two cache lines */
#define MOST_TEXT    64	   /* most texts are no longer */
#define SEEN_PAGES   1024  /* a power of two */
#define PAGE_SHIFT   12
#define UNKNOWN_LINE "??:0"
#define SRCLINE_MAX  4096

/*
 * The key also holds the length of the text.  The next frame goes behind this one and need not wait
 * until the text's memory arrives.
 */
struct key {
	uint64_t addr;
	uint64_t who; /* object, parts, and KEY_* in the top bits; 0: empty */
};

#define KEY_SHIFT 48
#define KEY_LEN	  0xffu /* length of a text inside the entry */
#define KEY_STOP  0x100u
#define KEY_APART 0x200u

struct set {
	struct key way[WAYS];
} __attribute__((aligned(64)));

struct entry {
	char text[SHORT_TEXT]; /* first: most texts fit into one cache line */
	struct rt_frame frame;
} __attribute__((aligned(64)));

#define HUGE_PAGE	 (2u << 20)
#define HUGE_FROM	 (16u << 20)   /* bytes of a file; in larger ones huge pages pay off */
#define HUGE_FROM_COPIED (1024u << 20) /* if most of the file is copied stacks */
#define ROOM		 (HUGE_PAGE + SETS * (WAYS * sizeof(struct entry) + sizeof(struct set)))

/* The mapping of each page that was looked up recently. */
struct seen {
	uint64_t maps; /* id of the maps; 0: empty */
	uint64_t start, end;
	uint64_t who;
	uint64_t to_address; /* add this to an address of the process */
};

struct rt_frames {
	const struct rt_script *script;
	void *room; /* memory of the next two */
	struct set *sets;
	struct entry *entries; /* WAYS for each set */
	uint8_t used[SETS];    /* one bit per way: used again since it was stored */
	uint8_t apart[SETS];   /* one bit per way: its text is allocated */
	struct rt_text scratch;
	struct rt_frame spare; /* used if there is no memory to keep a frame */
	struct rt_leaf *leaf;
	struct seen seen[SEEN_PAGES];
};

/* `who`: an object's index or one of these, in the bits above the parts. */
#define WHO_SHIFT   8
#define WHO_KERNEL  (1ull << 40)
#define WHO_NOTHING (1ull << 41)
#define WHO_OBJECT  (1ull << 42)

unsigned int rt_frame_parts(uint64_t fields)
{
	return (fields & RT_COLUMN_IP ? RT_FRAME_IP : 0) |
	       (fields & RT_COLUMN_SYM ? RT_FRAME_SYM : 0) |
	       (fields & RT_COLUMN_SYMOFF ? RT_FRAME_SYMOFF : 0) |
	       (fields & RT_COLUMN_DSO ? RT_FRAME_DSO : 0) |
	       (fields & RT_COLUMN_SRCLINE ? RT_FRAME_SRCLINE : 0);
}

/* Allocate the sets and the aligned entries; the kernel zeroes them on first use. */
static bool make_room(struct rt_frames *f)
{
	const struct rt_perf_events *events = rt_reader_events(f->script->reader);
	uint64_t bytes = rt_reader_stats(f->script->reader)->bytes_total;
	char *at = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *edge = (char *)(((uintptr_t)at + HUGE_PAGE - 1) & ~(uintptr_t)(HUGE_PAGE - 1));

	if (at == MAP_FAILED)
		return false;
	f->room = at;
	f->entries = (struct entry *)edge;
	f->sets = (struct set *)(edge + SETS * WAYS * sizeof(struct entry));
	/* Lookups are in random order; with small pages each one would miss the TLB. */
	if (bytes >= (events->sample_type & RT_SAMPLE_STACK_USER ? HUGE_FROM_COPIED : HUGE_FROM))
		madvise(edge, ROOM - HUGE_PAGE, MADV_HUGEPAGE);
	return true;
}

struct rt_frames *rt_frames_new(const struct rt_script *script)
{
	struct rt_frames *f = calloc(1, sizeof(*f));

	if (!f)
		return NULL;
	f->script = script;
	rt_text_init(&f->scratch);
	/* The kernel allocates only the memory that is touched. */
	if (!make_room(f)) {
		rt_frames_free(f);
		return NULL;
	}
	return f;
}

/* Do not read the entry itself to decide: it is seldom in the processor's cache. */
static void drop_text(struct rt_frames *f, size_t n, unsigned int way)
{
	if (f->apart[n] >> way & 1)
		free((char *)f->entries[n * WAYS + way].frame.text);
	f->apart[n] &= (uint8_t) ~(1u << way);
}

static void drop_texts(struct rt_frames *f)
{
	size_t i;

	for (i = 0; i < SETS * WAYS; i++)
		if (f->apart[i / WAYS])
			drop_text(f, i / WAYS, i % WAYS);
}

void rt_frames_clear(struct rt_frames *f)
{
	size_t i;

	drop_texts(f);
	for (i = 0; i < SETS; i++)
		if (f->sets[i].way[0].who)
			memset(&f->sets[i], 0, sizeof(f->sets[i]));
	memset(f->used, 0, sizeof(f->used));
}

void rt_frames_free(struct rt_frames *f)
{
	if (!f)
		return;
	drop_texts(f);
	rt_text_free(&f->scratch);
	rt_leaf_free(f->leaf);
	if (f->room)
		munmap(f->room, ROOM);
	free(f);
}

static size_t set_of(uint64_t addr, uint64_t who)
{
	uint64_t h = (addr ^ who * 0x9e3779b97f4a7c15ull) * 0xff51afd7ed558ccdull;

	return (h >> 32) & (SETS - 1);
}

/* Return the way of the set that has it, or -1. */
static inline int find(struct rt_frames *f, size_t n, uint64_t addr, uint64_t who)
{
	const struct set *set = &f->sets[n];
	unsigned int i, found = 0;

	/* Compare all ways without a branch: the processor could not predict which one matches. */
#pragma GCC unroll 4
	for (i = 0; i < WAYS; i++)
		found |= (unsigned int)(((set->way[i].addr ^ addr) |
					 (set->way[i].who ^ who) << (64 - KEY_SHIFT)) == 0)
			 << i;
	if (!found)
		return -1;
	if (!(f->used[n] & found))
		f->used[n] |= (uint8_t)found;
	return __builtin_ctz(found);
}

/*
 * Choose the way for a new frame.  Replace a frame that was used only once, so that the many
 * addresses that occur once do not evict those that occur again.
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

static uint64_t key_bits(const struct rt_frame *frame)
{
	return (frame->len > SHORT_TEXT ? KEY_APART : frame->len) | (frame->stop ? KEY_STOP : 0);
}

/* Store the new frame; in the scratch buffer it lasts only until the next call. */
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
	f->sets[n].way[way].who = who | key_bits(&e->frame) << KEY_SHIFT;
	return &e->frame;
}

/* ---- making the text ---------------------------------------------------------- */

static void put_srcline(struct rt_frames *f, const struct rt_location *p)
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

static void put_ip(struct rt_frames *f, const struct rt_location *p)
{
	/* In a stack, perf prints the address in the file; it treats the kernel as one object. */
	bool in_file = p->object && !p->kernel;

	rt_text_char(&f->scratch, '\t');
	rt_text_hex_width(&f->scratch, in_file ? p->address : p->ip, 16, ' ');
}

static void put_object(struct rt_frames *f, const struct rt_location *p)
{
	rt_text_lit(&f->scratch, " (");
	rt_text_str(&f->scratch, rt_location_object_name(p, f->script->kernel_path));
	rt_text_char(&f->scratch, ')');
}

/* Make the end of a sample's own line; the caller prints the sample's address. */
static void put_single(struct rt_frames *f, const struct rt_location *p, unsigned int parts)
{
	if (parts & RT_FRAME_SYM) {
		rt_text_char(&f->scratch, ' ');
		rt_location_put_symbol(p, parts & RT_FRAME_SYMOFF, &f->scratch);
	}
	if (parts & RT_FRAME_DSO)
		put_object(f, p);
	if (parts & RT_FRAME_SRCLINE)
		put_srcline(f, p);
}

/* Make a line of a stack; return whether the stack ends here. */
static bool put_line(struct rt_frames *f, const struct rt_location *p, unsigned int parts)
{
	if (parts & RT_FRAME_IP)
		put_ip(f, p);
	put_single(f, p, parts);
	rt_text_char(&f->scratch, '\n');
	return p->symbol && rt_names_has(&f->script->stop_at, p->symbol->name);
}

static bool put_inlined(struct rt_frames *f, const struct rt_location *p,
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
			rt_text_hex(&f->scratch, rt_location_offset(p));
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

static bool put_frame(struct rt_frames *f, const struct rt_location *p, unsigned int parts)
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
		 struct rt_location *p, unsigned int parts)
{
	memset(frame, 0, sizeof(*frame));
	if (parts == RT_FRAME_LEAF) {
		if (!f->leaf)
			f->leaf = rt_leaf_new(&f->script->stack);
		frame->leaf = f->leaf && rt_leaf_in_register(f->leaf, maps, p->ip);
		return;
	}
	rt_text_reset(&f->scratch);
	rt_location_symbol(p);
	if (parts & RT_FRAME_SINGLE)
		put_single(f, p, parts);
	else
		frame->stop = put_frame(f, p, parts);
	frame->text = f->scratch.base;
	frame->len = (uint32_t)f->scratch.len;
}

bool rt_frames_change(const struct rt_frames *f, unsigned int parts)
{
	return f->script->stack.compat &&
	       parts & (RT_FRAME_SRCLINE | RT_FRAME_INLINES | RT_FRAME_LEAF);
}

/* Find the object of an address and the address in that object; look into the cache first. */
static inline uint64_t whose(struct rt_frames *f, const struct rt_maps *maps, unsigned int cpumode,
			     uint64_t ip, uint64_t *addr)
{
	const struct rt_map *map;
	struct seen *seen;

	if (cpumode == RT_MISC_KERNEL)
		return WHO_KERNEL;
	if (cpumode != RT_MISC_USER || !maps)
		return WHO_NOTHING;
	seen = &f->seen[(ip >> PAGE_SHIFT ^ maps->id) & (SEEN_PAGES - 1)];
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

/* Make the frame in f->spare. */
static void make_new(struct rt_frames *f, const struct rt_maps *maps, unsigned int cpumode,
		     uint64_t ip, unsigned int parts)
{
	struct rt_location p;

	rt_location_object(&p, f->script->machine.kernel, maps, cpumode, ip);
	make(f, &f->spare, maps, &p, parts);
}

const struct rt_frame *rt_frames_get(struct rt_frames *f, const struct rt_maps *maps,
				     unsigned int cpumode, uint64_t ip, unsigned int parts)
{
	uint64_t addr = ip, who = whose(f, maps, cpumode, ip, &addr) | parts;
	size_t n;
	int way;

	n = set_of(addr, who);
	way = rt_frames_change(f, parts) ? -1 : find(f, n, addr, who);
	if (way >= 0)
		return &f->entries[n * WAYS + (size_t)way].frame;
	make_new(f, maps, cpumode, ip, parts);
	return rt_frames_change(f, parts) ? &f->spare : keep(f, n, addr, who);
}

bool rt_frames_is_leaf(void *frames, const struct rt_maps *maps, uint64_t pc)
{
	return rt_frames_get(frames, maps, RT_MISC_USER, pc, RT_FRAME_LEAF)->leaf;
}

/* Nothing is mapped here, so there is nothing to look up: print the address and two names. */
static void put_nothing(struct rt_text *out, uint64_t ip, unsigned int parts)
{
	if (parts & RT_FRAME_IP) {
		rt_text_char(out, '\t');
		rt_text_hex_width(out, ip, 16, ' ');
	}
	if (parts & RT_FRAME_SYM)
		rt_text_lit(out, " [unknown]");
	if (parts & RT_FRAME_DSO)
		rt_text_lit(out, " ([unknown])");
	rt_text_char(out, '\n');
}

bool rt_frames_put(struct rt_frames *f, const struct rt_maps *maps, unsigned int cpumode,
		   uint64_t ip, unsigned int parts, struct rt_text *out)
{
	uint64_t addr = ip, who = whose(f, maps, cpumode, ip, &addr), bits;
	const struct entry *e;
	int way = -1;
	size_t n;
	char *to;

	if (who == WHO_NOTHING) {
		put_nothing(out, ip, parts);
		return false;
	}
	n = set_of(addr, who | parts);
	if (!rt_frames_change(f, parts))
		way = find(f, n, addr, who | parts);
	if (way < 0) {
		/*
		 * Print from f->spare, not from the stored copy, whose memory is not in the cache
		 * yet.
		 */
		make_new(f, maps, cpumode, ip, parts);
		rt_text_put(out, f->spare.text, f->spare.len);
		if (!rt_frames_change(f, parts))
			keep(f, n, addr, who | parts);
		return f->spare.stop;
	}
	e = &f->entries[n * WAYS + (size_t)way];
	bits = f->sets[n].way[way].who >> KEY_SHIFT;
	if (bits & KEY_APART || !rt_text_room(out, SHORT_TEXT)) {
		rt_text_put(out, e->frame.text, e->frame.len);
		return e->frame.stop;
	}
	to = out->base + out->len;
	out->len += bits & KEY_LEN;
	memcpy(to, e->text, MOST_TEXT);
	if ((bits & KEY_LEN) > MOST_TEXT)
		memcpy(to + MOST_TEXT, e->text + MOST_TEXT, SHORT_TEXT - MOST_TEXT);
	return bits & KEY_STOP;
}
