// SPDX-License-Identifier: GPL-2.0
#include "host/ksyms.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "host/kallsyms_cached.h"
#include "host/modules.h"

struct module {
	const char *name;
	uint64_t start, end; /* its memory, if /proc/modules shows it */
	bool listed;	     /* in /proc/modules; otherwise generated code, such as [bpf] */
};

struct rt_ksyms {
	struct rt_arena arena;
	struct rt_ksym *syms;	      /* in the order of kallsyms */
	const struct rt_ksym **order; /* the same sorted by address */
	size_t count, room;
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

/* A symbol ends where the next one begins, or at the end of its module. */
static void find_ends(struct rt_ksyms *k)
{
	uint64_t next = UINT64_MAX;
	struct rt_ksym *sym;
	struct module *m;
	size_t i = k->count, j;

	while (i > 0) {
		for (j = i; j > 0 && k->order[j - 1]->start == k->order[i - 1]->start; j--) {
			sym = &k->syms[k->order[j - 1] - k->syms];
			sym->end = next;
			m = sym->module ? find_module(k, sym->module, strlen(sym->module)) : NULL;
			if (m && m->start <= sym->start && sym->start < m->end && m->end < next)
				sym->end = m->end;
		}
		next = k->order[i - 1]->start;
		i = j;
	}
}

/* An address beside its symbol: comparing does not look at the symbols all over the memory. */
struct key {
	uint64_t start;
	const struct rt_ksym *sym;
};

static int by_key(const void *a, const void *b)
{
	const struct key *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return (x->sym > y->sym) - (x->sym < y->sym);
}

/* kallsyms has the kernel's symbols in order already: sort what follows, and merge. */
static int sort(struct rt_ksyms *k)
{
	const struct rt_ksym **out;
	size_t i, sorted, from = 0, at = 0;
	struct key *rest;

	for (sorted = 0; sorted < k->count; sorted++)
		if (sorted && k->syms[sorted].start < k->syms[sorted - 1].start)
			break;
	k->order = calloc(k->count + 1, sizeof(*k->order));
	rest = calloc(k->count - sorted + 1, sizeof(*rest));
	if (!k->order || !rest) {
		free(rest);
		return -ENOMEM;
	}
	for (i = sorted; i < k->count; i++) {
		rest[i - sorted].start = k->syms[i].start;
		rest[i - sorted].sym = &k->syms[i];
	}
	qsort(rest, k->count - sorted, sizeof(*rest), by_key);
	for (out = k->order; from < sorted || at < k->count - sorted; out++)
		if (at == k->count - sorted ||
		    (from < sorted && k->syms[from].start <= rest[at].start))
			*out = &k->syms[from++];
		else
			*out = rest[at++].sym;
	free(rest);
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

	if (k->count >= UINT32_MAX / 2)
		return -E2BIG;
	for (k->mask = 1; k->mask < k->count; k->mask = 2 * k->mask + 1)
		;
	k->bucket = calloc((size_t)k->mask + 1, sizeof(*k->bucket));
	k->next = calloc(k->count + 1, sizeof(*k->next));
	if (!k->bucket || !k->next)
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
	if (!ret)
		ret = sort(k);
	if (!ret)
		ret = index_names(k);
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

int rt_ksyms_find(struct rt_ksyms *k, const char *module, const char *name, unsigned int what,
		  struct rt_ksym_list *out)
{
	size_t size = strlen(name);
	const struct rt_ksym *sym;
	uint32_t i;
	int ret = 0;

	memset(out, 0, sizeof(*out));
	for (i = k->bucket[hash_name(name) & k->mask]; i && !ret; i = k->next[i - 1]) {
		sym = &k->syms[i - 1];
		if (strncmp(sym->name, name, size) || (sym->name[size] && sym->name[size] != '.'))
			continue;
		if (sym->name[size] && !(rt_ksyms_clone(sym->name, name) & what))
			continue;
		if (is_wanted(sym, module, what))
			ret = add(out, sym);
	}
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
