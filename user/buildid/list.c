// SPDX-License-Identifier: GPL-2.0
#include "buildid/list.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "perfdata/read/sample.h"
#include "process/machine.h"
#include "base/buildid.h"
#include "symbols/object.h"

#define BUCKETS 4096

/* Device, inode and generation of a file, or the build-id in their place, as in a record. */
struct file_id {
	uint32_t maj, min;
	uint64_t ino, generation;
};

struct entry {
	char *name;
	struct file_id file; /* all 0: unknown so far */
	struct rt_buildid id;
	bool from_header; /* the build-id comes from the header */
	bool hit;
	struct entry *next; /* in its bucket */
};

struct rt_buildid_list {
	struct entry **list;
	size_t count, room;
	struct entry *buckets[BUCKETS];
	size_t taken; /* entries taken from the header's table */
	/* by the index of a struct rt_object: its entry */
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

static bool is_known(const struct file_id *f)
{
	return f->maj || f->min || f->ino || f->generation;
}

/* Mappings from before the recording were read from /proc, which has no generation. */
static bool may_be_same(const struct file_id *a, const struct file_id *b)
{
	return !is_known(a) || !is_known(b) ||
	       (a->maj == b->maj && a->min == b->min && a->ino == b->ino &&
		(!a->generation || !b->generation || a->generation == b->generation));
}

/* The oldest entry of this name that can be this file. */
static struct entry *find(const struct rt_buildid_list *l, const char *name,
			  const struct file_id *file)
{
	struct entry *e, *oldest = NULL;

	for (e = l->buckets[hash(name)]; e; e = e->next)
		if (!strcmp(e->name, name) && may_be_same(&e->file, file))
			oldest = e;
	return oldest;
}

static struct entry *get(struct rt_buildid_list *l, const char *name, const struct file_id *file)
{
	struct entry *e = find(l, name, file);

	if (!e)
		e = append(l, name);
	if (e && !is_known(&e->file))
		e->file = *file;
	return e;
}

static const struct file_id any_file;

int rt_buildid_list_header(struct rt_buildid_list *l, const struct rt_env *env)
{
	struct entry *e;

	for (; l->taken < env->build_id_count; l->taken++) {
		const struct rt_build_id_entry *b = &env->build_ids[l->taken];

		e = get(l, b->filename, &any_file);
		if (!e)
			return -ENOMEM;
		rt_buildid_set(&e->id, b->id.data, b->id.len);
		e->from_header = true;
	}
	return 0;
}

static const char *recorded_name(const struct rt_perf_record *rec)
{
	const struct rt_perf_record_mmap *r = (const void *)rec->hdr;

	return rt_perf_record_string(rec,
				     rec->hdr->type == RT_PERF_RECORD_MMAP ?
					     r->filename :
					     ((const struct rt_perf_record_mmap2 *)r)->filename);
}

/* The user object that a record has just mapped; NULL if there is none. */
static const struct rt_object *mapped_object(struct rt_machine *m, const struct rt_perf_record *rec)
{
	const struct rt_perf_record_mmap *r = (const void *)rec->hdr;
	const struct rt_thread *thread;
	const struct rt_map *map;

	if ((rec->hdr->misc & RT_MISC_CPUMODE_MASK) == RT_MISC_KERNEL)
		return NULL;
	thread = rt_threads_find(m->threads, (int32_t)r->pid, (int32_t)r->tid);
	map = thread ? rt_maps_find(thread->space->maps, r->start) : NULL;
	return map ? map->object : NULL;
}

/* perf's name for what was just mapped: code made at run time is named after its process. */
static const char *mapped_name(const struct rt_object *object, const struct rt_perf_record *rec)
{
	static const char kernel[] = "[kernel.kallsyms]";
	const char *name = recorded_name(rec);

	if (object)
		return rt_object_name(object);
	/* The kernel's name is followed by its reference symbol. */
	if ((rec->hdr->misc & RT_MISC_CPUMODE_MASK) == RT_MISC_KERNEL &&
	    !strncmp(name, kernel, sizeof(kernel) - 1))
		return kernel;
	return name;
}

/* The slot for an object's entry; NULL if there is no memory. */
static struct entry **of_object(struct rt_buildid_list *l, const struct rt_object *object)
{
	unsigned i = rt_object_index(object), room = l->object_room;
	struct entry **more;

	if (i >= room) {
		room = 2 * (i + 1);
		more = realloc(l->by_object, room * sizeof(*more));
		if (!more)
			return NULL;
		memset(more + l->object_room, 0, (room - l->object_room) * sizeof(*more));
		l->by_object = more;
		l->object_room = room;
	}
	return &l->by_object[i];
}

/* Add the file of a mapping, in the order of the records. */
static int take_mapping(struct rt_buildid_list *l, struct rt_machine *m,
			const struct rt_perf_record *rec)
{
	const struct rt_perf_record_mmap2 *r = (const void *)rec->hdr;
	const struct rt_object *object = mapped_object(m, rec);
	const char *name = mapped_name(object, rec);
	struct file_id file = any_file;
	const struct entry *first;
	struct entry *e, **known;

	if (rec->hdr->type == RT_PERF_RECORD_MMAP2 &&
	    (!object || rt_object_kind(object) == RT_OBJECT_USER))
		file = (struct file_id){ r->maj, r->min, r->ino, r->ino_generation };
	e = get(l, name, &file);
	known = e && object ? of_object(l, object) : NULL;
	if (!e || (object && !known))
		return -ENOMEM;
	if (known && !*known)
		*known = e;
	first = find(l, name, &any_file);
	if (rec->hdr->type == RT_PERF_RECORD_MMAP2 && rec->hdr->misc & RT_MISC_MMAP_BUILD_ID) {
		if (r->build_id_size <= RT_BUILDID_MAX)
			rt_buildid_set(&e->id, r->build_id, r->build_id_size);
	} else if (first && first->from_header) {
		/*
		 * The header knows only paths, so its build-id applies to each file of this path.
		 */
		e->id = first->id;
		e->from_header = true;
	}
	return 0;
}

static int mark(struct rt_buildid_list *l, const struct rt_object *object)
{
	struct entry **known = of_object(l, object);

	if (known && !*known)
		*known = get(l, rt_object_name(object), &any_file);
	if (!known || !*known)
		return -ENOMEM;
	(*known)->hit = true;
	return 0;
}

static int take_sample(struct rt_buildid_list *l, struct rt_machine *m, struct rt_symcache *cache,
		       const struct rt_perf_record *rec)
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
		struct rt_reader *reader, const struct rt_perf_record *rec, struct rt_err *err)
{
	int ret;

	ret = rt_machine_apply(m, rec, err);
	if (ret)
		return ret;
	switch (rec->hdr->type) {
	case RT_PERF_RECORD_HEADER_BUILD_ID:
		ret = rt_buildid_list_header(l, rt_reader_env(reader));
		break;
	case RT_PERF_RECORD_MMAP:
	case RT_PERF_RECORD_MMAP2:
		ret = take_mapping(l, m, rec);
		break;
	case RT_PERF_RECORD_SAMPLE:
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
	struct rt_perf_record rec;
	int ret;

	if (!symbols || !cache) {
		ret = rt_err_set(err, ENOMEM, "no memory to list build-ids");
	} else {
		ret = rt_machine_open(&machine, symbols, rt_reader_env(reader), err);
		machine.files_apart = true;
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
