// SPDX-License-Identifier: GPL-2.0
/* kernel.c - describe a kernel and look up addresses in it; see kernel.h */
#include "symbols/kernel/kernel.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/host.h"
#include "host/kallsyms.h"
#include "host/kallsyms_cache.h"
#include "symbols/kernel/internal.h"

static void free_kernels(struct rt_kernel *k)
{
	struct rt_kernel *next;
	struct rt_kmaps *maps, *older;

	for (; k; k = next) {
		next = k->next;
		for (maps = k->maps; maps; maps = older) {
			older = maps->retired;
			free(maps);
		}
		rt_kallsyms_cache_close(k->cache);
		rt_arena_free(&k->module_names);
		pthread_mutex_destroy(&k->lock);
		free(k);
	}
}

struct rt_kernel *rt_kernel_new(struct rt_symbols *syms, const char *name, uint16_t machine,
				const char *osrelease)
{
	struct rt_kernel *k = calloc(1, sizeof(*k));

	if (!k)
		return NULL;
	if (!osrelease)
		osrelease = rt_host_release(NULL);
	k->syms = syms;
	k->machine = machine;
	k->name = rt_symbols_str(syms, name);
	k->osrelease = rt_symbols_str(syms, osrelease);
	k->object = rt_object_new(syms, RT_OBJECT_KERNEL, name, name, NULL);
	k->maps = calloc(1, sizeof(*k->maps));
	if (!k->name || !k->osrelease || !k->object || !k->maps) {
		free(k->maps);
		free(k);
		return NULL;
	}
	k->object->identity = true;
	pthread_mutex_init(&k->lock, NULL);
	pthread_mutex_lock(&syms->lock);
	k->next = syms->kernels;
	syms->kernels = k;
	syms->free_kernels = free_kernels;
	pthread_mutex_unlock(&syms->lock);
	return k;
}

/* ---- maps ------------------------------------------------------------------ */

static int by_start(const void *a, const void *b)
{
	const struct rt_kmap *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

int rt_kernel_set_maps(struct rt_kernel *k, struct rt_kmap *map, unsigned int count)
{
	struct rt_kmaps *maps = malloc(sizeof(*maps) + count * sizeof(*map));
	unsigned int i;

	if (!maps)
		return -ENOMEM;
	memcpy(maps->map, map, count * sizeof(*map));
	maps->count = count;
	maps->retired = k->maps;
	qsort(maps->map, count, sizeof(*map), by_start);
	for (i = 0; i < count; i++) {
		uint64_t before = i ? maps->map[i - 1].reach : 0;

		maps->map[i].reach = maps->map[i].end > before ? maps->map[i].end : before;
	}
	__atomic_store_n(&k->maps, maps, __ATOMIC_RELEASE);
	return 0;
}

int rt_kernel_put_map(struct rt_kernel *k, const struct rt_kmap *map)
{
	unsigned int n = k->maps->count, i;
	struct rt_kmap *all = malloc((n + 1) * sizeof(*all));
	int err;

	if (!all)
		return -ENOMEM;
	memcpy(all, k->maps->map, n * sizeof(*all));
	for (i = 0; i < n; i++)
		if (all[i].start == map->start && all[i].module == map->module)
			break;
	all[i] = *map;
	err = rt_kernel_set_maps(k, all, i == n ? n + 1 : n);
	free(all);
	return err;
}

static const struct rt_kmap *find_map(const struct rt_kmaps *maps, uint64_t ip)
{
	unsigned int low = 0, high = maps->count;

	while (low < high) {
		unsigned int mid = low + (high - low) / 2;

		if (maps->map[mid].start <= ip)
			low = mid + 1;
		else
			high = mid;
	}
	/* Maps may be nested (segments of kcore): use the nearest one that contains the address. */
	while (low-- > 0 && ip < maps->map[low].reach)
		if (ip < maps->map[low].end)
			return &maps->map[low];
	return NULL;
}

/* ---- description ----------------------------------------------------------- */

void rt_kernel_set_buildid(struct rt_kernel *k, const struct rt_buildid *id)
{
	pthread_mutex_lock(&k->lock);
	k->id = k->object->id = k->object->given = *id;
	pthread_mutex_unlock(&k->lock);
}

void rt_kernel_set_text(struct rt_kernel *k, const char *ref_symbol, uint64_t ref_address,
			uint64_t start, uint64_t end)
{
	struct rt_kmap map = { .start = start, .end = end, .object = k->object, .identity = true };
	unsigned int i;

	pthread_mutex_lock(&k->lock);
	if (k->loaded)
		goto out;
	/* An address of 0 means that kptr_restrict hid it during the recording. */
	if (ref_address && ref_symbol && ref_symbol[0]) {
		k->ref_symbol = rt_symbols_str(k->syms, ref_symbol);
		k->ref_address = ref_address;
	}
	if (!end) {
		map.end = ~0ULL;
		for (i = k->maps->count; start && i-- > 0;)
			if (k->maps->map[i].start > start)
				map.end = k->maps->map[i].start;
	}
	rt_kernel_put_map(k, &map);
	k->has_text = true;
out:
	pthread_mutex_unlock(&k->lock);
}

/* "/lib/modules/x/kernel/fs/nfs-ssc.ko.xz" and "[nfs_ssc]" both become "[nfs_ssc]". */
static void module_name(const char *filename, char *out, size_t size)
{
	const char *base = strrchr(filename, '/'), *ko;
	char *p;

	base = base ? base + 1 : filename;
	if (base[0] == '[') {
		snprintf(out, size, "%s", base);
		return;
	}
	ko = strstr(base, ".ko");
	snprintf(out, size, "[%.*s]", ko ? (int)(ko - base) : (int)strlen(base), base);
	for (p = out; *p; p++)
		if (*p == '-')
			*p = '_';
}

static struct rt_object *module_object(struct rt_kernel *k, const char *filename,
				       const struct rt_buildid *id)
{
	char name[256];
	struct rt_object *obj;
	unsigned int i;

	module_name(filename, name, sizeof(name));
	for (i = 0; i < k->maps->count; i++) {
		obj = k->maps->map[i].object;
		if (k->maps->map[i].module && !strcmp(obj->name, name) &&
		    !strcmp(obj->path, filename))
			return obj;
	}
	return rt_object_new(k->syms, RT_OBJECT_MODULE, name, filename, id);
}

static bool is_late(const struct rt_kernel *k, const struct rt_object *module)
{
	unsigned int i;

	for (i = 0; i < k->maps->count; i++)
		if (k->maps->map[i].object == module)
			return k->maps->map[i].late;
	return k->loaded;
}

int rt_kernel_add_module(struct rt_kernel *k, const char *filename, uint64_t start, uint64_t end,
			 const struct rt_buildid *id)
{
	struct rt_kmap map = { .start = start, .end = end, .module = true };
	int err = 0;

	pthread_mutex_lock(&k->lock);
	if (!k->uses_kcore) {
		map.object = module_object(k, filename, id);
		map.late = is_late(k, map.object);
		err = map.object ? rt_kernel_put_map(k, &map) : -ENOMEM;
	}
	pthread_mutex_unlock(&k->lock);
	return err;
}

int rt_kernel_add_symbol(struct rt_kernel *k, const char *name, uint64_t start, uint64_t len,
			 bool bpf)
{
	struct rt_kmap map = { .start = start, .end = start + len, .bpf = bpf };
	struct rt_object *obj;
	int err = 0;

	pthread_mutex_lock(&k->lock);
	if (find_map(k->maps, start))
		goto out; /* like perf, leave the address to the existing map */
	obj = rt_object_new(k->syms, RT_OBJECT_KERNEL, name, name, NULL);
	if (!obj) {
		err = -ENOMEM;
		goto out;
	}
	rt_symbol_table_add(&obj->table, 0, len, 0, 0, name);
	rt_symbol_table_finish(&obj->table);
	obj->loaded = 1;
	map.object = obj;
	err = rt_kernel_put_map(k, &map);
out:
	pthread_mutex_unlock(&k->lock);
	return err;
}

void rt_kernel_del_symbol(struct rt_kernel *k, uint64_t start)
{
	struct rt_kmap *all;
	unsigned int i, kept = 0;

	pthread_mutex_lock(&k->lock);
	all = malloc((k->maps->count + 1) * sizeof(*all));
	for (i = 0; all && i < k->maps->count; i++) {
		const struct rt_kmap *m = &k->maps->map[i];

		if (m->start != start || m->module || m->object == k->object || m->identity)
			all[kept++] = *m;
	}
	if (all && kept != k->maps->count)
		rt_kernel_set_maps(k, all, kept);
	free(all);
	pthread_mutex_unlock(&k->lock);
}

/* ---- questions -------------------------------------------------------------- */

static void load(struct rt_kernel *k)
{
	if (__atomic_load_n(&k->loaded, __ATOMIC_ACQUIRE))
		return;
	pthread_mutex_lock(&k->lock);
	if (!k->loaded) {
		__atomic_store_n(&k->loading, 1, __ATOMIC_RELAXED);
		if (k->has_text)
			rt_kernel_load(k);
		__atomic_store_n(&k->loaded, 1, __ATOMIC_RELEASE);
		__atomic_store_n(&k->loading, 0, __ATOMIC_RELAXED);
	}
	pthread_mutex_unlock(&k->lock);
}

/* Names of modules are needed less often than those of the kernel, and cost more. */
static void load_modules(struct rt_kernel *k)
{
	if (!__atomic_load_n(&k->modules_wait, __ATOMIC_ACQUIRE))
		return;
	pthread_mutex_lock(&k->lock);
	if (k->modules_wait)
		rt_kernel_load_modules(k);
	__atomic_store_n(&k->modules_wait, 0, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&k->lock);
}

bool rt_kernel_is_loading(const struct rt_kernel *k)
{
	return __atomic_load_n(&k->loading, __ATOMIC_RELAXED);
}

const void *rt_kernel_maps_key(const struct rt_kernel *k)
{
	return __atomic_load_n(&k->maps, __ATOMIC_ACQUIRE);
}

void rt_kernel_find(struct rt_kernel *k, uint64_t ip, struct rt_kernel_hit *hit)
{
	const struct rt_kmap *map;

	memset(hit, 0, sizeof(*hit));
	load(k);
	map = find_map(rt_kernel_maps_key(k), ip);
	if (!map)
		return;
	hit->object = map->object;
	if (map->module && !map->late)
		load_modules(k);
	rt_object_load(map->object);
	hit->address = map->identity ? ip : ip - map->start + map->object->pgoff;
	hit->symbol = rt_object_symbol(map->object, hit->address);
}

int rt_kernel_symbol_address(struct rt_kernel *k, const char *name, uint64_t *address,
			     struct rt_err *err)
{
	const char *colon = strchr(name, ':'), *symbol = colon ? colon + 1 : name;
	const struct rt_kmaps *maps;
	char module[256] = "";
	unsigned int i;

	if (colon)
		snprintf(module, sizeof(module), "[%.*s]", (int)(colon - name), name);
	load(k);
	load_modules(k);
	maps = rt_kernel_maps_key(k);
	for (i = 0; i < maps->count; i++) {
		const struct rt_kmap *m = &maps->map[i];
		const struct rt_symbol *sym;

		if (colon && strcmp(m->object->name, module))
			continue;
		sym = rt_object_symbol_by_name(m->object, symbol);
		if (!sym)
			continue;
		*address = m->identity ? sym->start : sym->start - m->object->pgoff + m->start;
		return 0;
	}
	return rt_err_set(err, ENOENT, "no kernel symbol %s in %s", name,
			  k->symbol_file ? k->symbol_file : "any place that was searched");
}
