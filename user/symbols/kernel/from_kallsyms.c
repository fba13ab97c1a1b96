// SPDX-License-Identifier: GPL-2.0
/* from_kallsyms.c - load the symbols of a kernel and its modules from kallsyms. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/kallsyms.h"
#include "host/kallsyms_cache.h"
#include "symbols/kernel/internal.h"

struct load {
	struct rt_symbol_table *table;
	struct rt_kallsyms_cache_writer *writer;
	bool nonzero;
};

static int add_kallsym(void *arg, struct rt_kallsym *sym)
{
	struct load *l = arg;

	rt_kallsyms_cache_writer_add(l->writer, sym);
	if (!rt_kallsyms_wanted(sym->type) || sym->name[0] == '$')
		return 0;
	l->nonzero |= sym->address != 0;
	/* The module stays part of the name until the ends are fixed. */
	if (sym->module)
		sym->name[sym->module - 1 - sym->name] = '\t';
	rt_symbol_table_add(l->table, sym->address, 0, rt_kallsyms_binding(sym->type),
			    rt_kallsyms_elf_type(sym->type), sym->name);
	if (sym->module)
		rt_symbol_table_mark_module(l->table);
	return 0;
}

/* Read all symbols of the file, fix their ends, keep one per address. */
static int read_all(const char *path, struct rt_symbol_table *all,
		    const struct rt_kallsyms_cache_place *keep)
{
	struct load l = { all, keep ? rt_kallsyms_cache_writer_new(keep) : NULL, false };
	int err;

	err = rt_kallsyms_read(path, add_kallsym, &l);
	if (!err && l.nonzero && keep)
		rt_kallsyms_cache_writer_save(l.writer);
	rt_kallsyms_cache_writer_free(l.writer);
	if (!err && !l.nonzero)
		err = -EPERM; /* hidden by kptr_restrict */
	rt_symbol_table_fix_ends(all, true);
	rt_symbol_table_fix_duplicates(all);
	return err;
}

static struct rt_kmap *find_module(struct rt_kernel *k, const char *name)
{
	unsigned int i;

	for (i = 0; i < k->maps->count; i++)
		if (k->maps->map[i].module && !k->maps->map[i].late &&
		    !strcmp(k->maps->map[i].object->name, name))
			return &k->maps->map[i];
	return NULL;
}

/* Split "name\t[module]"; NULL if the symbol is the kernel's own. */
static const char *cut_module(struct rt_symbol_table_entry *e)
{
	char *tab = e->module ? strchr((char *)e->sym.name, '\t') : NULL;

	if (!tab)
		return NULL;
	*tab = '\0';
	return tab + 1;
}

/* Use the kernel's own symbols from the cache of an earlier run; false if there are none. */
static bool read_cache(struct rt_kernel *k, const struct rt_kallsyms_cache_place *keep,
		       struct rt_symbol_table *all)
{
	struct rt_kallsym sym;
	uint32_t i;

	k->cache = rt_kallsyms_cache_open(keep);
	if (k->cache)
		rt_symbol_table_reserve(all, rt_kallsyms_cache_count(k->cache));
	for (i = 0; k->cache && i < rt_kallsyms_cache_count(k->cache); i++) {
		rt_kallsyms_cache_symbol(k->cache, i, &sym);
		if (rt_kallsyms_wanted(sym.type) && sym.name[0] != '$')
			rt_symbol_table_add_static(all, sym.address, sym.address,
						   rt_kallsyms_binding(sym.type),
						   rt_kallsyms_elf_type(sym.type), sym.name);
	}
	rt_symbol_table_fix_ends(all, true);
	rt_symbol_table_fix_duplicates(all);
	return k->cache;
}

/*
 * Move the symbols of modules to their objects; the rest is the kernel's.  Kernel symbols that
 * follow those of modules lie outside the kernel's text.  perf puts them where it never looks, so
 * drop them.
 */
static void split_by_module(struct rt_kernel *k, struct rt_symbol_table *all, uint64_t delta)
{
	struct rt_kmap *module = NULL;
	uint32_t i, kept = 0;

	for (i = 0; i < all->count; i++) {
		struct rt_symbol *s = &all->entry[i].sym;
		const char *name = cut_module(&all->entry[i]);

		if (!name) {
			if (module && kept)
				continue;
			module = NULL;
			s->start -= delta;
			s->end -= delta;
			all->entry[kept++] = all->entry[i];
			continue;
		}
		if (!module || strcmp(module->object->name, name))
			module = find_module(k, name);
		if (module && !module->object->loaded)
			rt_symbol_table_add_static(&module->object->table, s->start - module->start,
						   s->end - module->start, s->binding, s->type,
						   s->name);
	}
	all->count = kept;
}

/* Make the map reach from the first symbol to the end of the last. */
static void fit_text_map(struct rt_kernel *k)
{
	struct rt_symbol_table *t = &k->object->table;
	struct rt_kmap *all;
	unsigned int i, n = k->maps->count;

	if (!t->count)
		return;
	all = malloc(n * sizeof(*all));
	if (!all)
		return;
	memcpy(all, k->maps->map, n * sizeof(*all));
	for (i = 0; i < n; i++) {
		if (all[i].object != k->object)
			continue;
		all[i].start = t->entry[0].sym.start;
		all[i].end = t->entry[t->count - 1].sym.end;
	}
	rt_kernel_set_maps(k, all, n);
	free(all);
}

/* Segments may be nested; perf cuts the outer ones there, and the symbols with them. */
static bool next_edge(const struct rt_kmap *maps, unsigned int count, uint64_t address,
		      uint64_t *edge)
{
	bool inside = false;
	unsigned int m;

	*edge = ~0ULL;
	for (m = 0; m < count; m++) {
		inside |= address >= maps[m].start && address < maps[m].end;
		if (maps[m].start > address && maps[m].start < *edge)
			*edge = maps[m].start;
		if (maps[m].end > address && maps[m].end < *edge)
			*edge = maps[m].end;
	}
	return inside;
}

/* With kcore every symbol is the kernel's; drop those outside all segments. */
static void keep_mapped(struct rt_symbol_table *all, const struct rt_kmap *maps, unsigned int count)
{
	uint64_t edge = 0;
	uint32_t i, kept = 0;
	bool inside = false;

	for (i = 0; i < all->count; i++) {
		struct rt_symbol *s = &all->entry[i].sym;

		cut_module(&all->entry[i]);
		/* The symbols are sorted, so the answer stays the same up to the edge. */
		if (!i || s->start >= edge)
			inside = next_edge(maps, count, s->start, &edge);
		if (!inside)
			continue;
		if (s->end > edge)
			s->end = edge;
		all->entry[kept++] = all->entry[i];
	}
	all->count = kept;
}

static bool use_kcore(struct rt_kernel *k, const char *path, struct rt_symbol_table *all)
{
	struct rt_kmap *maps = NULL, *kept;
	unsigned int count, i, n;

	if (!rt_kcore_matches(k, path) || rt_kcore_maps(k, path, &maps, &count))
		return false;
	kept = realloc(maps, (count + k->maps->count) * sizeof(*maps));
	if (!kept) {
		free(maps);
		return false;
	}
	keep_mapped(all, kept, count);
	/* BPF programs keep their own maps. */
	for (i = 0, n = count; i < k->maps->count; i++)
		if (k->maps->map[i].bpf)
			kept[n++] = k->maps->map[i];
	rt_kernel_set_maps(k, kept, n);
	free(kept);
	k->uses_kcore = true;
	return true;
}

/* Whether the symbols of this file can be cached: only the running kernel's. */
static bool can_keep(const struct rt_kernel *k, const char *path)
{
	return (!strcmp(path, RT_HOST_KALLSYMS) || k->syms->opt.keep_kallsyms) &&
	       !(k->syms->opt.perf_only && !access("/proc/kcore", R_OK));
}

int rt_kernel_load_kallsyms(struct rt_kernel *k, const char *path)
{
	struct rt_kallsyms_cache_place keep = { k->syms->opt.home, path, RT_HOST_BOOT_ID, NULL };
	struct rt_symbol_table all;
	uint64_t address, delta = 0;
	bool kcore;
	int err = 0;

	rt_symbol_table_init(&all, false, false);
	all.unlogged = true;
	if (!can_keep(k, path))
		err = read_all(path, &all, NULL);
	else if (read_cache(k, &keep, &all))
		k->modules_wait = true;
	else
		err = read_all(path, &all, &keep);
	if (!err && k->ref_symbol) {
		err = rt_kallsyms_address(path, k->ref_symbol, &address);
		delta = err ? 0 : address - k->ref_address;
	}
	if (err) {
		rt_symbol_table_free(&all);
		return err;
	}
	/* perf then treats modules as parts of the kernel; naming the module is more helpful. */
	kcore = k->syms->opt.perf_only && use_kcore(k, path, &all);
	if (!kcore)
		split_by_module(k, &all, delta);
	/* The modules' tables also point into its names. */
	rt_symbol_table_take_over(&k->object->table, &all);
	if (!kcore)
		fit_text_map(k);
	rt_symbol_table_free(&all);
	k->symbol_file = rt_symbols_str(k->syms, path);
	return k->object->table.count ? 0 : -ENOENT;
}

void rt_kernel_load_modules(struct rt_kernel *k)
{
	struct rt_symbol_table all;

	rt_symbol_table_init(&all, false, false);
	all.unlogged = true;
	if (!read_all(k->symbol_file, &all, NULL))
		split_by_module(k, &all, 0);
	k->module_names = all.names;
	all.names = (struct rt_arena){ 0 };
	rt_symbol_table_free(&all);
}
