// SPDX-License-Identifier: GPL-2.0
#include "buildid/list.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "perfdata/sample.h"
#include "process/machine.h"
#include "symbols/buildid.h"
#include "symbols/object.h"

#define BUCKETS 4096

struct entry {
	char *name;
	struct rt_buildid id;
	bool hit;
	struct entry *next; /* in its bucket */
};

struct rt_buildid_list {
	struct entry **list;
	size_t count, room;
	struct entry *buckets[BUCKETS];
	size_t taken; /* of the header's table */
	/* by the index of a struct rt_object: what it is called here */
	struct entry **by_object;
	unsigned object_room;
};

struct rt_buildid_list *rt_buildid_list_new(void)
{
	return calloc(1, sizeof(struct rt_buildid_list));
}

void rt_buildid_list_free(struct rt_buildid_list *l)
{
	size_t i;

	if (!l)
		return;
	for (i = 0; i < l->count; i++) {
		free(l->list[i]->name);
		free(l->list[i]);
	}
	free(l->list);
	free(l->by_object);
	free(l);
}

static unsigned hash(const char *s)
{
	unsigned h = 2166136261u;

	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * 16777619u;
	return h % BUCKETS;
}

static struct entry *append(struct rt_buildid_list *l, const char *name)
{
	struct entry *e = calloc(1, sizeof(*e)), **list;

	if (!e)
		return NULL;
	if (l->count == l->room) {
		list = realloc(l->list, (l->room ? 2 * l->room : 64) * sizeof(*list));
		if (!list)
			goto err_free;
		l->list = list;
		l->room = l->room ? 2 * l->room : 64;
	}
	e->name = strdup(name);
	if (!e->name)
		goto err_free;
	l->list[l->count++] = e;
	e->next = l->buckets[hash(name)];
	l->buckets[hash(name)] = e;
	return e;
err_free:
	free(e);
	return NULL;
}

static struct entry *get(struct rt_buildid_list *l, const char *name)
{
	struct entry *e = l->buckets[hash(name)];

	while (e && strcmp(e->name, name))
		e = e->next;
	return e ? e : append(l, name);
}

int rt_buildid_list_header(struct rt_buildid_list *l, const struct rt_env *env)
{
	struct entry *e;

	for (; l->taken < env->build_id_count; l->taken++) {
		const struct rt_build_id_entry *b = &env->build_ids[l->taken];

		e = get(l, b->filename);
		if (!e)
			return -ENOMEM;
		rt_buildid_set(&e->id, b->id.data, b->id.size);
	}
	return 0;
}

/* What perf calls the thing just mapped: code made at run time has a name of its process. */
static const char *mapped_name(struct rt_machine *m, const struct rt_record *rec)
{
	static const char kernel[] = "[kernel.kallsyms]";
	const struct rt_record_mmap *r = (const void *)rec->hdr;
	unsigned mode = rec->hdr->misc & RT_MISC_CPUMODE_MASK;
	const struct rt_thread *thread;
	const struct rt_map *map;
	const char *name;

	name = rec->hdr->type == RT_RECORD_MMAP ?
		       r->filename :
		       ((const struct rt_record_mmap2 *)rec->hdr)->filename;
	name = rt_record_string(rec, name);
	if (mode == RT_MISC_KERNEL) /* the symbol it is counted from stands behind the name */
		return strncmp(name, kernel, sizeof(kernel) - 1) ? name : kernel;
	thread = rt_threads_find(m->threads, (int32_t)r->pid, (int32_t)r->tid);
	map = thread ? rt_maps_find(thread->space->maps, r->start) : NULL;
	return map ? rt_object_name(map->object) : name;
}

/* A mapping makes its file known, in the order of the records. */
static int take_mapping(struct rt_buildid_list *l, struct rt_machine *m,
			const struct rt_record *rec)
{
	const struct rt_record_mmap2 *r = (const void *)rec->hdr;
	struct entry *e = get(l, mapped_name(m, rec));

	if (!e)
		return -ENOMEM;
	if (rec->hdr->type == RT_RECORD_MMAP2 && rec->hdr->misc & RT_MISC_MMAP_BUILD_ID &&
	    r->build_id_size <= RT_BUILD_ID_MAX)
		rt_buildid_set(&e->id, r->build_id, r->build_id_size);
	return 0;
}

static int mark(struct rt_buildid_list *l, const struct rt_object *object)
{
	unsigned i = rt_object_index(object), room = l->object_room;
	struct entry **more;

	if (i >= room) {
		room = 2 * (i + 1);
		more = realloc(l->by_object, room * sizeof(*more));
		if (!more)
			return -ENOMEM;
		memset(more + l->object_room, 0, (room - l->object_room) * sizeof(*more));
		l->by_object = more;
		l->object_room = room;
	}
	if (!l->by_object[i]) {
		l->by_object[i] = get(l, rt_object_name(object));
		if (!l->by_object[i])
			return -ENOMEM;
		l->by_object[i]->hit = true;
	}
	return 0;
}

static int take_sample(struct rt_buildid_list *l, struct rt_machine *m, struct rt_symcache *cache,
		       const struct rt_record *rec)
{
	const struct rt_object *object = NULL;
	struct rt_kernel_hit hit;
	struct rt_thread *thread;
	const struct rt_map *map;
	struct rt_sample s;

	if (!rec->event || rt_sample_parse(rec, &s, NULL))
		return 0;
	if (s.cpumode == RT_MISC_KERNEL && m->kernel) {
		rt_symcache_kernel(cache, m->kernel, s.ip, &hit);
		object = hit.object;
	} else if (s.cpumode == RT_MISC_USER) {
		thread = rt_threads_get(m->threads, s.pid, s.tid);
		if (!thread)
			return -ENOMEM;
		map = rt_maps_find(thread->space->maps, s.ip);
		object = map ? map->object : NULL;
	}
	return object ? mark(l, object) : 0;
}

static int take(struct rt_buildid_list *l, struct rt_machine *m, struct rt_symcache *cache,
		struct rt_reader *reader, const struct rt_record *rec, struct rt_err *err)
{
	int ret;

	ret = rt_machine_apply(m, rec, err);
	if (ret)
		return ret;
	switch (rec->hdr->type) {
	case RT_RECORD_HEADER_BUILD_ID:
		ret = rt_buildid_list_header(l, rt_reader_env(reader));
		break;
	case RT_RECORD_MMAP:
	case RT_RECORD_MMAP2:
		ret = take_mapping(l, m, rec);
		break;
	case RT_RECORD_SAMPLE:
		ret = take_sample(l, m, cache, rec);
		break;
	}
	return ret ? rt_err_set(err, -ret, "no memory to list build-ids") : 0;
}

int rt_buildid_list_hits(struct rt_buildid_list *l, struct rt_reader *reader, struct rt_err *err)
{
	struct rt_symbols_options options = { .no_demangle = true };
	struct rt_symbols *symbols = rt_symbols_open(&options, err);
	struct rt_symcache *cache = rt_symcache_new();
	struct rt_machine machine = { 0 };
	struct rt_record rec;
	int ret;

	if (!symbols || !cache) {
		ret = rt_err_set(err, ENOMEM, "no memory to list build-ids");
	} else {
		ret = rt_machine_open(&machine, symbols, rt_reader_env(reader), err);
		while (!ret && (ret = rt_reader_next(reader, &rec, err)) > 0)
			ret = take(l, &machine, cache, reader, &rec, err);
		rt_machine_close(&machine);
	}
	rt_symcache_free(cache);
	if (symbols)
		rt_symbols_close(symbols);
	return ret;
}

void rt_buildid_list_print(const struct rt_buildid_list *l, bool hits, FILE *out)
{
	char hex[RT_BUILDID_HEX];
	size_t i;

	for (i = 0; i < l->count; i++) {
		const struct entry *e = l->list[i];

		if (!hits || e->hit)
			fprintf(out, "%-40s %s\n", rt_buildid_hex(&e->id, hex), e->name);
	}
}
