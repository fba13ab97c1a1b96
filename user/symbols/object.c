// SPDX-License-Identifier: GPL-2.0
/* object.c - intern objects and answer questions about them; see object.h */
#include "symbols/object.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/internal.h"
#include "symbols/locate.h"

#define FIRST_BUCKETS 64

/* ---- interning ------------------------------------------------------------ */

static uint64_t hash_key(const char *name, const struct rt_buildid *id)
{
	uint64_t h = 14695981039346656037ULL; /* FNV-1a */
	size_t i;

	for (; *name; name++)
		h = (h ^ (uint8_t)*name) * 1099511628211ULL;
	for (i = 0; i < id->len; i++)
		h = (h ^ id->data[i]) * 1099511628211ULL;
	return h ^ h >> 32;
}

static bool is_same(const struct rt_object *obj, enum rt_object_kind kind, const char *name,
		    const struct rt_buildid *id, uint64_t file)
{
	return obj->kind == kind && obj->file == file && !strcmp(obj->name, name) &&
	       rt_buildid_equal(&obj->given, id);
}

static void rehash(struct rt_symbols *syms)
{
	unsigned int buckets = syms->buckets ? syms->buckets * 2 : FIRST_BUCKETS, i;
	struct rt_object **grown = calloc(buckets, sizeof(*grown)), *obj, *next;

	if (!grown)
		return; /* chains get longer, but still work */
	for (i = 0; i < syms->buckets; i++) {
		for (obj = syms->bucket[i]; obj; obj = next) {
			uint64_t h = hash_key(obj->name, &obj->given);

			next = obj->next_in_bucket;
			obj->next_in_bucket = grown[h & (buckets - 1)];
			grown[h & (buckets - 1)] = obj;
		}
	}
	free(syms->bucket);
	syms->bucket = grown;
	syms->buckets = buckets;
}

/* The caller holds syms->lock. */
static struct rt_object *make(struct rt_symbols *syms, enum rt_object_kind kind, const char *name,
			      const char *path, const struct rt_buildid *id)
{
	struct rt_object *obj = rt_arena_alloc(&syms->strings, sizeof(*obj));

	if (!obj)
		return NULL;
	obj->name = rt_arena_str(&syms->strings, name);
	obj->path = rt_arena_str(&syms->strings, path);
	if (!obj->name || !obj->path)
		return NULL;
	obj->syms = syms;
	obj->kind = kind;
	obj->identity = kind == RT_OBJECT_JIT || kind == RT_OBJECT_NONE;
	obj->never = kind == RT_OBJECT_NONE;
	if (id)
		obj->given = obj->id = *id;
	pthread_mutex_init(&obj->lock, NULL);
	rt_symbol_table_init(&obj->table,
			     kind == RT_OBJECT_KERNEL || kind == RT_OBJECT_MODULE ?
				     syms->opt.demangle_kernel :
				     kind != RT_OBJECT_JIT && !syms->opt.no_demangle,
			     syms->opt.demangle_params);
	obj->index = syms->count;
	__atomic_store_n(&syms->count, syms->count + 1, __ATOMIC_RELAXED);
	obj->next = syms->objects;
	syms->objects = obj;
	return obj;
}

struct rt_object *rt_object_new(struct rt_symbols *syms, enum rt_object_kind kind, const char *name,
				const char *path, const struct rt_buildid *id)
{
	struct rt_object *obj;

	pthread_mutex_lock(&syms->lock);
	obj = make(syms, kind, name, path, id);
	pthread_mutex_unlock(&syms->lock);
	return obj;
}

static struct rt_object *get(struct rt_symbols *syms, enum rt_object_kind kind, const char *path,
			     const struct rt_buildid *buildid, uint64_t file)
{
	struct rt_buildid none = { 0 };
	const struct rt_buildid *id = buildid ? buildid : &none;
	uint64_t h = hash_key(path, id);
	struct rt_object *obj = NULL;

	pthread_mutex_lock(&syms->lock);
	if (syms->count >= syms->buckets)
		rehash(syms);
	if (syms->buckets)
		obj = syms->bucket[h & (syms->buckets - 1)];
	while (obj && !is_same(obj, kind, path, id, file))
		obj = obj->next_in_bucket;
	if (!obj) {
		obj = make(syms, kind, path, path, id);
		if (obj)
			obj->file = file;
		if (obj && syms->buckets) {
			obj->next_in_bucket = syms->bucket[h & (syms->buckets - 1)];
			syms->bucket[h & (syms->buckets - 1)] = obj;
		}
	}
	pthread_mutex_unlock(&syms->lock);
	return obj ? obj : syms->nameless;
}

struct rt_object *rt_object_get_kind(struct rt_symbols *syms, enum rt_object_kind kind,
				     const char *path, const struct rt_buildid *buildid)
{
	return get(syms, kind, path, buildid, 0);
}

static bool starts_with(const char *s, const char *prefix)
{
	return !strncmp(s, prefix, strlen(prefix));
}

static bool is_anonymous(const struct rt_object_key *key)
{
	return key->hugetlb || !strcmp(key->filename, "//anon") ||
	       starts_with(key->filename, "/dev/zero") ||
	       starts_with(key->filename, "/anon_hugepage");
}

static bool is_fileless(const char *filename)
{
	return starts_with(filename, "[stack") || starts_with(filename, "/SYSV") ||
	       !strcmp(filename, "[heap]");
}

struct rt_object *rt_object_get(struct rt_symbols *syms, const struct rt_object_key *key)
{
	enum rt_object_kind kind = RT_OBJECT_USER;
	char jit[64];

	if (is_anonymous(key) || is_fileless(key->filename)) {
		if (!key->exec)
			return rt_object_get_kind(syms, RT_OBJECT_NONE, key->filename,
						  key->buildid);
		snprintf(jit, sizeof(jit), "/tmp/perf-%d.map", key->pid);
		return rt_object_get_kind(syms, RT_OBJECT_JIT, jit, NULL);
	}
	if (!strcmp(key->filename, "[vdso]") || !strcmp(key->filename, "[vdso32]") ||
	    !strcmp(key->filename, "[vdsox32]"))
		kind = RT_OBJECT_VDSO;
	return get(syms, kind, key->filename, key->buildid, kind == RT_OBJECT_USER ? key->file : 0);
}

/* ---- loading -------------------------------------------------------------- */

static void load_locked(struct rt_object *obj)
{
	if (obj->never || obj->kind == RT_OBJECT_KERNEL)
		return; /* a kernel loads its own */
	if (obj->kind == RT_OBJECT_JIT)
		rt_object_load_jitmap(obj);
	else
		rt_object_load_file(obj);
}

void rt_object_load(struct rt_object *obj)
{
	if (__atomic_load_n(&obj->loaded, __ATOMIC_ACQUIRE))
		return;
	pthread_mutex_lock(&obj->lock);
	if (!obj->loaded) {
		load_locked(obj);
		__atomic_store_n(&obj->loaded, 1, __ATOMIC_RELEASE);
	}
	pthread_mutex_unlock(&obj->lock);
}

/* ---- questions ------------------------------------------------------------ */

const char *rt_object_name(const struct rt_object *obj)
{
	return obj->name;
}

enum rt_object_kind rt_object_kind(const struct rt_object *obj)
{
	return obj->kind;
}

struct rt_buildid rt_object_buildid(struct rt_object *obj)
{
	rt_object_load(obj);
	return obj->id;
}

unsigned int rt_object_index(const struct rt_object *obj)
{
	return obj->index;
}

unsigned int rt_object_count(const struct rt_symbols *syms)
{
	return __atomic_load_n(&syms->count, __ATOMIC_RELAXED);
}

uint64_t rt_object_address(const struct rt_object *obj, uint64_t ip, uint64_t start, uint64_t pgoff)
{
	if (obj->identity)
		return ip;
	/* The vdso is not a file; perf counts from its start. */
	return ip - start + (obj->kind == RT_OBJECT_VDSO ? 0 : pgoff);
}

const struct rt_symbol *rt_object_symbol(struct rt_object *obj, uint64_t address)
{
	rt_object_load(obj);
	if (!obj->table.count) {
		__atomic_fetch_add(&obj->unanswered, 1, __ATOMIC_RELAXED);
		return NULL;
	}
	return rt_symbol_table_find(&obj->table, address);
}

const struct rt_symbol *rt_object_symbol_by_name(struct rt_object *obj, const char *name)
{
	rt_object_load(obj);
	return rt_symbol_table_find_name(&obj->table, name);
}

int rt_object_each_symbol(struct rt_object *obj, int (*fn)(void *arg, const struct rt_symbol *sym),
			  void *arg)
{
	uint32_t i;
	int ret = 0;

	rt_object_load(obj);
	for (i = 0; i < obj->table.count && !ret; i++)
		ret = fn(arg, rt_symbol_table_at(&obj->table, i));
	return ret;
}

const char *rt_object_symbol_file(struct rt_object *obj)
{
	rt_object_load(obj);
	return obj->symbol_file ? obj->symbol_file : obj->runtime_file;
}

int rt_object_to_vaddr(struct rt_object *obj, uint64_t address, uint64_t *vaddr)
{
	unsigned int i;

	rt_object_load(obj);
	for (i = 0; i < obj->segments; i++) {
		const struct rt_segment *s = &obj->segment[i];

		if (address < s->offset || address - s->offset >= s->size)
			continue;
		*vaddr = address - s->offset + s->vaddr;
		return 0;
	}
	return -ENOENT;
}
