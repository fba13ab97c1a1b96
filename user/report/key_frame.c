// SPDX-License-Identifier: GPL-2.0
/* key_frame.c - sort keys that depend on the function: object, symbol, source line. */
#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "report/key_list.h"
#include "report/key_text.h"
#include "symbols/lines/srcline.h"

#define SRCLINE_MAX   4096
#define ADDRESS_WIDTH 16

static const struct rt_profile_func *func_of(struct rt_report *r, const struct rt_where *w)
{
	return rt_profile_func(r->profile, w->func);
}

/* ---- objects ----------------------------------------------------------------------- */

/* perf's short name of an object. */
static void short_name(const struct rt_profile_func *f, char *out, size_t size)
{
	const char *name = rt_object_name(f->object), *base = strrchr(name, '/');
	size_t len;
	int pid;

	switch (rt_object_kind(f->object)) {
	case RT_OBJECT_KERNEL:
		snprintf(out, size, "%s", name);
		return;
	case RT_OBJECT_MODULE:
		if (!base || name[0] == '[') {
			snprintf(out, size, "%s", name);
			return;
		}
		len = strcspn(base + 1, ".");
		snprintf(out, size, "[%.*s]", (int)len, base + 1);
		/* The kernel calls a module by its name with underscores. */
		for (; *out; out++)
			if (*out == '-')
				*out = '_';
		return;
	default:
		if (sscanf(name, "/tmp/perf-%d.map", &pid) == 1)
			snprintf(out, size, "[JIT] tid %d", pid);
		else
			snprintf(out, size, "%s", base ? base + 1 : name);
	}
}

static uint32_t make_object_name(struct rt_report *r, const struct rt_profile_func *f)
{
	char text[4096];

	if (!f->object)
		return rt_pool_text(&r->pool, "[unknown]");
	short_name(f, text, sizeof(text));
	return rt_pool_text(&r->pool, text);
}

uint32_t rt_key_object_name(struct rt_report *r, uint32_t func)
{
	struct rt_func_names *names = rt_key_names(r, func);
	const struct rt_profile_func *f;
	struct rt_report_object *known;

	if (names->object)
		return names->object;
	f = rt_profile_func(r->profile, func);
	known = &r->objects[((uintptr_t)f->object >> 4) & (RT_REPORT_OBJECTS - 1)];
	if (!known->name || known->object != f->object) {
		known->object = f->object;
		known->name = make_object_name(r, f);
	}
	return names->object = known->name;
}

static uint64_t object_id(struct rt_report *r, const struct rt_key *key, const struct rt_where *w)
{
	return (uint64_t)rt_key_object_name(r, w->func) << 1 | !func_of(r, w)->object;
}

static int object_order(struct rt_report *r, const struct rt_key *key, const struct rt_where *a,
			const struct rt_where *b)
{
	bool in_a = func_of(r, a)->object, in_b = func_of(r, b)->object;
	uint32_t name_a, name_b;

	if (!in_a || !in_b)
		return in_b - in_a;
	name_a = rt_key_object_name(r, a->func);
	name_b = rt_key_object_name(r, b->func);
	return name_a == name_b ?
		       0 :
		       strcmp(rt_pool_get(&r->pool, name_a), rt_pool_get(&r->pool, name_b));
}

static unsigned int object_width(struct rt_report *r, const struct rt_key *key,
				 const struct rt_where *w)
{
	const struct rt_profile_func *f = func_of(r, w);
	unsigned int width = 0;

	if (f->object)
		width = (unsigned int)strlen(rt_pool_get(&r->pool, rt_key_object_name(r, w->func)));
	if (!f->symbol && width < ADDRESS_WIDTH && !r->opt->separator && !r->opt->widths &&
	    !r->opt->objects.count)
		width = ADDRESS_WIDTH;
	return width;
}

static void object_text(struct rt_report *r, const struct rt_key *key, const struct rt_where *w,
			unsigned int width, struct rt_text *out)
{
	rt_key_put(r, rt_pool_get(&r->pool, rt_key_object_name(r, w->func)), width, true, out);
}

const struct rt_key_type rt_key_object = {
	.name = "dso",
	.header = "Shared Object",
	.id = object_id,
	.order = object_order,
	.width = object_width,
	.text = object_text,
};

/* ---- symbols ------------------------------------------------------------------------ */

/* perf tells symbols apart by the object's short name and their addresses, not by their names. */
static uint64_t symbol_id(struct rt_report *r, const struct rt_key *key, const struct rt_where *w)
{
	const struct rt_profile_func *f = func_of(r, w);
	struct rt_func_names *names = rt_key_names(r, w->func);
	uint64_t value[3] = { 0, f->address, 0 };

	if (!f->symbol) {
		/* The two highest bits of an address are equal; numbers of the pool are small. */
		if (w->address >> 62 == 0 || w->address >> 62 == 3)
			return w->address ^ 1ull << 62;
		value[1] = w->address;
		value[2] = 1;
		return rt_pool_bytes(&r->pool, value, sizeof(value));
	}
	if (!names->symbol) {
		value[0] = (uint64_t)rt_key_object_name(r, w->func) << 32;
		if (f->inlined)
			value[0] |= rt_pool_text(&r->pool, f->name);
		value[2] = f->symbol->end << 1;
		names = rt_key_names(r, w->func);
		names->symbol = rt_pool_bytes(&r->pool, value, sizeof(value));
	}
	return names->symbol;
}

static int symbol_order(struct rt_report *r, const struct rt_key *key, const struct rt_where *a,
			const struct rt_where *b)
{
	const struct rt_profile_func *f = func_of(r, a), *g = func_of(r, b);

	if (!f->symbol || !g->symbol)
		return (g->symbol != NULL) - (f->symbol != NULL);
	return strcmp(f->name, g->name);
}

static unsigned int symbol_width(struct rt_report *r, const struct rt_key *key,
				 const struct rt_where *w)
{
	const struct rt_profile_func *f = func_of(r, w);

	return f->symbol ? (unsigned int)strlen(f->name) + 4 : ADDRESS_WIDTH + 2 + 4;
}

void rt_key_put_symbol(struct rt_report *r, const struct rt_where *w, uint64_t raw,
		       unsigned int width, struct rt_text *out)
{
	const struct rt_profile_func *f = func_of(r, w);

	rt_text_char(out, '[');
	rt_text_char(out, w->level);
	rt_text_lit(out, "] ");
	if (!f->symbol) {
		/* printf's %#llx, which perf uses, has no prefix for 0. */
		if (raw || !r->opt->compat)
			rt_text_lit(out, "0x");
		rt_text_hex_width(out, raw, ADDRESS_WIDTH, '0');
		return;
	}
	if (f->symbol->type == STT_OBJECT) {
		rt_key_put_all(r, f->name, out);
		rt_text_printf(out, "+0x%" PRIx64, w->inside - f->symbol->start);
		return;
	}
	rt_key_put(r, f->name, width < 4 ? 0 : width - 4, false, out);
	if (f->inlined)
		rt_text_lit(out, " (inlined)");
}

static void symbol_text(struct rt_report *r, const struct rt_key *key, const struct rt_where *w,
			unsigned int width, struct rt_text *out)
{
	rt_key_put_symbol(r, w, w->address, width, out);
}

const struct rt_key_type rt_key_symbol = {
	.name = "symbol",
	.header = "Symbol",
	.id = symbol_id,
	.order = symbol_order,
	.width = symbol_width,
	.text = symbol_text,
};

static uint64_t size_id(struct rt_report *r, const struct rt_key *key, const struct rt_where *w)
{
	const struct rt_profile_func *f = func_of(r, w);

	return f->symbol ? f->symbol->end - f->symbol->start : 0;
}

static int size_order(struct rt_report *r, const struct rt_key *key, const struct rt_where *a,
		      const struct rt_where *b)
{
	uint64_t in_a = size_id(r, key, a), in_b = size_id(r, key, b);

	return (in_b < in_a) - (in_b > in_a);
}

static void size_text(struct rt_report *r, const struct rt_key *key, const struct rt_where *w,
		      unsigned int width, struct rt_text *out)
{
	const struct rt_profile_func *f = func_of(r, w);

	if (f->symbol)
		rt_text_u64_width(out, size_id(r, key, w), (int)width, ' ');
	else
		rt_text_str_width(out, "unknown", (int)width);
}

const struct rt_key_type rt_key_size = {
	.name = "symbol_size",
	.header = "Symbol size",
	.id = size_id,
	.order = size_order,
	.text = size_text,
};

/* ---- source lines --------------------------------------------------------------------- */

static uint32_t line_of(struct rt_report *r, const struct rt_where *w, bool whole)
{
	const struct rt_profile_func *f = func_of(r, w);
	char text[SRCLINE_MAX] = "??:0", *end;
	/* Without a line the text of a symbol says so: "std::sort+12" is in no file "std". */
	const struct rt_symbol *symbol = whole ? f->symbol : NULL;
	uint64_t address = w->address;
	int n;

	/* perf takes the raw address of a caller, which is in no file. */
	if (f->object) {
		n = rt_object_srcline_text(f->object, symbol, address, r->opt->full_source_path,
					   text, sizeof(text));
		if (n <= 0)
			snprintf(text, sizeof(text), "??:0");
	}
	if (!whole) {
		/* Nor is "name[address]", whatever is in the name. */
		end = text[strlen(text) - 1] == ']' ? NULL :
		      r->opt->compat		    ? strchr(text, ':') :
						      strrchr(text, ':');
		if (!end || !strncmp(text, "??", 2))
			return rt_pool_text(&r->pool, "");
		*end = '\0';
	}
	return rt_pool_text(&r->pool, text);
}

uint32_t rt_key_line_name(struct rt_report *r, const struct rt_where *w)
{
	return line_of(r, w, true);
}

static uint64_t line_id(struct rt_report *r, const struct rt_key *key, const struct rt_where *w)
{
	return line_of(r, w, true);
}

static uint64_t file_id(struct rt_report *r, const struct rt_key *key, const struct rt_where *w)
{
	return line_of(r, w, false);
}

static int line_order(struct rt_report *r, const struct rt_key *key, const struct rt_where *a,
		      const struct rt_where *b)
{
	return strcmp(rt_pool_get(&r->pool, (uint32_t)key->type->id(r, key, a)),
		      rt_pool_get(&r->pool, (uint32_t)key->type->id(r, key, b)));
}

static unsigned int line_width(struct rt_report *r, const struct rt_key *key,
			       const struct rt_where *w)
{
	return (unsigned int)strlen(rt_pool_get(&r->pool, (uint32_t)key->type->id(r, key, w)));
}

static void line_text(struct rt_report *r, const struct rt_key *key, const struct rt_where *w,
		      unsigned int width, struct rt_text *out)
{
	rt_key_put(r, rt_pool_get(&r->pool, (uint32_t)key->type->id(r, key, w)), width, false, out);
}

const struct rt_key_type rt_key_line = {
	.name = "srcline",
	.header = "Source:Line",
	.of_address = true,
	.id = line_id,
	.order = line_order,
	.width = line_width,
	.text = line_text,
};

const struct rt_key_type rt_key_file = {
	.name = "srcfile",
	.header = "Source File",
	.of_address = true,
	.id = file_id,
	.order = line_order,
	.width = line_width,
	.text = line_text,
};
