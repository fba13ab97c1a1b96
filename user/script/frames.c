// SPDX-License-Identifier: GPL-2.0
#include "script/frames.h"

#include <stdlib.h>
#include <string.h>

#include "script/leaf.h"
#include "symbols/srcline.h"

#define FIRST_SLOTS  4096	   /* a power of two, as all sizes that follow */
#define CHUNK_SIZE   (256u << 10)  /* text is kept in pieces of this size */
#define TEXT_LIMIT   (64ull << 20) /* of one thread's cache */
#define UNKNOWN_LINE "??:0"
#define SRCLINE_MAX  4096

struct slot {
	uint64_t addr;
	uint64_t who; /* whose address, and which parts; 0: empty */
	struct rt_frame frame;
};

struct chunk {
	struct chunk *next;
	size_t used;
	char text[];
};

struct rt_frames {
	const struct rt_script *script;
	struct slot *slots;
	size_t size, count;
	struct chunk *chunks;
	uint64_t text_bytes;
	struct rt_text scratch;
	struct rt_frame spare; /* when there is no memory to keep a frame */
	struct rt_leaf *leaf;
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

	if (!f)
		return NULL;
	f->script = script;
	f->size = FIRST_SLOTS;
	f->slots = calloc(f->size, sizeof(*f->slots));
	rt_text_init(&f->scratch);
	if (!f->slots) {
		rt_frames_free(f);
		return NULL;
	}
	return f;
}

static void free_text(struct rt_frames *f)
{
	struct chunk *c, *next;

	for (c = f->chunks; c; c = next) {
		next = c->next;
		free(c);
	}
	f->chunks = NULL;
	f->text_bytes = 0;
}

void rt_frames_free(struct rt_frames *f)
{
	if (!f)
		return;
	free_text(f);
	rt_text_free(&f->scratch);
	rt_leaf_free(f->leaf);
	free(f->slots);
	free(f);
}

void rt_frames_clear(struct rt_frames *f)
{
	free_text(f);
	memset(f->slots, 0, f->size * sizeof(*f->slots));
	f->count = 0;
}

static size_t hash(uint64_t addr, uint64_t who, size_t size)
{
	uint64_t h = (addr ^ who * 0x9e3779b97f4a7c15ull) * 0xff51afd7ed558ccdull;

	return (h >> 32) & (size - 1);
}

static struct slot *find_slot(struct slot *slots, size_t size, uint64_t addr, uint64_t who)
{
	size_t i = hash(addr, who, size);

	while (slots[i].who && (slots[i].addr != addr || slots[i].who != who))
		i = (i + 1) & (size - 1);
	return &slots[i];
}

/* Twice the slots; without memory the table fills up and is emptied instead. */
static void grow(struct rt_frames *f)
{
	size_t size = f->size * 2, i;
	struct slot *slots = calloc(size, sizeof(*slots));

	if (!slots) {
		rt_frames_clear(f);
		return;
	}
	for (i = 0; i < f->size; i++)
		if (f->slots[i].who)
			*find_slot(slots, size, f->slots[i].addr, f->slots[i].who) = f->slots[i];
	free(f->slots);
	f->slots = slots;
	f->size = size;
}

static const char *keep(struct rt_frames *f, const char *text, size_t len)
{
	struct chunk *c = f->chunks;

	if (!c || CHUNK_SIZE - c->used < len) {
		size_t size = len > CHUNK_SIZE ? len : CHUNK_SIZE;

		c = malloc(sizeof(*c) + size);
		if (!c)
			return NULL;
		c->used = 0;
		c->next = f->chunks;
		f->chunks = c;
		f->text_bytes += size;
	}
	memcpy(c->text + c->used, text, len);
	c->used += len;
	return c->text + c->used - len;
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

/* A line of a stack; returns whether the stack ends here. */
static bool put_line(struct rt_frames *f, const struct rt_place *p, unsigned int parts)
{
	if (parts & RT_FRAME_IP)
		put_ip(f, p);
	if (parts & RT_FRAME_SYM) {
		rt_text_char(&f->scratch, ' ');
		rt_place_put_symbol(p, parts & RT_FRAME_SYMOFF, &f->scratch);
	}
	if (parts & RT_FRAME_DSO)
		put_object(f, p);
	if (parts & RT_FRAME_SRCLINE)
		put_srcline(f, p);
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

static void make(struct rt_frames *f, struct rt_frame *frame, const struct rt_maps *maps,
		 struct rt_place *p, unsigned int parts)
{
	memset(frame, 0, sizeof(*frame));
	if (parts == RT_FRAME_LEAF) {
		if (!f->leaf)
			f->leaf = rt_leaf_new(f->script->symtab);
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

/* perf does not remember what addr2line said, and addr2line changes its mind. */
static bool changing(const struct rt_frames *f, unsigned int parts)
{
	return f->script->compat && parts & (RT_FRAME_SRCLINE | RT_FRAME_INLINES);
}

const struct rt_frame *rt_frames_get(struct rt_frames *f, const struct rt_maps *maps,
				     unsigned int cpumode, uint64_t ip, unsigned int parts)
{
	struct rt_place p;
	struct slot *slot;
	uint64_t who;

	memset(&p, 0, sizeof(p));
	p.ip = p.address = ip;
	if (cpumode == RT_MISC_KERNEL) {
		who = WHO_KERNEL;
	} else {
		rt_place_object(&p, NULL, maps, cpumode, ip);
		who = p.object ? WHO_OBJECT | (uint64_t)rt_object_index(p.object) << WHO_SHIFT :
				 WHO_NOTHING;
	}
	who |= parts;
	slot = find_slot(f->slots, f->size, p.address, who);
	if (slot->who && !changing(f, parts))
		return &slot->frame;

	if (cpumode == RT_MISC_KERNEL)
		rt_place_object(&p, f->script->machine.kernel, maps, cpumode, ip);
	make(f, &f->spare, maps, &p, parts);
	if (changing(f, parts))
		return &f->spare;
	if (f->text_bytes > TEXT_LIMIT)
		rt_frames_clear(f);
	else if (f->count * 2 > f->size)
		grow(f);
	if (f->spare.len) {
		const char *text = keep(f, f->spare.text, f->spare.len);

		if (!text)
			return &f->spare;
		f->spare.text = text;
	}
	slot = find_slot(f->slots, f->size, cpumode == RT_MISC_KERNEL ? ip : p.address, who);
	slot->addr = cpumode == RT_MISC_KERNEL ? ip : p.address;
	slot->who = who;
	slot->frame = f->spare;
	f->count++;
	return &slot->frame;
}
