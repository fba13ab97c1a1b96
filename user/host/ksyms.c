// SPDX-License-Identifier: GPL-2.0
#include "host/ksyms.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/sort_keys.h"
#include "host/kallsyms_cached.h"
#include "host/modules.h"

struct module {
	const char *name;
	uint64_t start, end; /* its memory, if /proc/modules shows it */
	bool listed;	     /* in /proc/modules; otherwise generated code, such as [bpf] */
};

enum { SEARCHES_MAX = 3 }; /* after as many it pays to sort and to index */

struct rt_ksyms {
	struct rt_arena arena;
	struct rt_ksym *syms;	      /* in the order of kallsyms */
	const struct rt_ksym **order; /* the same sorted by address; NULL: not needed yet */
	size_t count, room;
	unsigned int searches; /* by name; the first ones go over all symbols */
	uint32_t *bucket; /* by the hash of the name without its suffixes: number of a symbol + 1 */
	uint32_t *next;	  /* for each symbol the next of its bucket: number + 1 */
	uint32_t mask;
	struct module *modules;
	size_t module_count;
	bool shown;
};

/* --- reading --------------------------------------------------------------------- */

static struct module *find_module(const struct rt_ksyms *k, const char *name, size_t size)
{
	size_t i;

	/* Symbols of one module are adjacent, so try the last module first. */
	for (i = k->module_count; i-- > 0;)
		if (!strncmp(k->modules[i].name, name, size) && !k->modules[i].name[size])
			return &k->modules[i];
	return NULL;
}

static struct module *add_module(struct rt_ksyms *k, const char *name, size_t size)
{
	struct module *list = realloc(k->modules, (k->module_count + 1) * sizeof(*list));
	struct module *m;

	if (!list)
		return NULL;
	k->modules = list;
	m = &list[k->module_count];
	memset(m, 0, sizeof(*m));
	m->name = rt_arena_strn(&k->arena, name, size);
	if (!m->name)
		return NULL;
	k->module_count++;
	return m;
}

static int take_symbol(void *arg, struct rt_kallsym *from)
{
	struct rt_ksyms *k = arg;
	struct rt_ksym *sym;
	struct module *m;
	size_t size;

	if (k->count == k->room) {
		size_t room = k->room ? 2 * k->room : 1 << 16;

		sym = realloc(k->syms, room * sizeof(*sym));
		if (!sym)
			return -ENOMEM;
		k->syms = sym;
		k->room = room;
	}
	sym = &k->syms[k->count];
	memset(sym, 0, sizeof(*sym));
	sym->start = from->address;
	sym->type = from->type;
	sym->name = rt_arena_str(&k->arena, from->name);
	if (!sym->name)
		return -ENOMEM;
	if (from->module) {
		size = strcspn(from->module + 1, "]");
		m = find_module(k, from->module + 1, size);
		if (!m)
			m = add_module(k, from->module + 1, size);
		if (!m)
			return -ENOMEM;
		sym->module = m->name;
	}
	k->shown |= sym->start != 0;
	k->count++;
	return 0;
}

static int read_modules(struct rt_ksyms *k, const struct rt_host *host)
{
	const struct rt_host_module *from;
	struct rt_host_modules modules;
	struct module *m;
	size_t i;
	int ret;

	ret = rt_host_modules_read(host, &modules);
	for (i = 0; i < modules.count && !ret; i++) {
		from = &modules.list[i];
		m = find_module(k, from->name, strlen(from->name));
		if (!m)
			m = add_module(k, from->name, strlen(from->name));
		if (m) {
			m->start = from->start;
			m->end = from->start ? from->start + from->size : 0;
			m->listed = true;
		} else {
			ret = -ENOMEM;
		}
	}
	rt_host_modules_free(&modules);
	return ret;
}

static int by_address(const void *a, const void *b)
{
	const struct rt_ksym *x = *(const struct rt_ksym *const *)a;
	const struct rt_ksym *y = *(const struct rt_ksym *const *)b;

	return (x->start > y->start) - (x->start < y->start);
}

/* Cut a symbol off at the end of its module. */
static void limit_end(const struct rt_ksyms *k, struct rt_ksym *sym)
{
	const struct module *m =
		sym->module ? find_module(k, sym->module, strlen(sym->module)) : NULL;

	if (m && m->start <= sym->start && sym->start < m->end && m->end < sym->end)
		sym->end = m->end;
}

/* A symbol ends where the next one begins, or at the end of its module. */
static void find_end(struct rt_ksyms *k, const struct rt_ksym *of)
{
	struct rt_ksym *sym = &k->syms[of - k->syms];
	size_t i;

	sym->end = UINT64_MAX;
	for (i = 0; i < k->count; i++)
		if (k->syms[i].start > sym->start && k->syms[i].start < sym->end)
			sym->end = k->syms[i].start;
	limit_end(k, sym);
}

/* The same for all symbols. */
static void find_ends(struct rt_ksyms *k)
{
	uint64_t next = UINT64_MAX;
	struct rt_ksym *sym;
	size_t i = k->count, j;

	while (i > 0) {
		for (j = i; j > 0 && k->order[j - 1]->start == k->order[i - 1]->start; j--) {
			sym = &k->syms[k->order[j - 1] - k->syms];
			sym->end = next;
			limit_end(k, sym);
		}
		next = k->order[i - 1]->start;
		i = j;
	}
}

/* kallsyms has the kernel's symbols in order already: sort what follows, and merge. */
static int sort(struct rt_ksyms *k)
{
	const struct rt_ksym **out;
	size_t i, sorted, from = 0, at = 0, count;
	struct rt_sort_key *keys, *rest;

	if (k->order)
		return 0;
	for (sorted = 0; sorted < k->count; sorted++)
		if (sorted && k->syms[sorted].start < k->syms[sorted - 1].start)
			break;
	count = k->count - sorted;
	k->order = calloc(k->count + 1, sizeof(*k->order));
	keys = malloc(2 * (count + 1) * sizeof(*keys));
	if (!k->order || !keys) {
		free(keys);
		free(k->order);
		k->order = NULL;
		return -ENOMEM;
	}
	for (i = 0; i < count; i++)
		keys[i] = (struct rt_sort_key){ k->syms[sorted + i].start, sorted + i };
	rest = rt_sort_keys(keys, keys + count, count);
	for (out = k->order; from < sorted || at < count; out++)
		if (at == count ||
		    (from < sorted && k->syms[from].start <= k->syms[rest[at].at].start))
			*out = &k->syms[from++];
		else
			*out = &k->syms[rest[at++].at];
	free(keys);
	if (k->shown)
		find_ends(k);
	return 0;
}

/* --- names ------------------------------------------------------------------------ */

/* A function and its clones have the same name up to the first '.'. */
static uint32_t hash_name(const char *name)
{
	uint32_t hash = 2166136261u;

	for (; *name && *name != '.'; name++)
		hash = (hash ^ (unsigned char)*name) * 16777619u;
	return hash ^ hash >> 15;
}

static int index_names(struct rt_ksyms *k)
{
	uint32_t *bucket;
	size_t i;

	for (k->mask = 1; k->mask < k->count; k->mask = 2 * k->mask + 1)
		;
	if (!k->next)
		k->next = calloc(k->count + 1, sizeof(*k->next));
	if (k->next)
		k->bucket = calloc((size_t)k->mask + 1, sizeof(*k->bucket));
	if (!k->bucket)
		return -ENOMEM;
	/* Backwards, so that a chain has the order of kallsyms. */
	for (i = k->count; i-- > 0;) {
		bucket = &k->bucket[hash_name(k->syms[i].name) & k->mask];
		k->next[i] = *bucket;
		*bucket = (uint32_t)i + 1;
	}
	return 0;
}

/* After reading, which returned RET. */
static int finish(struct rt_ksyms **out, struct rt_ksyms *k, int ret)
{
	if (!ret && k->count >= UINT32_MAX / 2)
		ret = -E2BIG;
	if (ret)
		rt_ksyms_close(k);
	else
		*out = k;
	return ret;
}

int rt_ksyms_open(struct rt_ksyms **out, const struct rt_host *host)
{
	char path[PATH_MAX];
	struct rt_ksyms *k = calloc(1, sizeof(*k));
	int ret;

	if (!k)
		return -ENOMEM;
	ret = host ? rt_kallsyms_read(rt_host_path(host, path, RT_HOST_KALLSYMS), take_symbol, k) :
		     rt_kallsyms_read_cached(take_symbol, k);
	if (!ret)
		ret = read_modules(k, host);
	return finish(out, k, ret);
}

int rt_ksyms_open_from(struct rt_ksyms **out, const char *path, rt_kallsyms_reader *read)
{
	struct rt_ksyms *k = calloc(1, sizeof(*k));

	return k ? finish(out, k, read(path, take_symbol, k)) : -ENOMEM;
}

void rt_ksyms_close(struct rt_ksyms *k)
{
	if (!k)
		return;
	rt_arena_free(&k->arena);
	free(k->syms);
	free(k->order);
	free(k->bucket);
	free(k->next);
	free(k->modules);
	free(k);
}

bool rt_ksyms_hidden(const struct rt_ksyms *k)
{
	return !k->shown;
}

bool rt_ksyms_has_module(const struct rt_ksyms *k, const char *module)
{
	const struct module *m = find_module(k, module, strlen(module));

	return !strcmp(module, RT_KSYMS_KERNEL) || (m && m->listed);
}

/* --- finding --------------------------------------------------------------------- */

static bool is_text(const struct rt_ksym *sym)
{
	return strchr("tTwW", sym->type);
}

static bool is_in(const struct rt_ksym *sym, const char *module)
{
	if (!module)
		return true;
	if (!strcmp(module, RT_KSYMS_KERNEL))
		return !sym->module;
	return sym->module && !strcmp(sym->module, module);
}

/* The kernel generates this code at run time; a probe cannot be put there. */
static bool is_made(const struct rt_ksym *sym)
{
	return sym->module &&
	       (!strcmp(sym->module, "bpf") || !strncmp(sym->module, "__builtin__", 11));
}

static bool is_wanted(const struct rt_ksym *sym, const char *module, unsigned int what)
{
	return is_in(sym, module) && !is_made(sym) &&
	       what & (is_text(sym) ? RT_KSYMS_TEXT : RT_KSYMS_DATA);
}

static int add(struct rt_ksym_list *out, const struct rt_ksym *sym)
{
	const struct rt_ksym **list;
	size_t i;

	for (i = 0; sym->start && i < out->count; i++)
		if (out->list[i]->start == sym->start)
			return 0;
	list = realloc(out->list, (out->count + 1) * sizeof(*list));
	if (!list)
		return -ENOMEM;
	out->list = list;
	list[out->count++] = sym;
	return 0;
}

/* Add the symbol if it is called NAME, or is a clone of it that is wanted. */
static int consider(const struct rt_ksym *sym, const char *module, const char *name, size_t size,
		    unsigned int what, struct rt_ksym_list *out)
{
	if (strncmp(sym->name, name, size) || (sym->name[size] && sym->name[size] != '.'))
		return 0;
	if (sym->name[size] && !(rt_ksyms_clone(sym->name, name) & what))
		return 0;
	return is_wanted(sym, module, what) ? add(out, sym) : 0;
}

int rt_ksyms_find(struct rt_ksyms *k, const char *module, const char *name, unsigned int what,
		  struct rt_ksym_list *out)
{
	size_t size = strlen(name);
	uint32_t i;
	int ret = 0;

	memset(out, 0, sizeof(*out));
	if (!k->bucket && ++k->searches > SEARCHES_MAX) {
		ret = sort(k);
		if (!ret)
			ret = index_names(k);
	}
	if (k->bucket && !ret)
		for (i = k->bucket[hash_name(name) & k->mask]; i && !ret; i = k->next[i - 1])
			ret = consider(&k->syms[i - 1], module, name, size, what, out);
	for (i = 0; !k->bucket && !ret && i < k->count; i++)
		if (*k->syms[i].name == *name)
			ret = consider(&k->syms[i], module, name, size, what, out);
	for (i = 0; !k->order && k->shown && !ret && i < out->count; i++)
		find_end(k, out->list[i]);
	if (ret)
		rt_ksym_list_free(out);
	else if (out->count)
		qsort(out->list, out->count, sizeof(*out->list), by_address);
	return ret;
}

void rt_ksym_list_free(struct rt_ksym_list *list)
{
	free(list->list);
	memset(list, 0, sizeof(*list));
}

const struct rt_ksym *rt_ksyms_at(struct rt_ksyms *k, uint64_t address)
{
	size_t from = 0, to = k->count, middle;
	const struct rt_ksym *sym;

	if (sort(k))
		return NULL;
	while (from < to) {
		middle = from + (to - from) / 2;
		if (k->order[middle]->start <= address)
			from = middle + 1;
		else
			to = middle;
	}
	if (!from || !k->shown)
		return NULL;
	sym = k->order[--from];
	/* Of several names for one place always take the same: the last of the alphabet. */
	for (; from > 0 && k->order[from - 1]->start == sym->start; from--)
		if (strcmp(k->order[from - 1]->name, sym->name) > 0)
			sym = k->order[from - 1];
	return address < sym->end ? sym : NULL;
}

int rt_ksyms_module(struct rt_ksyms *k, const char *module, uint64_t *start, uint64_t *end)
{
	const struct module *m = find_module(k, module, strlen(module));
	const struct rt_ksym *sym;
	size_t i;

	if (!m || !m->listed)
		return -ENOENT;
	if (!k->shown)
		return -EACCES;
	if (sort(k))
		return -ENOMEM;
	/* Newer kernels allocate text, data and read-only data of a module separately. */
	*start = m->start;
	*end = m->start;
	for (i = 0; i < k->count; i++) {
		sym = k->order[i];
		if (!is_text(sym) || !is_in(sym, module))
			continue;
		if (sym->start < *start)
			*start = sym->start;
		if (sym->end > *end)
			*end = sym->end;
	}
	return *end > *start ? 0 : -ENOENT;
}

/* --- suggestions ----------------------------------------------------------------- */

void rt_ksyms_nearest(struct rt_ksyms *k, const char *module, const char *name, unsigned int what,
		      struct rt_nearest *out)
{
	size_t i;

	rt_nearest_begin(out, name);
	for (i = 0; i < k->count; i++)
		if (is_wanted(&k->syms[i], module, what))
			rt_nearest_offer(out, k->syms[i].name);
}

void rt_ksyms_nearest_module(const struct rt_ksyms *k, const char *module, struct rt_nearest *out)
{
	size_t i;

	rt_nearest_begin(out, module);
	for (i = 0; i < k->module_count; i++)
		if (k->modules[i].listed)
			rt_nearest_offer(out, k->modules[i].name);
}
