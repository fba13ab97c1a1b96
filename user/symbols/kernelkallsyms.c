// SPDX-License-Identifier: GPL-2.0
/*
 * kernelkallsyms.c - a kernel's symbols, and those of its modules, from kallsyms.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/kallsyms.h"
#include "symbols/kernelmap.h"

struct load {
	struct rt_table *table;
	bool nonzero;
};

static int add_kallsym(void *arg, struct rt_kallsym *sym)
{
	struct load *l = arg;

	if (!rt_kallsyms_wanted(sym->type) || sym->name[0] == '$')
		return 0;
	l->nonzero |= sym->address != 0;
	/* The module stays part of the name until the ends are fixed. */
	if (sym->module)
		sym->name[sym->module - 1 - sym->name] = '\t';
	rt_table_add(l->table, sym->address, 0, rt_kallsyms_binding(sym->type),
		     rt_kallsyms_elf_type(sym->type), sym->name);
	if (sym->module)
		rt_table_mark_module(l->table);
	return 0;
}

/* All symbols of the file, ends fixed, one an address. */
static int read_all(const char *path, struct rt_table *all)
{
	struct load l = { all, false };
	int err;

	err = rt_kallsyms_read(path, add_kallsym, &l);
	if (!err && !l.nonzero)
		err = -EPERM; /* hidden by kptr_restrict */
	rt_table_fix_ends(all, true);
	rt_table_fix_duplicates(all);
	return err;
}

static struct rt_kmap *find_module(struct rt_kernel *k, const char *name)
{
	unsigned int i;

	for (i = 0; i < k->maps->count; i++)
		if (k->maps->map[i].module && !strcmp(k->maps->map[i].object->name, name))
			return &k->maps->map[i];
	return NULL;
}

/* Cut "name\t[module]" in two; NULL when it is the kernel's own. */
static const char *cut_module(struct rt_table_entry *e)
{
	char *tab = e->module ? strchr((char *)e->sym.name, '\t') : NULL;

	if (!tab)
		return NULL;
	*tab = '\0';
	return tab + 1;
}

/*
 * Deal out what was read: modules to the modules, the rest stays and is the kernel's.  Kernel
 * symbols that come again after modules lie outside the kernel's text; perf puts
 * them where it never looks, so they are left out.
 */
static void split_by_module(struct rt_kernel *k, struct rt_table *all, uint64_t delta)
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
			rt_table_add_static(&module->object->table, s->start - module->start,
					    s->end - module->start, s->binding, s->type, s->name);
	}
	all->count = kept;
}

/* The map reaches from the first symbol to the end of the last. */
static void fit_text_map(struct rt_kernel *k)
{
	struct rt_table *t = &k->object->table;
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

/* Segments may lie inside each other; perf cuts the outer ones there, and symbols with them. */
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

/* With kcore every symbol is the kernel's; what no segment holds is dropped. */
static void keep_mapped(struct rt_table *all, const struct rt_kmap *maps, unsigned int count)
{
	uint64_t edge = 0;
	uint32_t i, kept = 0;
	bool inside = false;

	for (i = 0; i < all->count; i++) {
		struct rt_symbol *s = &all->entry[i].sym;

		cut_module(&all->entry[i]);
		/* They are sorted: up to the edge the answer stays the same. */
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

static bool use_kcore(struct rt_kernel *k, const char *path, struct rt_table *all)
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

int rt_kernel_load_kallsyms(struct rt_kernel *k, const char *path)
{
	struct rt_table all;
	uint64_t there, delta = 0;
	bool kcore;
	int err;

	rt_table_init(&all, false, false);
	all.unlogged = true;
	err = read_all(path, &all);
	if (!err && k->ref_symbol) {
		err = rt_kallsyms_address(path, k->ref_symbol, &there);
		delta = err ? 0 : there - k->ref_address;
	}
	if (err) {
		rt_table_free(&all);
		return err;
	}
	kcore = use_kcore(k, path, &all);
	if (!kcore)
		split_by_module(k, &all, delta);
	/* The modules' tables, too, point into its names. */
	rt_table_take_over(&k->object->table, &all);
	if (!kcore)
		fit_text_map(k);
	rt_table_free(&all);
	k->symbol_file = rt_symbols_str(k->syms, path);
	return k->object->table.count ? 0 : -ENOENT;
}
