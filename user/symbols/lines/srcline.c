// SPDX-License-Identifier: GPL-2.0
/*
 * srcline.c - source lines and inlined frames; see srcline.h.
 *
 * perf asks `addr2line -i -f` of binutils over a pipe for every address.  This code computes the
 * same answer once per address in this process and caches it.
 */
#include "symbols/lines/srcline.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/lines/addrmap.h"
#include "symbols/internal.h"
#include "symbols/lines/debugfile.h"
#include "symbols/demangle.h"
#include "symbols/lines/dwarffile.h"
#include "symbols/lines/nearsym.h"

/* perf has the same limit. */
#define MAX_INLINE_DEPTH 1024

struct rt_lines {
	pthread_mutex_t lock;	   /* protects everything except answers, which need no lock */
	struct rt_addrmap answers; /* address -> struct rt_inlines */
	struct rt_debugfile files;
	struct rt_dwarf *dwarf;	 /* NULL: no debug information */
	struct rt_nearsyms near; /* of the file with the debug information */
	struct rt_arena arena;
	bool demangle, params;
	bool order;			/* see addr2line_order */
	const struct rt_nearsym *stuck; /* order: the symbol found last */
};

static const struct rt_inlines nothing;

/* libdwfl finds and relocates the DWARF of a module, separate file or not. */
static struct rt_dwarf *open_dwarf(const struct rt_debugfile *f, bool lines, bool file_zero)
{
	if (f->main.ehdr.e_type == ET_REL)
		return f->path ? rt_dwarf_open_relocatable(f->path, f->debug_path, file_zero) :
				 NULL;
	if (!f->has_dwarf)
		return NULL;
	return rt_dwarf_open(f->has_debug ? f->debug.elf : f->main.elf, lines, file_zero);
}

static struct rt_lines *lines_new(struct rt_object *obj)
{
	struct rt_lines *l = calloc(1, sizeof(*l));

	if (!l)
		return NULL;
	pthread_mutex_init(&l->lock, NULL);
	l->demangle = obj->table.demangle;
	l->params = obj->table.params;
	l->order = obj->syms->opt.addr2line_order;
	if (rt_debugfile_open(&l->files, obj) == 0) {
		l->dwarf = open_dwarf(&l->files, !obj->syms->opt.no_lines,
				      obj->syms->opt.addr2line_files);
		rt_nearsyms_load(&l->near,
				 l->dwarf && l->files.has_debug ? &l->files.debug : &l->files.main);
	}
	return l;
}

static void lines_free(struct rt_lines *l)
{
	rt_dwarf_close(l->dwarf);
	rt_nearsyms_free(&l->near);
	rt_debugfile_close(&l->files);
	rt_addrmap_free(&l->answers);
	rt_arena_free(&l->arena);
	pthread_mutex_destroy(&l->lock);
	free(l);
}

static struct rt_lines *lines_of(struct rt_object *obj)
{
	struct rt_lines *l = __atomic_load_n(&obj->lines, __ATOMIC_ACQUIRE);

	if (l)
		return l;
	rt_object_load(obj);
	pthread_mutex_lock(&obj->lock);
	l = obj->lines;
	if (!l) {
		l = lines_new(obj);
		obj->free_lines = lines_free;
		__atomic_store_n(&obj->lines, l, __ATOMIC_RELEASE);
	}
	pthread_mutex_unlock(&obj->lock);
	return l;
}

/* ---- working out an answer ----------------------------------------------------- */

static const char *readable(struct rt_lines *l, const char *name)
{
	char *text;
	const char *copy;

	if (!name || !name[0])
		return "??";
	text = l->demangle ? rt_demangle(name, l->params) : NULL;
	if (!text)
		return name;
	copy = rt_arena_str(&l->arena, text);
	free(text);
	return copy ? copy : name;
}

/*
 * The name of a function: its own if that is the linkage name, otherwise that of the symbol at its
 * start.
 */
static const char *function_name(struct rt_lines *l, struct rt_dwarf_function *f,
				 const struct rt_nearsym *sym)
{
	if (f->is_linkage || !sym)
		return f->name;
	if (sym->value == f->low)
		f->name = sym->name;
	else if (!l->order)
		return f->name;
	/* addr2line looks only once, and then prints whatever symbol it found. */
	f->is_linkage = true;
	return sym->name;
}

static const struct rt_nearsym *nearest_symbol(struct rt_lines *l, size_t section, uint64_t value)
{
	const struct rt_nearsym *s = l->stuck;

	if (!s || s->section != section || value < s->value || value - s->value >= s->size)
		s = rt_nearsyms_find(&l->near, section, value);
	if (l->order)
		l->stuck = s;
	return s;
}

static unsigned int depth_of(const struct rt_dwarf_function *f)
{
	unsigned int n = 1;

	for (; f && f->is_inlined && f->caller && n < MAX_INLINE_DEPTH; f = f->caller)
		n++;
	return n;
}

static void fill_frames(struct rt_lines *l, struct rt_inline_frame *frame, unsigned int count,
			const struct rt_dwarf_place *place, const struct rt_nearsym *sym)
{
	struct rt_dwarf_function *f = place->function;
	const char *name = f ? function_name(l, f, sym) : sym ? sym->name : NULL;
	const char *file = place->file;
	unsigned int i;

	if (!file && sym)
		file = sym->file;
	frame[0].name = readable(l, name);
	frame[0].file = file ? file : "??";
	frame[0].line = place->line;
	for (i = 1; i < count; i++, f = f->caller) {
		frame[i].name = readable(l, f->caller->name);
		frame[i].file = f->call_file ? f->call_file : "??";
		frame[i].line = f->call_line;
	}
}

static const struct rt_inlines *work_out(struct rt_lines *l, uint64_t vaddr)
{
	struct rt_dwarf_place place = { 0 };
	const struct rt_nearsym *sym = NULL;
	struct rt_inline_frame *frame;
	struct rt_inlines *answer;
	size_t section;
	uint64_t value;
	unsigned int count;
	bool found;

	/* addr2line has no answer for an address outside all sections. */
	if (!rt_debugfile_section(&l->files, vaddr, &section, &value))
		return &nothing;
	found = l->dwarf && rt_dwarf_find(l->dwarf, vaddr, &place);
	if (!place.function || !place.function->is_linkage)
		sym = nearest_symbol(l, section, value);
	if (!found && !sym)
		return &nothing;
	count = depth_of(place.function);
	answer = rt_arena_alloc(&l->arena, sizeof(*answer));
	frame = rt_arena_alloc(&l->arena, count * sizeof(*frame));
	if (!answer || !frame)
		return &nothing;
	fill_frames(l, frame, count, &place, sym);
	answer->count = count;
	answer->frames = frame;
	return answer;
}

/* ---- questions ------------------------------------------------------------------- */

const struct rt_inlines *rt_object_inlines(struct rt_object *obj, uint64_t address)
{
	struct rt_lines *l = lines_of(obj);
	const struct rt_inlines *answer;

	if (!l)
		return &nothing;
	answer = rt_addrmap_get(&l->answers, address);
	if (answer)
		return answer;
	pthread_mutex_lock(&l->lock);
	answer = rt_addrmap_get(&l->answers, address);
	if (!answer) {
		answer = work_out(l, address + obj->dump_delta);
		rt_addrmap_put(&l->answers, address, (void *)answer);
	}
	pthread_mutex_unlock(&l->lock);
	return answer;
}

struct rt_srcline rt_object_srcline(struct rt_object *obj, uint64_t address)
{
	const struct rt_inlines *in = rt_object_inlines(obj, address);

	if (!in->count)
		return (struct rt_srcline){ NULL, 0 };
	return (struct rt_srcline){ in->frames[0].file, in->frames[0].line };
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

int rt_object_srcline_text(struct rt_object *obj, const struct rt_symbol *sym, uint64_t address,
			   bool full, char *out, size_t size)
{
	struct rt_srcline at = rt_object_srcline(obj, address);
	int tid;

	if (at.file)
		return snprintf(out, size, "%s:%u", full ? at.file : base_name(at.file), at.line);
	if (sym)
		return snprintf(out, size, "%s+%" PRIu64, sym->name, address - sym->start);
	/* perf uses a different name for the code of a JIT. */
	if (obj->kind == RT_OBJECT_JIT && sscanf(base_name(obj->name), "perf-%d.map", &tid) == 1)
		return snprintf(out, size, "[JIT] tid %d[%" PRIx64 "]", tid, address);
	return snprintf(out, size, "%s[%" PRIx64 "]",
			obj->name[0] == '[' ? obj->name : base_name(obj->name),
			address + obj->dump_delta);
}
