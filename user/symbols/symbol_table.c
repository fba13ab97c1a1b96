// SPDX-License-Identifier: GPL-2.0
/* symbol_table.c - see symbol_table.h */
#include "symbols/symbol_table.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/demangle.h"
#include "symbols/symbol_table_sort.h"

#define TABLE_FIRST_ROOM 256
#define STRETCHES_FROM	 1024 /* entries; smaller tables are searched quickly anyway */
#define PAGE		 4096ULL

void rt_symbol_table_init(struct rt_symbol_table *t, bool demangle, bool params)
{
	memset(t, 0, sizeof(*t));
	t->demangle = demangle;
	t->params = params;
	pthread_mutex_init(&t->lock, NULL);
}

void rt_symbol_table_free(struct rt_symbol_table *t)
{
	free(t->entry);
	free(t->overlaps);
	free(t->by_seq);
	free(t->first);
	rt_overlap_log_free(&t->log);
	rt_arena_free(&t->names);
	pthread_mutex_destroy(&t->lock);
}

void rt_symbol_table_reserve(struct rt_symbol_table *t, uint32_t count)
{
	void *grown = count > t->room ? realloc(t->entry, count * sizeof(*t->entry)) : NULL;

	if (grown) {
		t->entry = grown;
		t->room = count;
	}
}

static struct rt_symbol_table_entry *append(struct rt_symbol_table *t)
{
	if (t->count == t->room) {
		uint32_t room = t->room ? t->room * 2 : TABLE_FIRST_ROOM;
		void *grown = room > t->room ? realloc(t->entry, room * sizeof(*t->entry)) : NULL;

		if (!grown)
			return NULL;
		t->entry = grown;
		t->room = room;
	}
	return &t->entry[t->count];
}

static void add(struct rt_symbol_table *t, struct rt_symbol sym, bool mangled)
{
	struct rt_symbol_table_entry *e = append(t);

	if (!e || !sym.name || (!t->unlogged && rt_overlap_log_insert(&t->log, sym.start))) {
		t->failed = true;
		return;
	}
	e->sym = sym;
	e->seq = t->unlogged ? t->count : t->log.starts - 1;
	e->mangled = mangled;
	e->module = 0;
	/* Most sources are nearly sorted: do not sort what is already in order. */
	if (t->sorted == t->count && (!t->count || e[-1].sym.start <= sym.start))
		t->sorted++;
	t->count++;
}

void rt_symbol_table_add(struct rt_symbol_table *t, uint64_t start, uint64_t len, uint8_t binding,
			 uint8_t type, const char *name)
{
	struct rt_symbol sym = { start, start + len, rt_arena_str(&t->names, name), binding, type };

	add(t, sym, t->demangle && rt_demangle_wants(name));
}

void rt_symbol_table_add_static(struct rt_symbol_table *t, uint64_t start, uint64_t end,
				uint8_t binding, uint8_t type, const char *name)
{
	struct rt_symbol sym = { start, end, name, binding, type };

	add(t, sym, false);
}

void rt_symbol_table_mark_module(struct rt_symbol_table *t)
{
	if (t->count)
		t->entry[t->count - 1].module = 1;
}

void rt_symbol_table_take_over(struct rt_symbol_table *t, struct rt_symbol_table *from)
{
	struct rt_arena names = t->names;
	uint32_t i;

	free(t->entry);
	t->entry = from->entry;
	t->room = from->room;
	t->count = t->sorted = from->count;
	t->failed |= from->failed;
	t->unlogged = true;
	t->names = from->names;
	from->names = names;
	from->entry = NULL;
	from->count = from->room = from->sorted = 0;
	for (i = 0; i < t->count; i++)
		t->entry[i].seq = i;
}

static int by_start_and_age(const void *a, const void *b)
{
	const struct rt_symbol_table_entry *x = a, *y = b;

	if (x->sym.start != y->sym.start)
		return x->sym.start < y->sym.start ? -1 : 1;
	return x->seq < y->seq ? -1 : x->seq > y->seq;
}

static bool sort_digits(struct rt_symbol_table *t)
{
	struct rt_symbol_table_entry *sorted = rt_symbol_table_sort(t->entry, t->count);

	if (!sorted)
		return false;
	free(t->entry);
	t->entry = sorted;
	t->room = t->count;
	return true;
}

static void settle(struct rt_symbol_table *t)
{
	if (t->sorted != t->count && !sort_digits(t))
		qsort(t->entry, t->count, sizeof(*t->entry), by_start_and_age);
	t->sorted = t->count;
}

void rt_symbol_table_fix_ends(struct rt_symbol_table *t, bool kallsyms)
{
	struct rt_symbol *prev, *cur;
	uint32_t i;

	settle(t);
	if (!t->count)
		return;
	for (i = 1; i < t->count; i++) {
		prev = &t->entry[i - 1].sym;
		cur = &t->entry[i].sym;
		if (prev->end != prev->start)
			continue;
		if (kallsyms && t->entry[i - 1].module != t->entry[i].module)
			prev->end = (prev->end + 2 * PAGE - 1) & ~(PAGE - 1);
		else
			prev->end = cur->start;
	}
	cur = &t->entry[t->count - 1].sym;
	if (cur->end == cur->start)
		cur->end = ((cur->start + PAGE - 1) & ~(PAGE - 1)) + PAGE;
}

/* Replace a mangled name by the source name.  The caller holds the lock or is the only thread. */
static void demangle(struct rt_symbol_table *t, struct rt_symbol_table_entry *e)
{
	char *text = rt_demangle(e->sym.name, t->params);

	if (text) {
		const char *copy = rt_arena_str(&t->names, text);

		free(text);
		if (copy)
			__atomic_store_n(&e->sym.name, copy, __ATOMIC_RELEASE);
	}
	__atomic_store_n(&e->mangled, 0, __ATOMIC_RELEASE);
}

static const char *settled_name(struct rt_symbol_table *t, struct rt_symbol_table_entry *e)
{
	if (e->mangled)
		demangle(t, e);
	return e->sym.name;
}

static bool is_syscall_alias(const char *name)
{
	return !strncmp(name, "SyS", 3) || !strncmp(name, "compat_SyS", 10);
}

/* perf's preference between two symbols at one address. */
static bool first_is_better(struct rt_symbol_table *t, struct rt_symbol_table_entry *a,
			    struct rt_symbol_table_entry *b)
{
	bool a_empty = a->sym.end == a->sym.start, b_empty = b->sym.end == b->sym.start;
	bool a_is, b_is;
	const char *na, *nb;
	size_t la, lb;

	if (a_empty != b_empty)
		return b_empty;
	a_is = a->sym.binding == STB_WEAK;
	b_is = b->sym.binding == STB_WEAK;
	if (a_is != b_is)
		return b_is;
	a_is = a->sym.binding == STB_GLOBAL;
	b_is = b->sym.binding == STB_GLOBAL;
	if (a_is != b_is)
		return a_is;
	na = settled_name(t, a);
	nb = settled_name(t, b);
	la = strspn(na, "_");
	lb = strspn(nb, "_");
	if (la != lb)
		return la < lb;
	la = strlen(na);
	lb = strlen(nb);
	if (la != lb)
		return la > lb;
	return !is_syscall_alias(na);
}

void rt_symbol_table_fix_duplicates(struct rt_symbol_table *t)
{
	uint32_t kept = 0, i;

	settle(t);
	if (!t->count)
		return;
	for (i = 1; i < t->count; i++) {
		struct rt_symbol_table_entry *cur = &t->entry[kept], *next = &t->entry[i];
		uint32_t loser;

		if (cur->sym.start != next->sym.start) {
			t->entry[++kept] = *next;
			continue;
		}
		if (first_is_better(t, cur, next)) {
			loser = next->seq;
		} else {
			loser = cur->seq;
			*cur = *next;
		}
		if (!t->unlogged && rt_overlap_log_remove(&t->log, loser))
			t->failed = true;
	}
	t->count = t->sorted = kept + 1;
}

static bool has_overlaps(const struct rt_symbol_table *t)
{
	uint64_t reach = 0;
	uint32_t i;

	for (i = 0; i < t->count; i++) {
		const struct rt_symbol *s = &t->entry[i].sym;

		if (i && (s->start < reach || s->start == t->entry[i - 1].sym.start))
			return true;
		if (s->end > reach)
			reach = s->end;
	}
	return false;
}

static int grow_shape(struct rt_symbol_table *t)
{
	uint32_t i;

	for (i = 0; t->unlogged && i < t->count; i++)
		if (rt_overlap_log_insert(&t->log, t->entry[i].sym.start))
			return -ENOMEM;
	t->overlaps = rt_overlap_tree_build(&t->log);
	t->by_seq = malloc((t->log.starts + 1) * sizeof(*t->by_seq));
	if (!t->overlaps || !t->by_seq)
		return -ENOMEM;
	for (i = 0; i < t->count; i++)
		t->by_seq[t->entry[i].seq] = i;
	return 0;
}

/* No search can work with half of the tree. */
static void give_up(struct rt_symbol_table *t)
{
	free(t->overlaps);
	t->overlaps = NULL;
	t->count = 0;
	t->failed = true;
}

/*
 * Build an index for the first step of a search: it leads directly to the few possible entries.
 * Without it, each of twenty steps waits for memory.  There are about as many stretches as entries.
 */
static void note_stretches(struct rt_symbol_table *t)
{
	uint64_t from, reach;
	unsigned int shift = 0;
	uint32_t i, n, at = 0;

	if (t->count < STRETCHES_FROM)
		return;
	from = t->entry[0].sym.start;
	reach = t->entry[t->count - 1].sym.start - from;
	while (reach >> shift >= 2ULL * t->count)
		shift++;
	n = (uint32_t)(reach >> shift) + 1;
	t->first = malloc(((size_t)n + 1) * sizeof(*t->first));
	if (!t->first)
		return; /* slower, but still correct */
	for (i = 0; i < n; i++) {
		while (at < t->count && t->entry[at].sym.start <= from + ((uint64_t)i << shift))
			at++;
		t->first[i] = at;
	}
	t->first[n] = t->count;
	t->first_shift = shift;
	t->stretches = n;
}

int rt_symbol_table_finish(struct rt_symbol_table *t)
{
	settle(t);
	if (!has_overlaps(t))
		note_stretches(t);
	else if (grow_shape(t))
		give_up(t);
	rt_overlap_log_free(&t->log);
	if (t->count && t->count < t->room) {
		void *fit = realloc(t->entry, t->count * sizeof(*t->entry));

		if (fit) {
			t->entry = fit;
			t->room = t->count;
		}
	}
	return t->failed ? -ENOMEM : 0;
}

/* A symbol of size 0 contains its own address. */
static bool past_end(const struct rt_symbol *s, uint64_t address)
{
	return address > s->end || (address == s->end && address != s->start);
}

static struct rt_symbol_table_entry *walk_overlaps(const struct rt_symbol_table *t,
						   uint64_t address)
{
	uint32_t n = t->overlaps->root;

	while (n != RT_SHAPE_NONE) {
		struct rt_symbol_table_entry *e = &t->entry[t->by_seq[n]];

		if (address < e->sym.start)
			n = t->overlaps->node[n].left;
		else if (past_end(&e->sym, address))
			n = t->overlaps->node[n].right;
		else
			return e;
	}
	return NULL;
}

static struct rt_symbol_table_entry *search(const struct rt_symbol_table *t, uint64_t address)
{
	uint32_t low = 0, high = t->count;
	uint64_t n;

	if (t->first) {
		if (address < t->entry[0].sym.start)
			return NULL;
		n = (address - t->entry[0].sym.start) >> t->first_shift;
		low = n < t->stretches ? t->first[n] : t->count;
		high = n < t->stretches ? t->first[n + 1] : t->count;
	}
	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (t->entry[mid].sym.start <= address)
			low = mid + 1;
		else
			high = mid;
	}
	if (!low || past_end(&t->entry[low - 1].sym, address))
		return NULL;
	return &t->entry[low - 1];
}

static const struct rt_symbol *readable(struct rt_symbol_table *t, struct rt_symbol_table_entry *e)
{
	if (__atomic_load_n(&e->mangled, __ATOMIC_ACQUIRE)) {
		pthread_mutex_lock(&t->lock);
		if (e->mangled)
			demangle(t, e);
		pthread_mutex_unlock(&t->lock);
	}
	return &e->sym;
}

const struct rt_symbol *rt_symbol_table_find(struct rt_symbol_table *t, uint64_t address)
{
	struct rt_symbol_table_entry *e =
		t->overlaps ? walk_overlaps(t, address) : search(t, address);

	return e ? readable(t, e) : NULL;
}

const struct rt_symbol *rt_symbol_table_at(struct rt_symbol_table *t, uint32_t index)
{
	return index < t->count ? readable(t, &t->entry[index]) : NULL;
}

const struct rt_symbol *rt_symbol_table_find_name(struct rt_symbol_table *t, const char *name)
{
	const struct rt_symbol *sym;
	uint32_t i;

	for (i = 0; i < t->count; i++) {
		sym = rt_symbol_table_at(t, i);
		if (!strcmp(sym->name, name))
			return sym;
	}
	return NULL;
}
